//! The plain grammar: fixtures, and the law that real shells pass exactly the words that it parses.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::fmt::Write as _;
use std::path::Path;

use plimsoll_rules::{Effect, RuleSet, plain};

#[test]
fn plain_and_other_commands() {
    let mut wrong = String::new();
    let (mut yes, mut no) = (0, 0);
    for (number, line) in include_str!("fixtures/plain.txt").lines().enumerate() {
        let Some((mark, text)) = line.split_at_checked(1).filter(|(mark, _)| "+-".contains(mark)) else {
            continue;
        };
        let text = text.strip_prefix(' ').unwrap_or(text);
        let text = text.replace('␤', "\n").replace('⇥', "\t").replace('␍', "\r");
        if mark == "+" {
            yes += 1;
        } else {
            no += 1;
        }
        if plain::parse(&text).is_some() != (mark == "+") {
            writeln!(wrong, "plain.txt:{}: {line}", number + 1).unwrap();
        }
    }
    assert!(yes > 15 && no > 80, "{yes} {no}");
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Every control character, and every ASCII sign not listed as harmless, makes a command not plain.
#[test]
fn every_special_character_makes_a_command_not_plain() {
    for c in (0..=0x2ff).filter_map(char::from_u32) {
        if c.is_ascii_alphanumeric() || " _-./,:@%+=".contains(c) {
            continue;
        }
        assert_eq!(plain::parse(&format!("cargo te{c}st")), None, "{c:?} in a word");
        assert_eq!(plain::parse(&format!("car{c}go test")), None, "{c:?} in a program");
        if c.is_control() || c.is_whitespace() || "$`\\!".contains(c) {
            assert_eq!(plain::parse(&format!("cargo 'te{c}st'")), None, "{c:?} in single quotes");
            assert_eq!(plain::parse(&format!("cargo \"te{c}st\"")), None, "{c:?} in double quotes");
        }
    }
}

#[test]
fn allow_needs_a_rule_for_every_part_and_stays_in_the_folder() {
    let base = Path::new("/w");
    let rules = ["Bash(cargo:*)", "Bash(cd:*)", "Bash(git:*)", "Bash(make:*)", "Bash(tee:*)"];
    let rules = rules.map(|rule| RuleSet::parse_claude(Effect::Allow, rule, "s", base)).to_vec();
    let set = RuleSet { rules, ..RuleSet::default() };
    for (command, allowed) in [
        ("cargo test", true),
        ("CI=1 cargo test 2>&1", true),
        ("cd api && cargo test", true),
        ("cd /w/api && cargo test", true),
        ("cargo test --manifest-path /w/x", true),
        ("git status && cargo test", true),
        ("cargo test && boom", false),
        ("boom && cargo test", false),
        ("cargo test ${x:-{}; boom x # }", false),
        ("cargo test 'a' \"b\" ${x}", false),
        ("LD_PRELOAD=x cargo test", false),
        ("DEBUG=1 cargo test", false),
        ("cd api && cd x && cargo test", false),
        ("cd api && git status", false),
        ("cd /w/api && /usr/bin/git status", false),
        ("cd .. && cargo test", false),
        ("cd /etc && cargo test", false),
        ("cd - && cargo test", false),
        ("cd && cargo test", false),
        ("cargo test ../x", false),
        ("cargo test --manifest-path=/x", false),
        ("make -C/etc", false),
        ("make DIR=/etc", false),
        ("cargo test a/../../b", false),
        ("make test 2>&1 | tee log", true),
        ("make test 2>&1 | tee -a log && cargo test", true),
        ("cd api && make test | tee log", false),
        ("boom | tee log", false),
        ("make test | cat", false),
        ("cd api | tee log", false),
        ("make test | tee ../log", false),
        ("make test | tee /w/log", false),
        ("make test | tee .git/hooks/x", false),
        ("make test | tee .envrc", false),
        ("make test | tee sub/log", false),
        ("make test | tee host:log", false),
    ] {
        assert_eq!(set.allows_plain_command(command, Path::new("/w"), Path::new("/h")), allowed, "{command}");
    }
}

/// Real shells as judges: each plain command is run with fake programs that record their words.
#[cfg(unix)]
mod shells {
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;
    use std::process::Command;

    use plimsoll_rules::plain;
    use proptest::prelude::*;
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::{Config, TestRunner};

    const STUBS: [&str; 6] = ["cargo", "npm", "g7_x", "a.b", "tee", "cat"];

    struct Stubs(PathBuf);

    impl Stubs {
        fn new(shell: &str) -> Stubs {
            let root = std::env::temp_dir().join(format!("plimsoll-plain-{shell}-{}", std::process::id()));
            let _ = std::fs::remove_dir_all(&root);
            for folder in ["bin", "work"] {
                std::fs::create_dir_all(root.join(folder)).unwrap();
            }
            for stub in STUBS {
                let file = root.join("bin").join(stub);
                let text = format!(
                    // One write: the stages of a pipe run at the same time.
                    "#!/bin/sh\nprintf '%s\\000' {stub} \"$@\" \"$(printf '\\001')\" >> \"$LOG\"\n"
                );
                std::fs::write(&file, text).unwrap();
                std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
            }
            Stubs(root)
        }

        /// The words that the fake programs received.
        fn run(&self, shell: &str, command: &str) -> Vec<Vec<String>> {
            let log = self.0.join("log");
            let _ = std::fs::remove_file(&log);
            let output = Command::new(shell)
                .args(["-c", command])
                .env_clear()
                .env("PATH", self.0.join("bin"))
                .env("LOG", &log)
                .current_dir(self.0.join("work"))
                .output()
                .unwrap();
            assert!(output.status.success(), "{shell}: {command:?}: {output:?}");
            assert_eq!(std::fs::read_dir(self.0.join("work")).unwrap().count(), 0, "{command:?} left a file");
            let text = std::fs::read_to_string(&log).unwrap_or_default();
            let calls = text.split_terminator("\u{1}\0");
            calls.map(|call| call.split_terminator('\0').map(str::to_owned).collect()).collect()
        }
    }

    impl Drop for Stubs {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn found(shell: &str) -> Option<PathBuf> {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|dir| dir.join(shell)).find(|file| file.is_file())
    }

    /// Texts that are mostly plain, and random mixes of every shell sign.
    fn commands() -> impl Strategy<Value = String> {
        let word = prop_oneof![
            6 => "[a-z0-9_./,:@%+=-]{1,6}",
            2 => "'[ -~é]{0,8}'",
            2 => "\"[ -~é]{0,8}\"",
            1 => "-{1,2}[a-z]{1,4}='[a-z ]{0,4}'",
            1 => "[A-Z]{1,3}=[a-z\"' ]{0,3}",
            1 => "[ -~\n\t]{1,4}",
            1 => Just("2>&1".to_owned()),
        ];
        let part =
            (proptest::sample::select(STUBS.as_slice()), proptest::collection::vec(word, 0..5), 0..4usize);
        let part = part.prop_map(|(stub, words, gap)| {
            let gap = if gap == 0 { "  " } else { " " };
            std::iter::once(stub.to_owned()).chain(words).collect::<Vec<_>>().join(gap)
        });
        let joint = prop_oneof![5 => Just(" && "), 1 => Just("&&"), 1 => Just("; "), 1 => Just(" | ")];
        (proptest::collection::vec((part, joint), 1..4), "[A-Z]{0,2}=?").prop_map(|(parts, before)| {
            let mut text =
                if before.len() > 1 && before.ends_with('=') { format!("{before}1 ") } else { String::new() };
            for (at, (part, joint)) in parts.iter().enumerate() {
                if at > 0 {
                    text.push_str(joint);
                }
                text.push_str(part);
            }
            text
        })
    }

    fn agrees(shell: &str, wanted: usize) {
        let Some(program) = found(shell) else {
            skipped::without(&format!("shell:{shell}"), &format!("{shell} is not installed"));
            return;
        };
        let stubs = Stubs::new(shell);
        let mut runner = TestRunner::new(Config::default());
        let strategy = commands();
        let (mut plain_ones, mut tried) = (0, 0);
        while plain_ones < wanted {
            tried += 1;
            assert!(tried < wanted * 60, "only {plain_ones} of {tried} commands were plain");
            let text = strategy.new_tree(&mut runner).unwrap().current();
            let Some(parts) = plain::parse(&text) else { continue };
            let programs_known = parts.iter().all(|part| STUBS.contains(&part.words[0].as_str()));
            if !programs_known {
                continue;
            }
            plain_ones += 1;
            let pipes = parts.iter().any(|part| part.piped);
            let mut printed: Vec<Vec<String>> = parts.into_iter().map(|part| part.words).collect();
            let mut heard = stubs.run(&program.to_string_lossy(), &text);
            if pipes {
                printed.sort();
                heard.sort();
            }
            assert_eq!(heard, printed, "{shell}: {text:?}");
        }
    }

    #[test]
    fn bash_reads_plain_commands_alike() {
        agrees("bash", 300);
    }

    #[test]
    fn dash_reads_plain_commands_alike() {
        agrees("dash", 300);
    }

    #[test]
    fn zsh_reads_plain_commands_alike() {
        agrees("zsh", 300);
    }

    #[test]
    fn fish_reads_plain_commands_alike() {
        agrees("fish", 150);
    }

    #[test]
    fn the_judge_can_tell_a_difference() {
        let Some(bash) = found("bash") else {
            skipped::without("shell:bash", "bash is not installed");
            return;
        };
        let stubs = Stubs::new("judge");
        let seen = stubs.run(&bash.to_string_lossy(), "cargo {a,b} && npm 'x  y' ''");
        assert_eq!(seen, [vec!["cargo", "a", "b"], vec!["npm", "x  y", ""]]);
    }
}
