//! Parses `git log` output and counts by month which technologies commits adopted. An added line counts if it imports one, unless
//! the same commit removes the same import elsewhere: moved files and edited lines adopt nothing.

use std::collections::BTreeMap;

use super::pattern_table::{Key, imported_module, ways_of};
use crate::language;
use crate::role::{self, Role};

/// A month, counted from that of the year 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month(pub i64);

impl Month {
    /// The month of a time in seconds since 1970, in UTC.
    pub fn at(seconds: i64) -> Month {
        // Days are counted from the first of March, so that the leap day is the last of its year.
        let days = seconds.div_euclid(86_400) + 719_468;
        let of_era = days.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * day_of_year + 2) / 153 + 2;
        Month((days.div_euclid(146_097) * 400 + year_of_era) * 12 + month)
    }
}

/// Uses that commits added, by month and technology.
pub type Added = BTreeMap<(Month, Key), u64>;

/// The `git log` arguments that this parser needs, besides the range: a line of a zero and the commit's time in seconds,
/// then its changes without context.
pub const LOG: &[&str] =
    &["--no-merges", "--no-renames", "--unified=0", "--inter-hunk-context=0", "--format=%x00%ct"];

/// A log while it is read.
#[derive(Debug, Default)]
pub struct Log {
    added: Added,
    month: Option<Month>,
    /// The imports that the commit adds and removes.
    commit: BTreeMap<Key, (u64, u64)>,
    file: Option<(&'static str, Role)>,
    /// The numbers of removed and added lines left in the hunk.
    left: (u64, u64),
}

impl Log {
    /// Reads the next line, without its end.
    pub fn line(&mut self, line: &[u8]) {
        // A hunk's lines are counted, because one may look like a heading.
        match line.first() {
            Some(b'-') if self.left.0 > 0 => {
                self.left.0 -= 1;
                self.count(&line[1..], false);
            }
            Some(b'+') if self.left.1 > 0 => {
                self.left.1 -= 1;
                self.count(&line[1..], true);
            }
            // The user's git settings may print text between two changes.
            Some(b' ') => self.left = (self.left.0.saturating_sub(1), self.left.1.saturating_sub(1)),
            Some(0) => {
                self.settle();
                let seconds = std::str::from_utf8(&line[1..]).ok().and_then(|text| text.trim().parse().ok());
                self.month = seconds.map(Month::at);
                (self.file, self.left) = (None, (0, 0));
            }
            Some(b'@') => self.left = hunk(line).unwrap_or_default(),
            Some(b'-') => self.file = path(line, b"--- a/").and_then(language_and_role),
            // Only the new side names a new file.
            Some(b'+') if line != b"+++ /dev/null" => {
                self.file = path(line, b"+++ b/").and_then(language_and_role);
            }
            _ => {}
        }
    }

    /// Everything that was added, and the month of the last commit that was read.
    pub fn finish(mut self) -> (Added, Option<Month>) {
        self.settle();
        (self.added, self.month)
    }

    fn settle(&mut self) {
        let commit = std::mem::take(&mut self.commit);
        let Some(month) = self.month else { return };
        for (way, (added, removed)) in commit {
            if added > removed {
                *self.added.entry((month, way)).or_default() += added - removed;
            }
        }
    }

    fn count(&mut self, line: &[u8], added: bool) {
        let Some((language, role)) = self.file else { return };
        let Ok(line) = std::str::from_utf8(line) else { return };
        for target in imported_targets(language, line) {
            for way in ways_of(language, target) {
                if way.category == "testing" || !role.is(Role::TEST) {
                    let counts = self.commit.entry(way.key()).or_default();
                    if added { counts.0 += 1 } else { counts.1 += 1 }
                }
            }
        }
    }
}

/// The path behind a heading.
fn path<'l>(line: &'l [u8], heading: &[u8]) -> Option<&'l str> {
    // A path with a blank in it ends in a tab.
    std::str::from_utf8(line.strip_prefix(heading)?).ok().map(|path| path.trim_end_matches('\t'))
}

/// The language of a file, unless it is generated or vendored.
fn language_and_role(path: &str) -> Option<(&'static str, Role)> {
    let language = language::of(path, "")?.name;
    let role = role::of(path, Some(language), "");
    let others = [Role::VENDORED, Role::GENERATED, Role::MINIFIED].iter().any(|other| role.is(*other));
    (!others).then_some((language, role))
}

/// The numbers of removed and added lines: `@@ -3,2 +3 @@`.
fn hunk(line: &[u8]) -> Option<(u64, u64)> {
    let text = std::str::from_utf8(line.get(..line.len().min(100))?).ok()?;
    let mut words = text.strip_prefix("@@ ")?.split(' ');
    let mut lines = |sign: char| {
        let (_, count) = words.next()?.strip_prefix(sign)?.split_once(',').unwrap_or(("", "1"));
        count.parse().ok()
    };
    Some((lines('-')?, lines('+')?))
}

/// The imports in one line, as [`ways_of`] recognises them. A single line can't be parsed with a grammar; an import over
/// several lines is recognised by the line with its module.
fn imported_targets<'l>(language: &str, line: &'l str) -> Vec<&'l str> {
    const LONGEST: usize = 400;
    let line = line.trim();
    if line.is_empty() || line.len() > LONGEST {
        return Vec::new();
    }
    let word = |text: &'l str| text.split([' ', ';', ',', '(', '{', '\t']).next().unwrap_or_default();
    let first = |text: &'l str| vec![word(text.trim_start())];
    match language {
        "typescript" | "tsx" | "javascript" | "svelte" | "vue" => {
            let begins = ["from ", "import ", "require(", "import("];
            let quoted = begins.iter().filter_map(|begin| {
                let at = line.rfind(begin)?;
                let whole = at == 0 || !line.as_bytes()[at - 1].is_ascii_alphanumeric();
                whole.then(|| quoted_text(line[at + begin.len()..].trim_start())).flatten()
            });
            quoted.take(1).collect()
        }
        "python" => match (line.strip_prefix("from "), line.strip_prefix("import ")) {
            (Some(rest), _) if rest.contains(" import") => {
                let (module, names) = rest.split_once(" import").unwrap_or((rest, ""));
                let names = names
                    .split(['(', ')', ','])
                    .map(|name| word(name.trim()))
                    .filter(|name| !name.is_empty());
                vec![imported_module(language, word(module.trim_start()), names)]
            }
            (_, Some(rest)) => rest.split(',').map(|one| word(one.trim_start())).collect(),
            _ => Vec::new(),
        },
        "rust" => {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            let rest = line.strip_prefix("use ").or_else(|| line.strip_prefix("extern crate "));
            rest.map(|rest| first(rest.trim_start_matches("::"))).unwrap_or_default()
        }
        // In an import block only a name may precede the path.
        "go" => {
            let rest = line.strip_prefix("import ").unwrap_or(line);
            let path = rest.find('"').filter(|at| {
                rest[..*at].trim_end().bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.')
            });
            let found = path.and_then(|at| quoted_text(&rest[at..]).map(|path| (at + path.len() + 2, path)));
            found
                .filter(|(end, _)| rest[*end..].trim_start().is_empty())
                .map(|(_, path)| path)
                .into_iter()
                .collect()
        }
        "java" | "kotlin" | "scala" => line
            .strip_prefix("import ")
            .map(|rest| first(rest.strip_prefix("static ").unwrap_or(rest)))
            .unwrap_or_default(),
        "csharp" => {
            let rest = line.strip_prefix("global ").unwrap_or(line).strip_prefix("using ");
            rest.filter(|rest| rest.ends_with(';'))
                .map(|rest| first(rest.strip_prefix("static ").unwrap_or(rest)))
                .unwrap_or_default()
        }
        "php" => {
            line.strip_prefix("use ").map(|rest| first(rest.trim_start_matches('\\'))).unwrap_or_default()
        }
        "ruby" => line
            .strip_prefix("require")
            .and_then(|rest| quoted_text(rest.trim_start_matches([' ', '('])))
            .into_iter()
            .collect(),
        "swift" => line.strip_prefix("import ").map(first).unwrap_or_default(),
        "c" | "cpp" => {
            let rest =
                line.strip_prefix('#').map(str::trim_start).and_then(|rest| rest.strip_prefix("include"));
            let path = rest.map(|rest| rest.trim().trim_matches(['<', '>', '"']));
            path.map(|path| path.split(['>', '"']).next().unwrap_or(path)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The quoted text at the start of `text`.
fn quoted_text(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let rest = &text[1..];
    rest.find(quote).map(|end| &rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_are_grouped_by_month() {
        for (seconds, year, month) in [
            (0, 1970, 1),
            (951_782_399, 2000, 2),
            (951_782_400, 2000, 2),
            (951_868_800, 2000, 3),
            (1_767_225_599, 2025, 12),
            (1_767_225_600, 2026, 1),
            (-1, 1969, 12),
        ] {
            assert_eq!(Month::at(seconds), Month(year * 12 + month - 1), "{seconds}");
        }
    }

    #[test]
    fn import_lines_are_recognised() {
        for (language, line, expected) in [
            ("typescript", "import { z } from \"zod\";", "zod"),
            ("typescript", "import 'vitest'", "vitest"),
            ("javascript", "const http = require('node:http');", "node:http"),
            ("javascript", "} from 'react-query'", "react-query"),
            ("javascript", "const x = await import(`axios`)", "axios"),
            ("javascript", "// taken from here", ""),
            ("javascript", "reimport 'x'", ""),
            ("python", "import logging, asyncio as a", "logging asyncio"),
            ("python", "from httpx import Client", "httpx"),
            ("python", "from time to time", ""),
            ("rust", "use anyhow::{Context, Result};", "anyhow::"),
            ("rust", "    pub use ::tokio::sync;", "tokio::sync"),
            ("rust", "extern crate log;", "log"),
            ("go", "\t\"net/http\"", "net/http"),
            ("go", "import log \"github.com/sirupsen/logrus\"", "github.com/sirupsen/logrus"),
            ("go", "fmt.Println(\"net/http\")", ""),
            ("go", "case \"log\":", ""),
            (
                "java",
                "import static org.junit.jupiter.api.Assertions.*;",
                "org.junit.jupiter.api.Assertions.*",
            ),
            ("csharp", "using Xunit;", "Xunit"),
            ("csharp", "using (var x = y)", ""),
            ("php", "use GuzzleHttp\\Client;", "GuzzleHttp\\Client"),
            ("ruby", "require 'faraday'", "faraday"),
            ("ruby", "require(\"net/http\")", "net/http"),
            ("swift", "import XCTest", "XCTest"),
            ("cpp", "#include <gtest/gtest.h> // tests", "gtest/gtest.h"),
            ("markdown", "import x", ""),
        ] {
            assert_eq!(imported_targets(language, line).join(" "), expected, "{language}: {line}");
        }
    }

    #[test]
    fn moved_lines_are_not_new() {
        let mut log = Log::default();
        let text = "\0951868800\n\n\
            diff --git a/src/a.rs b/src/a.rs\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1 +1,2 @@\n-use log::info;\n+use tracing::info;\n+use anyhow::Result;\n\
            diff --git a/src/old.rs b/src/old.rs\n--- a/src/old.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-use anyhow::Result;\n\
            diff --git a/tests/t.rs b/tests/t.rs\n--- /dev/null\n+++ b/tests/t.rs\n@@ -0,0 +1,3 @@\n+use anyhow::Result;\n+use proptest::prelude::*;\n+++ b/other.py\n\
            diff --git a/vendor/x.rs b/vendor/x.rs\n--- /dev/null\n+++ b/vendor/x.rs\n@@ -0,0 +1 @@\n+use anyhow::Result;\n\
            \0949363200\n\n\
            diff --git a/b.rs b/b.rs\n--- a/b.rs\n+++ b/b.rs\n@@ -4,0 +5 @@ fn x()\n+use log::warn;\n\\ No newline at end of file\n";
        text.split('\n').for_each(|line| log.line(line.as_bytes()));
        let (added, last) = log.finish();
        let march = Month(2000 * 12 + 2);
        let february = Month(2000 * 12 + 1);
        let expected = [
            ((february, ("logging", "rust", "log")), 1),
            ((march, ("logging", "rust", "tracing")), 1),
            ((march, ("testing", "rust", "proptest")), 1),
        ];
        assert_eq!(added, Added::from(expected));
        assert_eq!(last, Some(february));
    }

    #[test]
    fn context_lines_do_not_end_a_file() {
        let mut log = Log::default();
        let text = "\0951868800\n\n\
            --- a/a.rs\n+++ b/a.rs\n@@ -1,3 +1,3 @@\n-use a;\n+use log::info;\n between\n-use b;\n+use c;\n\
            --- a/old.py\n+++ b/new.go\n@@ -1 +1 @@\n-x\n+\t\"log/slog\"\n";
        text.split('\n').for_each(|line| log.line(line.as_bytes()));
        let ways: Vec<&str> = log.finish().0.keys().map(|(_, way)| way.2).collect();
        assert_eq!(ways, ["slog", "log"]);
    }

    proptest! {
        #[test]
        fn any_log_is_accepted(lines in prop::collection::vec(prop_oneof![
            prop::collection::vec(any::<u8>(), 0..60),
            "\\x00[0-9-]{0,20}|@@ -[0-9,]{0,6} \\+[0-9,]{0,25} @@|\\+\\+\\+ b/[a-z./]{0,9}|[+-](use|import|from|#include|require) ?['\"(<]?[^\n]{0,20}".prop_map(String::into_bytes),
        ], 0..60)) {
            let mut log = Log::default();
            lines.iter().for_each(|line| log.line(line));
            log.finish();
        }
    }
}
