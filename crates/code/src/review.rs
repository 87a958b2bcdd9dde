//! Reviews a diff: the changed lines (`parse_diff`), the changed definitions with their earlier versions (`changed_definitions`),
//! and what to check before merging (`risks`, a table). Pure; the caller provides texts, diffs and uses.

use std::collections::BTreeSet;

use crate::analyse::analyse;
use crate::grammar::Kind;
use crate::symbols::Symbol;

/// What happened to a file or a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It was not there.
    Added,
    /// What it takes and gives is other than it was.
    Signature,
    /// What is in it is other than it was.
    #[default]
    Changed,
    /// It is no longer there.
    Removed,
}

/// A file of a diff.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct FileChange {
    /// Relative to the project.
    pub path: String,
    /// What happened to it.
    pub change: Change,
    /// Lines that came.
    pub added: u64,
    /// Lines that went.
    pub removed: u64,
    /// Lines that are new or other: first and last.
    #[serde(skip)]
    pub now: Vec<(u32, u32)>,
    /// Lines that were there instead.
    #[serde(skip)]
    pub before: Vec<(u32, u32)>,
}

/// A definition that a diff changes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SymbolChange {
    /// Its name.
    pub name: String,
    /// What it is in.
    #[serde(rename = "in", skip_serializing_if = "String::is_empty")]
    pub container: String,
    /// What it is.
    pub kind: Kind,
    /// The file.
    pub file: String,
    /// The line of its name; where it was, if it is gone.
    pub line: u32,
    /// What happened to it.
    pub change: Change,
    /// Others can see it.
    pub exported: bool,
}

/// The files of a unified diff without context (`git diff --unified=0 --no-renames`).
pub fn parse_diff(text: &str) -> Vec<FileChange> {
    let mut out: Vec<FileChange> = Vec::new();
    // Lines of a hunk are counted, because a line that went may begin like a header.
    let (mut old_left, mut new_left) = (0u64, 0u64);
    for line in text.lines() {
        if old_left > 0 && line.starts_with('-') {
            old_left -= 1;
            continue;
        }
        if new_left > 0 && line.starts_with('+') {
            new_left -= 1;
            continue;
        }
        if line.starts_with("diff --git ") {
            (old_left, new_left) = (0, 0);
            out.push(FileChange::default());
            continue;
        }
        let Some(file) = out.last_mut() else { continue };
        if line.starts_with("new file mode") {
            file.change = Change::Added;
        } else if line.starts_with("deleted file mode") {
            file.change = Change::Removed;
        } else if let Some(path) = line.strip_prefix("--- a/").or_else(|| line.strip_prefix("+++ b/")) {
            file.path = path.trim_end_matches('\t').to_owned();
        } else if let Some((old, new)) = line.strip_prefix("@@ -").and_then(hunk) {
            (old_left, new_left) = (u64::from(old.1), u64::from(new.1));
            file.removed += old_left;
            file.added += new_left;
            if old.1 > 0 {
                file.before.push((old.0, old.0 + old.1 - 1));
            }
            // Where lines only went, the line before is looked at.
            file.now.push(if new.1 > 0 { (new.0, new.0 + new.1 - 1) } else { (new.0.max(1), new.0.max(1)) });
        }
    }
    // A file whose name git quotes, or without text, has no hunks.
    out.retain(|file| !file.path.is_empty());
    out
}

type Lines = (u32, u32);

/// `3,2 +3,4 @@ …`
fn hunk(text: &str) -> Option<(Lines, Lines)> {
    let (old, rest) = text.split_once(" +")?;
    let new = rest.split(" @@").next()?;
    let range = |text: &str| {
        let (start, count) = text.split_once(',').unwrap_or((text, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    Some((range(old)?, range(new)?))
}

/// The definitions that a file's change touches: those whose own lines are other, and those that are gone.
pub fn changed_definitions(file: &FileChange, before: Option<&str>, now: Option<&str>) -> Vec<SymbolChange> {
    let symbols = |text: Option<&str>| {
        text.map(|text| analyse(&file.path, text.as_bytes()).outline.symbols).unwrap_or_default()
    };
    let (old, new) = (symbols(before), symbols(now));
    let mut out: Vec<SymbolChange> = Vec::new();
    let mut add = |symbol: &Symbol, change| {
        out.push(SymbolChange {
            name: symbol.name.clone(),
            container: symbol.container.clone(),
            kind: symbol.kind,
            file: file.path.clone(),
            line: symbol.line,
            change,
            exported: symbol.exported,
        });
    };
    let same = |a: &Symbol, b: &Symbol| a.name == b.name && a.container == b.container;
    for symbol in new.iter().filter(|symbol| own_lines_touched(symbol, &new, &file.now)) {
        // Of several with one name, the one with the same head is the same.
        let twins: Vec<&Symbol> = old.iter().filter(|other| same(symbol, other)).collect();
        let change = match twins.as_slice() {
            [] => Change::Added,
            twins if twins.iter().any(|twin| twin.signature == symbol.signature) => Change::Changed,
            _ => Change::Signature,
        };
        add(symbol, change);
    }
    for symbol in &old {
        if !new.iter().any(|other| same(symbol, other)) {
            add(symbol, Change::Removed);
        }
    }
    out
}

/// Whether any of these lines is a definition's own, and not only that of a definition in it.
fn own_lines_touched(symbol: &Symbol, all: &[Symbol], lines: &[(u32, u32)]) -> bool {
    let path = symbol.path();
    let inner: Vec<&Symbol> = all
        .iter()
        .filter(|one| {
            one.start_line >= symbol.start_line && one.end_line <= symbol.end_line && one.container == path
        })
        .collect();
    lines.iter().any(|(first, last)| {
        let (first, last) = ((*first).max(symbol.start_line), (*last).min(symbol.end_line));
        // A module is touched by what is in it only.
        let module = symbol.kind == Kind::Module && !inner.is_empty();
        first <= last
            && !module
            && (first..=last)
                .any(|line| !inner.iter().any(|one| (one.start_line..=one.end_line).contains(&line)))
    })
}

/// How much a risk matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Something is likely broken.
    High,
    /// Look at it.
    Medium,
    /// Good to know.
    Low,
}

/// What to look at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Risk {
    /// How much it matters.
    pub level: Level,
    /// What it is.
    pub what: String,
    /// Where.
    pub file: String,
}

/// A definition with what is known of its uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewed {
    /// The definition.
    pub symbol: SymbolChange,
    /// Files outside the diff that use it.
    pub outside: BTreeSet<String>,
    /// All files that use it, tests aside.
    pub users: usize,
    /// Tests that name it.
    pub tests: usize,
    /// Its uses were looked for.
    pub known: bool,
}

/// From this number on, users count as many.
const MANY_USERS: usize = 10;
/// From this number on, changed lines count as many.
const MUCH: u64 = 400;

/// The rules for one definition: condition, level, and text.
type Rule = (fn(&Reviewed) -> bool, Level, fn(&Reviewed) -> String);
const RULES: &[Rule] = &[
    (
        |one| one.symbol.change == Change::Removed && !one.outside.is_empty(),
        Level::High,
        |one| format!("`{}` is gone, and still named in {}", one.symbol.name, files(one.outside.len())),
    ),
    (
        |one| one.symbol.change == Change::Signature && !one.outside.is_empty(),
        Level::High,
        |one| {
            let count = files(one.outside.len());
            format!(
                "`{}` takes or gives something else; outside the diff it is used in {count}",
                one.symbol.name
            )
        },
    ),
    (
        |one| one.symbol.change == Change::Changed && one.users > MANY_USERS,
        Level::Medium,
        |one| format!("`{}` is used in {}", one.symbol.name, files(one.users)),
    ),
    (
        |one| {
            let code = matches!(one.symbol.kind, Kind::Function | Kind::Method);
            one.known && code && one.symbol.exported && one.tests == 0 && one.symbol.change != Change::Removed
        },
        Level::Medium,
        |one| format!("no test names `{}`", one.symbol.name),
    ),
];

fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

/// What to look at before a diff is merged, what matters most first.
pub fn risks(all: &[FileChange], reviewed: &[Reviewed], in_circles: &BTreeSet<String>) -> Vec<Risk> {
    let mut out = BTreeSet::new();
    for one in reviewed {
        for (_, level, says) in RULES.iter().filter(|(holds, ..)| holds(one)) {
            out.insert(Risk { level: *level, what: says(one), file: one.symbol.file.clone() });
        }
    }
    for file in all {
        let mut add = |level, what: &str| {
            out.insert(Risk { level, what: what.to_owned(), file: file.path.clone() });
        };
        if crate::resolve::is_manifest(&file.path) {
            add(Level::Medium, "a manifest changed: dependencies or the names of modules may be others");
        }
        if crate::role::of(&file.path, None, "").is(crate::role::Role::TEST) && file.change == Change::Removed
        {
            add(Level::Medium, "a test is gone");
        }
        if in_circles.contains(&file.path) {
            add(Level::Low, "it is part of a circle of imports");
        }
    }
    let lines: u64 = all.iter().map(|file| file.added + file.removed).sum();
    if lines > MUCH {
        out.insert(Risk {
            level: Level::Medium,
            what: format!("{lines} lines in one diff are much to read"),
            file: String::new(),
        });
    }
    out.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "diff --git a/src/a.rs b/src/a.rs\nindex 1..2 100644\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -2 +2,2 @@ fn a\n-    1\n+    2\n+    3\n@@ -9,2 +10,0 @@\n---- a/not a header\n-}\ndiff --git a/new.rs b/new.rs\nnew file mode 100644\n--- /dev/null\n+++ b/new.rs\n@@ -0,0 +1 @@\n+fn n() {}\ndiff --git a/old.rs b/old.rs\ndeleted file mode 100644\n--- a/old.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-fn o() {}\n";

    #[test]
    fn a_diff_is_read() {
        let all = parse_diff(DIFF);
        let seen: Vec<_> =
            all.iter().map(|one| (one.path.as_str(), one.change, one.added, one.removed)).collect();
        assert_eq!(
            seen,
            [
                ("src/a.rs", Change::Changed, 2, 3),
                ("new.rs", Change::Added, 1, 0),
                ("old.rs", Change::Removed, 0, 1)
            ]
        );
        assert_eq!(
            (all[0].now.as_slice(), all[0].before.as_slice()),
            (&[(2, 3), (10, 10)][..], &[(2, 2), (9, 10)][..])
        );
    }

    #[test]
    fn definitions_are_new_other_changed_or_gone() {
        let before = "pub fn kept() {\n    1;\n}\n\npub fn head(a: u32) {}\n\npub fn gone() {}\n\npub struct S;\n\nimpl S {\n    pub fn inner(&self) {\n        1;\n    }\n}\n";
        let now = "pub fn kept() {\n    2;\n}\n\npub fn head(a: u64) {}\n\npub fn fresh() {}\n\npub struct S;\n\nimpl S {\n    pub fn inner(&self) {\n        2;\n    }\n}\n";
        let file = FileChange {
            path: "a.rs".into(),
            now: vec![(2, 2), (5, 5), (7, 7), (13, 13)],
            ..FileChange::default()
        };
        let seen: Vec<(String, Change)> = changed_definitions(&file, Some(before), Some(now))
            .into_iter()
            .map(|one| (one.name, one.change))
            .collect();
        let expected = [
            ("kept", Change::Changed),
            ("head", Change::Signature),
            ("fresh", Change::Added),
            ("inner", Change::Changed),
            ("gone", Change::Removed),
        ];
        assert_eq!(seen, expected.map(|(name, change)| (name.to_owned(), change)));
    }

    fn reviewed(change: Change, outside: usize, users: usize, tests: usize) -> Reviewed {
        Reviewed {
            symbol: SymbolChange {
                name: "f".into(),
                container: String::new(),
                kind: Kind::Function,
                file: "a.rs".into(),
                line: 1,
                change,
                exported: true,
            },
            outside: (0..outside).map(|n| format!("{n}.rs")).collect(),
            users,
            tests,
            known: true,
        }
    }

    #[test]
    fn each_rule_speaks_when_it_should_and_only_then() {
        for (one, expected) in [
            (reviewed(Change::Removed, 2, 2, 1), &["`f` is gone, and still named in 2 files"][..]),
            (reviewed(Change::Removed, 0, 0, 0), &[]),
            (
                reviewed(Change::Signature, 1, 1, 1),
                &["`f` takes or gives something else; outside the diff it is used in 1 file"],
            ),
            (reviewed(Change::Changed, 3, 11, 1), &["`f` is used in 11 files"]),
            (reviewed(Change::Changed, 3, 3, 1), &[]),
            (reviewed(Change::Added, 0, 0, 0), &["no test names `f`"]),
        ] {
            let printed: Vec<String> =
                risks(&[], &[one], &BTreeSet::new()).into_iter().map(|risk| risk.what).collect();
            assert_eq!(printed, expected);
        }
        let file = |path: &str, change, added| FileChange {
            path: path.into(),
            change,
            added,
            ..FileChange::default()
        };
        let all = [
            file("Cargo.toml", Change::Changed, 1),
            file("tests/a_test.rs", Change::Removed, 0),
            file("b.rs", Change::Changed, 500),
        ];
        let printed: Vec<String> = risks(&all, &[], &BTreeSet::from(["b.rs".to_owned()]))
            .into_iter()
            .map(|one| format!("{} {}", one.file, one.what))
            .collect();
        assert_eq!(printed.len(), 4, "{printed:?}");
    }
}
