//! What to look at before a diff is merged: a table of rules for definitions, and what changed files say.

use std::collections::BTreeSet;

use super::{BrokenImport, Change, FileChange, SymbolChange};
use crate::grammar::Kind;

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

/// A definition with what is known about its uses.
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
pub fn risks(
    all: &[FileChange],
    reviewed: &[Reviewed],
    broken: &[BrokenImport],
    in_circles: &BTreeSet<String>,
) -> Vec<Risk> {
    let mut out = BTreeSet::new();
    for one in broken {
        // The file that is gone isn't named: whoever reads this may not be allowed to read that.
        let what = format!("line {} imports `{}`, whose file is gone", one.line, one.target);
        out.insert(Risk { level: Level::High, what, file: one.file.clone() });
    }
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
            add(Level::Low, "it is part of an import cycle");
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
    fn each_rule_reports_exactly_its_risk() {
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
                risks(&[], &[one], &[], &BTreeSet::new()).into_iter().map(|risk| risk.what).collect();
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
        let printed: Vec<String> = risks(&all, &[], &[], &BTreeSet::from(["b.rs".to_owned()]))
            .into_iter()
            .map(|one| format!("{} {}", one.file, one.what))
            .collect();
        assert_eq!(printed.len(), 4, "{printed:?}");
        let broken = [BrokenImport { file: "u.ts".into(), line: 3, target: "./a".into() }];
        let printed = risks(&[], &[], &broken, &BTreeSet::new());
        assert_eq!((printed.len(), printed[0].level), (1, Level::High));
        assert_eq!(printed[0].what, "line 3 imports `./a`, whose file is gone");
    }
}
