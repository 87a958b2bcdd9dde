//! Table-driven cases: each file under `fixtures/` is a list of rules and their expected decisions.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use plimsoll_rules::{BrokenLayer, Decision, Effect, Precedence, Rule, RuleSet, Syntax, Target, parts};

/// A scratch folder with a project and a home, removed when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let root = std::env::temp_dir().join(format!("plimsoll-rules-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        for folder in ["work/project/sub", "work/project/secrets", "home/.ssh"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in ["work/project/.env", "work/project/x"] {
            std::fs::write(root.join(file), "x").unwrap();
        }
        // Windows gives the form `\\?\C:\…` back, which nobody types and no agent sends.
        let root = std::fs::canonicalize(root).unwrap().display().to_string();
        Scratch(root.strip_prefix(r"\\?\").unwrap_or(&root).into())
    }
    fn project(&self) -> PathBuf {
        self.0.join("work/project")
    }
    fn home(&self) -> PathBuf {
        self.0.join("home")
    }
    /// `P/…` and `H/…` at the start of a word are the project and the home.
    fn fill(&self, text: &str) -> String {
        let mut out = text.to_owned();
        for (prefix, folder) in [("P/", self.project()), ("H/", self.home())] {
            // As it is written in a shell on any system.
            let folder = folder.display().to_string().replace('\\', "/");
            out = out.replace(&format!(" {prefix}"), &format!(" {folder}/"));
            if let Some(rest) = out.strip_prefix(prefix) {
                out = format!("{folder}/{rest}");
            }
        }
        out.replace('␤', "\n")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn effect(word: &str) -> Option<Effect> {
    match word {
        "deny" => Some(Effect::Deny),
        "ask" => Some(Effect::Ask),
        "allow" => Some(Effect::Allow),
        _ => None,
    }
}

fn rule(effect: Effect, text: &str, syntax: Syntax, base: &Path) -> Rule {
    if syntax == Syntax::ClaudeCode {
        return RuleSet::parse_claude(effect, text, "settings.json", base);
    }
    let (target, pattern) = text.split_once(' ').unwrap();
    let target = match target {
        "shell" => Target::Shell,
        "read" => Target::Read,
        "fetch" => Target::Fetch,
        other => panic!("no target {other}"),
    };
    Rule {
        effect,
        target,
        pattern: Some(pattern.to_owned()),
        syntax,
        text: text.to_owned(),
        source: "rules".to_owned(),
        base: base.to_owned(),
    }
}

/// Runs every case of a file and fails with all that differ.
fn check(name: &str, decide: impl Fn(&RuleSet, &str, &str, &Scratch) -> Decision) {
    let scratch = Scratch::new(name);
    let text = std::fs::read_to_string(format!("tests/fixtures/{name}.txt")).unwrap();
    let (mut set, mut fresh) = (RuleSet::default(), true);
    let (mut syntax, mut base) = (Syntax::ClaudeCode, scratch.project());
    let mut language = String::new();
    let mut elsewhere = false;
    let (mut wrong, mut cases) = (String::new(), 0);
    for (number, line) in text.lines().enumerate() {
        if line.starts_with('#') {
            continue;
        }
        if line.is_empty() {
            (fresh, elsewhere) = (true, false);
            continue;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        // Absolute paths without a drive are on Unix only.
        if word == "unix" {
            elsewhere = cfg!(not(unix));
            continue;
        }
        if elsewhere {
            continue;
        }
        let starts_group =
            effect(word).is_some() || matches!(word, "syntax" | "base" | "broken" | "case-insensitive");
        if starts_group && fresh {
            set = RuleSet::default();
            (syntax, base, fresh) = (Syntax::ClaudeCode, scratch.project(), false);
        }
        if let Some(effect) = effect(word) {
            set.rules.push(rule(effect, rest, syntax, &base));
            continue;
        }
        match word {
            "language" => language = rest.to_owned(),
            "base" => base = PathBuf::from(scratch.fill(rest)),
            "case-insensitive" => set.case_insensitive = true,
            "broken" => {
                set.broken.push(BrokenLayer { path: "/x/settings.json".into(), reason: "line 3".into() });
            }
            "syntax" => {
                for part in rest.split(' ') {
                    match part {
                        "glob" => syntax = Syntax::Glob,
                        "prefix" => syntax = Syntax::Prefix,
                        "regex" => syntax = Syntax::Regex,
                        "last-match" => set.precedence = Precedence::LastMatch,
                        other => panic!("no syntax {other}"),
                    }
                }
            }
            "D" | "?" | "U" | "A" | "." => {
                cases += 1;
                let decision = decide(&set, &language, &scratch.fill(rest), &scratch);
                let got = match decision {
                    Decision::Deny(_) => "D",
                    Decision::Ask(_) => "?",
                    Decision::Allow(_) => "A",
                    Decision::Unknown(_) => "U",
                    Decision::NoRule => ".",
                };
                if got != word {
                    writeln!(wrong, "{name}.txt:{}: {got} but wanted {line}   {decision:?}", number + 1)
                        .unwrap();
                }
                if word == "D" && !set.broken.is_empty() {
                    assert!(decision.hit().unwrap().what.contains("/x/settings.json"));
                }
            }
            other => panic!("{name}.txt:{}: what is {other}?", number + 1),
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(cases > 10);
}

#[test]
fn commands_are_decided_as_listed() {
    check("commands", |set, _, text, at| set.command(text, &at.project(), &at.home()));
}

#[test]
fn files_are_decided_as_listed() {
    check("files", |set, _, text, at| set.read(Path::new(text), &at.project(), &at.home()));
}

#[test]
fn hosts_are_decided_as_listed() {
    check("hosts", |set, _, text, _| set.fetch(text));
}

#[test]
fn tools_are_decided_as_listed() {
    check("tools", |set, _, text, _| set.tool(text));
}

#[test]
fn code_is_decided_as_listed() {
    check("code", |set, language, text, at| set.code(language, text, &at.project(), &at.home()));
}

#[test]
fn commands_are_taken_apart() {
    let text = std::fs::read_to_string("tests/fixtures/parts.txt").unwrap();
    let mut wrong = String::new();
    for block in text.split("\n\n") {
        let mut lines = block.lines().filter(|l| !l.starts_with("# One case"));
        let Some(command) = lines.next() else { continue };
        let expected: Vec<&str> = lines.filter_map(|l| l.strip_prefix("=> ")).collect();
        let got = parts(&command.replace('␤', "\n"));
        if got != expected {
            writeln!(wrong, "{command}\n  wanted {expected:?}\n  got    {got:?}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Git Bash's paths, in a command and in the rules of an agent without anchors.
#[cfg(windows)]
#[test]
fn a_drive_may_be_written_with_slashes() {
    let (project, home) = (Path::new(r"C:\work"), Path::new(r"C:\users\ana"));
    let mut set = RuleSet::default();
    set.rules.push(RuleSet::parse_claude(Effect::Deny, "Read(~/.ssh/**)", "settings.json", project));
    for command in
        ["cat /c/users/ana/.ssh/id_rsa", "cat C:/users/ana/.ssh/id_rsa", "cat ../users/ana/.ssh/id_rsa"]
    {
        assert!(matches!(set.command(command, project, home), Decision::Deny(_)), "{command}");
    }
    assert!(matches!(set.command("cat /c/users/bea/.ssh/id_rsa", project, home), Decision::NoRule));
}
