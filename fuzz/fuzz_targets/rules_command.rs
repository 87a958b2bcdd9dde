//! Taking any command apart: it ends, it never panics, and a denied program in front or behind is seen.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use rules::{Effect, RuleSet};

fuzz_target!(|command: &str| {
    let (cwd, home) = (Path::new("/nowhere/w"), Path::new("/nowhere/h"));
    let rules = ["Bash(rm:*)", "Bash(git * main)", "Read(.env)", "WebFetch(domain:example.com)"]
        .map(|text| RuleSet::parse_claude(Effect::Deny, text, "fuzz", cwd));
    let set = RuleSet { rules: rules.into(), ..RuleSet::default() };
    rules::parts(command);
    let decision = set.command(command, cwd, home);
    // What comes first is run first, whatever follows.
    assert!(set.command(&format!("rm x\n{command}"), cwd, home).is_deny());
    // The same command among others is no less forbidden.
    assert!(!decision.is_deny() || set.command(&format!("true\n{command}"), cwd, home).is_deny());
    // A rule by its own text: any pattern, any text.
    let own = RuleSet::parse_claude(Effect::Deny, &format!("Bash({command})"), "fuzz", cwd);
    let own = RuleSet { rules: vec![own], ..RuleSet::default() };
    own.command("ls -la", cwd, home);
    own.read(Path::new(command), cwd, home);
    own.fetch(command);
});
