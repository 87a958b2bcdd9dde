//! Denied programs and files behind everything that shells and languages offer to hide them, and innocent commands that only
//! mention them.
//!
//! Each line of `hidden-*.txt` has four columns: where it really ran (shells and interpreters by name, `-` if none of those tried
//! ran it, `?` if there was none to try), what the analysis says (`deny`, `unknown`, `passes`), what is left under the system's
//! own enforcement (`?` until it was tried), and the case. `␤` is a newline, `␍` a carriage return. The rules are
//! `Bash(boom:*)` and `Read(.env)`. `PLIMSOLL_WRITE_FIXTURES=1` rewrites the second column.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use plimsoll_rules::{Decision, Effect, RuleSet};

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let root = std::env::temp_dir().join(format!("plimsoll-hidden-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        for folder in ["project/sub", "home"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        std::fs::write(root.join("project/.env"), "TOKEN=x\n").unwrap();
        Scratch(std::fs::canonicalize(root).unwrap())
    }

    /// The analysis's answer about a case; one in a language has its name and a tab in front.
    fn says(&self, case: &str, language: bool) -> Decision {
        let (project, home) = (self.0.join("project"), self.0.join("home"));
        let deny = |text| RuleSet::parse_claude(Effect::Deny, text, "settings.json", &project);
        let rules = vec![deny("Bash(boom:*)"), deny("Read(.env)")];
        let set = RuleSet { rules, ..RuleSet::default() };
        let case = case.replace('␤', "\n").replace('␍', "\r");
        match case.split_once('\t').filter(|_| language) {
            Some((language, code)) => set.code(language, code, &project, &home),
            None => set.command(&case, &project, &home),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn word(decision: &Decision) -> &'static str {
    match decision {
        Decision::Deny(_) => "deny",
        Decision::Unknown(_) => "unknown",
        _ => "passes",
    }
}

/// Checks a file's column, and that at most `left` cases that ran pass the analysis.
fn hidden(name: &str, wanted: usize, left: usize) {
    let file = PathBuf::from(format!("tests/fixtures/hidden-{name}.txt"));
    let text = std::fs::read_to_string(&file).unwrap();
    let scratch = Scratch::new(name);
    let (mut wrong, mut missed, mut fresh) = (String::new(), Vec::new(), String::new());
    let mut cases = 0;
    for line in text.lines() {
        let columns: Vec<&str> = line.splitn(4, '\t').collect();
        let [ran, read, enforced, case] = columns.as_slice() else { panic!("{name}: {line}") };
        let got = word(&scratch.says(case, name == "code"));
        cases += 1;
        if got != *read {
            writeln!(wrong, "{got} but written {line}").unwrap();
        }
        if *ran != "-" && got == "passes" {
            missed.push(*case);
        }
        writeln!(fresh, "{ran}\t{got}\t{enforced}\t{case}").unwrap();
    }
    if std::env::var_os("PLIMSOLL_WRITE_FIXTURES").is_some() {
        std::fs::write(&file, fresh).unwrap();
        eprintln!("{name}: {} of {cases} pass: {missed:#?}", missed.len());
        return;
    }
    assert!(cases >= wanted, "{name}: {cases}");
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(missed.len() <= left, "{name}: {} pass: {missed:#?}", missed.len());
}

#[cfg(unix)]
#[test]
fn programs_hidden_from_a_reader_of_shells() {
    hidden("shell", 700, 1);
}

#[cfg(unix)]
#[test]
fn files_hidden_from_a_reader_of_shells() {
    hidden("files", 400, 3);
}

#[cfg(unix)]
#[test]
fn programs_and_files_hidden_in_other_languages() {
    hidden("code", 300, 2);
}

/// A mere mention of a denied program or file isn't denied, and nearly all mentions are analysed completely.
#[cfg(unix)]
#[test]
fn harmless_commands_are_not_denied() {
    let scratch = Scratch::new("innocent");
    let (mut denied, mut unknown, mut cases) = (String::new(), Vec::new(), 0);
    for (case, language) in ["innocent.txt", "innocent-code.txt"].iter().flat_map(|name| {
        let text = std::fs::read_to_string(Path::new("tests/fixtures").join(name)).unwrap();
        let language = name.contains("code");
        text.lines().map(|line| (line.to_owned(), language)).collect::<Vec<_>>()
    }) {
        cases += 1;
        match scratch.says(&case, language) {
            Decision::NoRule => {}
            Decision::Unknown(_) => unknown.push(case),
            other => writeln!(denied, "{case}   {other:?}").unwrap(),
        }
    }
    assert!(cases >= 300);
    assert!(denied.is_empty(), "\n{denied}");
    assert!(unknown.is_empty(), "{unknown:#?}");
}
