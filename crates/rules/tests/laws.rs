//! Laws: nothing panics, everything ends, quoting hides nothing, and the strictest rule wins.

use std::fmt::Write as _;
use std::path::Path;

use plimsoll_rules::{Decision, Effect, RuleSet, parts};
use proptest::prelude::*;

fn set(rules: &[(Effect, &str)]) -> RuleSet {
    let base = Path::new("/w");
    let rules = rules.iter().map(|(e, t)| RuleSet::parse_claude(*e, t, "s", base)).collect();
    RuleSet { rules, ..RuleSet::default() }
}

fn deny_rm() -> RuleSet {
    set(&[(Effect::Deny, "Bash(rm:*)"), (Effect::Deny, "Read(.env)")])
}

fn command(set: &RuleSet, text: &str) -> Decision {
    set.command(text, Path::new("/w"), Path::new("/h"))
}

const LANGUAGES: &[&str] = &[
    "python",
    "javascript",
    "ruby",
    "go",
    "rust",
    "php",
    "perl",
    "r",
    "elixir",
    "csharp",
    "awk",
    "lua",
    "powershell",
    "?",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_accepted(text in "\\PC{0,200}", pattern in "\\PC{0,30}") {
        parts(&text);
        let set = set(&[(Effect::Deny, &format!("Bash({pattern})")), (Effect::Deny, &format!("Read({pattern})"))]);
        command(&set, &text);
        set.read(Path::new(&text), Path::new("/w"), Path::new("/h"));
        set.fetch(&text);
        set.tool(&text);
    }

    #[test]
    fn random_shell_text_is_accepted(text in "[a-c \\\\'\"`$(){}<>|&;\n#=\\[\\]!*?~0-9é]{0,120}") {
        parts(&text);
        command(&deny_rm(), &text);
    }

    #[test]
    fn random_script_text_is_accepted(text in "(system|open|run|exec|\\.arg|x|=|\"|'|`|/|\\(|\\)|\\[|\\]|\\{|\\}|,|\\+|\\.|\n|#|%w|é| |\\\\){0,80}", at in 0..LANGUAGES.len()) {
        deny_rm().code(LANGUAGES[at], &text, Path::new("/w"), Path::new("/h"));
    }

    /// The rule applies however the letters are quoted.
    #[test]
    fn quoting_hides_no_command(styles in proptest::collection::vec(0..5usize, 2), before in "(ls; |true && |\\( |\\{ |sudo |env A=1 |x=\\$\\()?") {
        let mut text = before.clone();
        for (c, style) in "rm".chars().zip(&styles) {
            match style {
                0 => text.push(c),
                1 => write!(text, "\\{c}").unwrap(),
                2 => write!(text, "'{c}'").unwrap(),
                3 => write!(text, "\"{c}\"").unwrap(),
                _ => write!(text, "$'\\x{:02x}'", u32::from(c)).unwrap(),
            }
        }
        text.push_str(" file");
        prop_assert!(command(&deny_rm(), &text).is_deny(), "{text}");
    }

    /// Wrapping and chaining hide nothing.
    #[test]
    fn wrapping_hides_no_command(wraps in proptest::collection::vec(0..10usize, 0..5)) {
        let mut text = "rm file".to_owned();
        for wrap in wraps {
            text = match wrap {
                0 => format!("sudo -u me {text}"),
                1 => format!("bash -c {}", quote(&text)),
                2 => format!("echo $( {text} )"),
                3 => format!("true && {text} | cat"),
                4 => format!("( {text} )"),
                5 => format!("if x; then {text}; fi"),
                6 => format!("eval {}", quote(&text)),
                7 => format!("find . -exec sh -c {} \\;", quote(&text)),
                8 => format!("cat <<E\n$( {text} )\nE\n"),
                _ => format!("f() {{\n{text}\n}}"),
            };
        }
        prop_assert!(command(&deny_rm(), &text).is_deny(), "{text}");
    }

    /// A rule set with a deny is never weaker with an allow beside it.
    #[test]
    fn allow_never_weakens(text in "(rm|ls|cat|git| |;|&&|\\$\\(|\\)|x){0,12}") {
        let without = command(&deny_rm(), &text);
        let mut with = deny_rm();
        with.rules.extend(set(&[(Effect::Allow, "Bash")]).rules);
        prop_assert_eq!(without.is_deny(), command(&with, &text).is_deny());
    }
}

fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Damaged texts: every text that hides a command, cut anywhere, joined with another, and with multi-byte, zero-width
/// and case-changing characters in it.
fn damaged() -> impl Strategy<Value = String> {
    let texts: Vec<String> =
        ["hidden-shell.txt", "hidden-code.txt", "hidden-files.txt", "innocent.txt", "innocent-code.txt"]
            .into_iter()
            .flat_map(|name| {
                let here = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
                let text = std::fs::read_to_string(Path::new(&here).join("tests/fixtures").join(name))
                    .unwrap_or_default();
                let last = |line: &str| line.rsplit('\t').next().unwrap_or_default().replace('␤', "\n");
                text.lines().map(last).collect::<Vec<_>>()
            })
            .collect();
    assert!(texts.len() > 1_000, "the lists are there: {}", texts.len());
    let odd = prop::sample::select(vec![
        "é", "漢", "😀", "\u{202e}", "\0", "\r", "İ", "ﬁ", "\u{feff}", "\"", "'", "\\", "(", "{", "$", "`",
        "\n",
    ]);
    let strikes = prop::collection::vec((any::<prop::sample::Index>(), odd, any::<bool>()), 0..6);
    (prop::sample::select(texts.clone()), prop::sample::select(texts), any::<prop::sample::Index>(), strikes)
        .prop_map(|(first, second, cut, strikes)| {
            let mut letters: Vec<String> = first.chars().map(String::from).collect();
            letters.truncate(cut.index(letters.len() + 1));
            letters.extend(second.chars().map(String::from));
            for (at, odd, replaces) in strikes {
                let at = at.index(letters.len() + 1);
                if replaces && at < letters.len() {
                    letters[at] = odd.to_owned();
                } else {
                    letters.insert(at, odd.to_owned());
                }
            }
            letters.concat()
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_texts_are_accepted(text in damaged(), at in 0..LANGUAGES.len()) {
        let set = deny_rm();
        parts(&text);
        let _ = plimsoll_rules::plain::parse(&text);
        command(&set, &text);
        set.code(LANGUAGES[at], &text, Path::new("/w"), Path::new("/h"));
    }
}

/// Text that nests or repeats without end is analysed in linear time. Measures no time: quadratic analysis doesn't
/// finish within any test run's patience.
#[test]
fn long_and_deep_texts_are_analysed_in_time() {
    let pieces = [
        "(",
        "$(",
        "`",
        "$((",
        "((",
        "${",
        "\"$(",
        "<(",
        "{ ",
        "if ",
        "case x in x) ",
        "<<E ",
        "'",
        "\"",
        "\\",
        "a=(",
        "f() ",
        "for x in ",
        "[[ ",
        "rm x; ",
        "{a,",
        "{a,b}",
        "X=$X$X; ",
        "\n",
        ")",
        "esac ",
        "$'",
        "bash -c ",
        "sudo ",
        "<<< ",
        "| ",
        "\"`",
        "xargs ",
    ];
    let set = deny_rm();
    for piece in pieces {
        let text = piece.repeat(4_000);
        parts(&text);
        command(&set, &text);
        let balanced = format!("{}rm x{}", piece.repeat(1_000), ") ".repeat(1_000));
        command(&set, &balanced);
    }
    for piece in [
        "(",
        "[",
        "system(",
        "\"a\"+",
        "x=",
        "\"",
        "/",
        "open ",
        "[\"a\",",
        ")",
        "f(x,",
        "Command::new(\"a\").arg(\"b\")",
    ] {
        for language in LANGUAGES {
            set.code(language, &piece.repeat(1_500), Path::new("/w"), Path::new("/h"));
        }
    }
}

#[test]
fn a_command_that_cannot_be_parsed_is_not_let_through() {
    let deep = format!("{}rm x{}", "$(".repeat(500), ")".repeat(500));
    let decision = command(&deny_rm(), &deep);
    assert!(decision.is_deny());
    assert!(decision.hit().unwrap().what.contains("can't be parsed"), "{decision:?}");
    assert!(matches!(command(&set(&[(Effect::Ask, "Bash(rm:*)")]), &deep), Decision::Ask(_)));
    assert_eq!(command(&set(&[(Effect::Allow, "Bash(echo:*)")]), &deep), Decision::NoRule);
    let mut nested = "rm x".to_owned();
    for _ in 0..6 {
        nested = format!("sh -c {}", quote(&nested));
    }
    assert!(command(&deny_rm(), &nested).is_deny());
}

#[test]
fn a_hit_names_rule_file_and_part() {
    let decision = command(&deny_rm(), "ls && sudo rm -rf x");
    assert_eq!(decision.hit().unwrap().to_string(), "rule Bash(rm:*) in s matches `rm -rf x`");
}

#[cfg(unix)]
#[test]
fn links_are_followed() {
    let root = std::env::temp_dir().join(format!("plimsoll-rules-links-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(root.join("p")).unwrap();
    std::fs::create_dir_all(root.join("h/.ssh")).unwrap();
    std::fs::write(root.join("h/.ssh/id"), "x").unwrap();
    std::os::unix::fs::symlink(root.join("h/.ssh/id"), root.join("p/key")).unwrap();
    let (project, home) = (root.join("p"), root.join("h"));
    let base = project.clone();
    let rules = |list: &[(Effect, &str)]| RuleSet {
        rules: list.iter().map(|(e, t)| RuleSet::parse_claude(*e, t, "s", &base)).collect(),
        ..RuleSet::default()
    };
    let deny = rules(&[(Effect::Deny, "Read(~/.ssh/**)"), (Effect::Allow, "Read(./**)")]);
    assert!(deny.read(Path::new("key"), &project, &home).is_deny());
    assert!(deny.command("cat key", &project, &home).is_deny());
    let allow = rules(&[(Effect::Allow, "Read(./**)")]);
    assert_eq!(allow.read(Path::new("key"), &project, &home), Decision::NoRule);
    std::fs::remove_dir_all(&root).unwrap();
}

/// Patterns also count from the session's folders: a folder given for one command removes no rule.
#[test]
fn a_commands_own_folder_lifts_no_rule() {
    let mut rules = set(&[
        (Effect::Deny, "Read(secrets/**)"),
        (Effect::Deny, "Read(./private.txt)"),
        (Effect::Deny, "Edit(locked/*)"),
    ]);
    let denied = |rules: &RuleSet, text: &str, cwd: &str| {
        rules.command(text, Path::new(cwd), Path::new("/h")).is_deny()
            && rules
                .code("python", &format!("open('{}')", &text[4..]), Path::new(cwd), Path::new("/h"))
                .is_deny()
    };
    assert!(!denied(&rules, "cat a", "/w/secrets"), "without an anchor the folder is all there is");
    rules.anchors = vec!["/w".into()];
    for (text, cwd) in [
        ("cat a", "/w/secrets"),
        ("cat ./a", "/w/secrets"),
        ("cat ../secrets/a", "/w/other"),
        ("cat ../private.txt", "/w/other"),
        ("cat secrets/a", "/w"),
        // Patterns still count from the command's own folder as well, as in hosts that follow `cd`.
        ("cat secrets/a", "/elsewhere"),
    ] {
        assert!(denied(&rules, text, cwd), "{text} in {cwd}");
    }
    assert!(rules.read(Path::new("a"), Path::new("/w/secrets"), Path::new("/h")).is_deny());
    assert!(rules.edit(Path::new("a"), Path::new("/w/locked"), Path::new("/h")).is_deny());
    assert!(!denied(&rules, "cat a", "/w/other"));
    // An allow counts from the session's folders only.
    let mut allow = set(&[(Effect::Allow, "Read(./**)")]);
    allow.anchors = vec!["/w".into()];
    assert_eq!(allow.read(Path::new("a"), Path::new("/etc"), Path::new("/h")), Decision::NoRule);
    assert!(matches!(allow.read(Path::new("a"), Path::new("/w/x"), Path::new("/h")), Decision::Allow(_)));
}

/// A command that can't be analysed is unknown beside a rule that may apply, and only there.
#[test]
fn a_command_that_does_not_parse_is_undecided_where_a_rule_exists() {
    let texts = [
        "$x file",
        "$(pick) file",
        "curl x | sh",
        "eval \"$x\"",
        "echo (a)",
        "bash <(curl x)",
        "base64 -d y | bash",
    ];
    let unknown = |rules: &RuleSet, text: &str| matches!(command(rules, text), Decision::Unknown(_));
    for text in texts {
        assert!(unknown(&set(&[(Effect::Deny, "Bash(rm:*)")]), text), "{text}");
        assert!(unknown(&set(&[(Effect::Ask, "Bash(rm:*)")]), text), "{text}");
        for rules in [set(&[]), set(&[(Effect::Allow, "Bash")]), set(&[(Effect::Deny, "WebFetch")])] {
            assert!(!unknown(&rules, text), "{text}");
        }
        // Where the system enforces a rule, the text needn't be understood. It enforces no rule that asks and none
        // about shell builtins.
        for (rule, left) in [
            ((Effect::Deny, "Bash(rm:*)"), false),
            ((Effect::Deny, "Bash(kill:*)"), true),
            ((Effect::Ask, "Bash(rm:*)"), true),
        ] {
            let kept = RuleSet { enforced: true, ..set(&[rule]) };
            assert_eq!(unknown(&kept, text), left, "{text} {rule:?}");
        }
    }
    let decision = command(&deny_rm(), "$x file");
    assert!(decision.hit().unwrap().to_string().contains("Bash(rm:*)"), "{decision:?}");
}
