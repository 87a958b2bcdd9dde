//! The laws, over every built-in filter: with its own cases, with mixed lines of all cases, and with arbitrary bytes.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod builtin_cases;

use std::sync::LazyLock;

use plimsoll_filters::{FilterSet, GENERIC, check, shorten};
use proptest::prelude::*;

/// Lines of the cases of all built-in filters, and samples of lines that must never be lost.
static LINES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut lines: Vec<String> = [
        "error[E0308]: mismatched types",
        "  --> src/lib.rs:3:5",
        "src/app.ts(3,7): error TS2322: Type 'string' is not assignable",
        "FAILED tests/test_cart.py::test_total - AssertionError: 3 != 4",
        "test cart::total ... FAILED",
        "test cart::error_is_reported ... ok",
        "panicked at src/cart.rs:7:5:",
        "3 warnings and 1 error generated.",
        "\u{1b}[31merror\u{1b}[0m: half a colour \u{1b}[3",
        "10%\r20%\r100% done\r",
        "ERROR part 3 is lost\r40%\r100% done",
        "   ",
        "",
        "ERROR 2026-11-20 10:00:00 the disk is full",
        "é 漢字 🚢 \u{202e}rtl",
    ]
    .map(str::to_owned)
    .to_vec();
    for found in builtin_cases::all() {
        lines.extend(found.input.lines().take(60).map(str::to_owned));
    }
    lines
});

fn commands() -> Vec<String> {
    let mut commands: Vec<String> =
        FilterSet::builtin().list().into_iter().flat_map(|listed| listed.commands).collect();
    commands.push("./unknown --tool".into());
    commands
}

#[test]
fn every_case_of_every_filter_passes() {
    let mut wrong = Vec::new();
    let mut cases = 0;
    for outcomes in check::builtin(&FilterSet::builtin()) {
        match outcomes {
            Ok(outcomes) => {
                for outcome in outcomes {
                    cases += 1;
                    for text in outcome.wrong {
                        wrong.push(format!("{} / {}: {text}", outcome.filter, outcome.case));
                    }
                }
            }
            Err(error) => wrong.push(error.to_string()),
        }
    }
    assert!(cases > 0, "no case at all");
    assert!(wrong.is_empty(), "{} of {cases} cases:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_filter_has_a_unique_name_and_names_its_sources() {
    let mut names: Vec<String> = FilterSet::builtin().list().into_iter().map(|listed| listed.name).collect();
    names.sort();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all, "two filters of one name");
    let root = std::path::Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("builtin");
    for family in std::fs::read_dir(root).unwrap().flatten() {
        for file in std::fs::read_dir(family.path()).unwrap().flatten().map(|file| file.path()) {
            if file.extension().is_some_and(|extension| extension == "toml") {
                let text = std::fs::read_to_string(&file).unwrap();
                let filter = plimsoll_filters::Filter::parse(&text, &file.display().to_string()).unwrap();
                assert!(!filter.source.is_empty() && !filter.about.is_empty(), "{}", file.display());
                let fails = |case: &plimsoll_filters::Case| case.exit.is_some_and(|code| code != 0);
                assert!(
                    filter.source.starts_with("documented") || filter.cases.iter().any(fails),
                    "{} has no failing case of its tool and doesn't say that it rests on documentation",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn the_readme_and_the_changelog_say_how_many_filters_there_are() {
    let known = FilterSet::builtin().list().iter().filter(|listed| listed.name != GENERIC).count();
    let root = std::path::Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../..");
    for (file, printed) in
        [("README.md", "filters know what"), ("CHANGELOG.md", "of them for everyday commands")]
    {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        let (before, _) =
            text.split_once(printed).unwrap_or_else(|| panic!("{file} doesn't say {printed:?}"));
        let number = before.split_whitespace().next_back().unwrap();
        assert_eq!(number, known.to_string(), "{file}");
    }
}

#[test]
fn any_bytes_and_sizes_are_accepted() {
    let set = FilterSet::builtin();
    let megabyte = "x".repeat(1 << 16);
    let binary: String =
        String::from_utf8_lossy(&(0..=255u8).cycle().take(1 << 12).collect::<Vec<_>>()).into_owned();
    for command in commands() {
        for text in [
            megabyte.as_str(),
            binary.as_str(),
            "\r\r\r",
            "\n\n\n",
            "\u{1b}[",
            "{\"a\":",
            "@@ -1,9 +1,9 @@\n",
        ] {
            let done = shorten(&set, &command, Some(1), text);
            if let Some(done) = done {
                assert!(done.with_address(Some(check::ADDRESS)).len() <= text.len(), "{command}");
            }
        }
    }
}

#[test]
fn a_diffs_change_of_blanks_is_seen() {
    let mut input = String::from("diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n");
    for at in 0..20 {
        let from = at * 20 + 1;
        input.push_str(&format!("@@ -{from},9 +{from},9 @@\n 1\n 2\n 3\n-foo {at}  \n+foo {at}\n"));
        input.push_str(&format!("-bar {at}\r\n+bar {at}\n 4\n 5\n 6\n 7\n"));
    }
    let set = FilterSet::builtin();
    let done = shorten(&set, "git diff", Some(0), &input).unwrap();
    let form = check::form(&done.filter, "git diff");
    assert_eq!(form, check::Form::Diff);
    assert_eq!(check::laws(form, &input, Some(&done)), Vec::<String>::new());
    for blank in ["  \n", "\r\n"] {
        let text = done.text.replace(blank, "\n");
        let lossy = plimsoll_filters::Shortened { text, ..done.clone() };
        assert!(!check::laws(form, &input, Some(&lossy)).is_empty(), "{blank:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn nothing_required_is_lost(
        picks in prop::collection::vec((any::<prop::sample::Index>(), 1usize..4), 0..120),
        command in any::<prop::sample::Index>(),
        exit in prop::option::of(0i32..3),
        joint in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let commands = commands();
        let command = &commands[command.index(commands.len())];
        let mut input = String::new();
        for (pick, times) in &picks {
            for _ in 0..*times {
                input.push_str(&LINES[pick.index(LINES.len())]);
                input.push_str(joint);
            }
        }
        let set = FilterSet::builtin();
        let done = shorten(&set, command, exit, &input);
        prop_assert_eq!(&done, &shorten(&set, command, exit, &input), "not the same twice");
        let Some(done) = done else { return Ok(()) };
        let shown = done.with_address(Some(check::ADDRESS));
        let wrong = check::laws(check::form(&done.filter, command), &input, Some(&done));
        prop_assert!(wrong.is_empty(), "{}: {}\n{shown}", done.filter, wrong.join("\n"));
    }

    #[test]
    fn any_text_is_accepted(text in "(\\PC|\u{1b}|\r|\n|\t|\u{0}){0,400}", command in any::<prop::sample::Index>()) {
        let commands = commands();
        let input = text.repeat(20);
        let done = shorten(&FilterSet::builtin(), &commands[command.index(commands.len())], None, &input);
        if let Some(done) = done {
            prop_assert!(done.with_address(Some(check::ADDRESS)).len() <= input.len());
        }
    }

    #[test]
    fn any_command_line_is_accepted(command in "(\\PC|'|\"|\\$\\(|`|\\||&|;|<|>|\\\\|\n){0,80}") {
        let _ = shorten(&FilterSet::builtin(), &command, None, &"line\n".repeat(3000));
    }
}
