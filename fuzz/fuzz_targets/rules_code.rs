//! Looking through any script in any language: it ends and never panics.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use rules::{Effect, RuleSet};

const LANGUAGES: [&str; 14] = [
    "python",
    "javascript",
    "typescript",
    "ruby",
    "go",
    "rust",
    "php",
    "perl",
    "r",
    "elixir",
    "csharp",
    "powershell",
    "awk",
    "shell",
];

fuzz_target!(|input: (u8, &str)| {
    let (at, code) = input;
    let (cwd, home) = (Path::new("/nowhere/w"), Path::new("/nowhere/h"));
    let rules =
        ["Bash(rm:*)", "Read(.env)"].map(|text| RuleSet::parse_claude(Effect::Deny, text, "fuzz", cwd));
    let set = RuleSet { rules: rules.into(), ..RuleSet::default() };
    set.code(LANGUAGES[usize::from(at) % LANGUAGES.len()], code, cwd, home);
});
