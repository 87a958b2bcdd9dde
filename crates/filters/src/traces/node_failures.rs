//! Failures of `node --test`, each reported once: its reporter prints a failed test in its suite and again in a list
//! at the end, with its place but without its suite. Owns finding what the list repeats, and naming the suites there.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::Left;
use crate::counted::counted;

/// The line above the list.
const LIST: &str = "✖ failing tests:";

/// Whether a line may be part of a repeated report.
pub(crate) fn begins(line: &str) -> bool {
    line.trim_start().starts_with("✖ ")
}

/// The report without the failures that the list at its end repeats.
pub(crate) fn node_failures(text: &str) -> Option<Left> {
    let lines: Vec<&str> = text.lines().collect();
    let list = lines.iter().rposition(|line| *line == LIST)?;
    let place = |at: usize| lines[at - 1].strip_prefix("test at ").unwrap_or_default();
    let told: HashMap<&str, &str> = (list + 1..lines.len())
        .filter(|at| begins(lines[*at]))
        .map(|at| (lines[at].trim(), place(at)))
        .collect();
    let mut out = String::with_capacity(text.len());
    let mut suites: HashMap<&str, String> = HashMap::new();
    let (mut at, mut again) = (0, 0);
    while at < list {
        let line = lines[at];
        at += 1;
        let has_details = lines[at..list].first().is_some_and(|next| indent(next) > indent(line));
        let repeated = begins(line) && (told.contains_key(line.trim()) || is_suite(line) && !has_details);
        if !repeated {
            // The blank lines are those between the removed parts.
            if !line.is_empty() || !out.ends_with("\n\n") {
                out.push_str(line);
                out.push('\n');
            }
            continue;
        }
        again += 1;
        if told.contains_key(line.trim()) {
            let around = suites_around(&lines[at - 1..list], &told);
            let known = suites.entry(line.trim()).or_insert_with(|| around.clone());
            // Two tests with one line in different suites: the list doesn't tell which is which.
            if *known != around {
                known.clear();
            }
            let inside = |other: &&&str| other.trim().is_empty() || indent(other) > indent(line);
            let details = lines[at..list].iter().take_while(inside).count();
            again += lines[at..at + details].iter().filter(|line| !line.trim().is_empty()).count();
            at += details;
        }
    }
    if again == 0 {
        return None;
    }
    for line in &lines[list..] {
        out.push_str(line);
        if let Some(around) = suites.get(line.trim()).filter(|around| begins(line) && !around.is_empty()) {
            let _ = write!(out, " in {around}");
        }
        out.push('\n');
    }
    let _ = writeln!(
        out,
        "… {} of these failures before, each in its suite, not shown",
        counted(again, "lines telling")
    );
    Some((out, Vec::new()))
}

/// The suites of the test in the first line, from the outermost. A suite's own line comes after its tests. Node 18 marks
/// that line as it marks a suite that begins, and what comes next may be a test outside: what the list repeats, too, is only
/// a suite of the test if it's above it in its file.
fn suites_around(lines: &[&str], told: &HashMap<&str, &str>) -> String {
    let Some((test, after)) = lines.split_first() else { return String::new() };
    let mut names: Vec<&str> = Vec::new();
    let mut depth = indent(test);
    for line in after {
        if depth == 0 {
            break;
        }
        if begins(line) && is_suite(line) && indent(line) < depth {
            let place = |line: &str| told.get(line.trim()).copied();
            if place(line).is_some_and(|suite| !is_above(suite, place(test).unwrap_or_default())) {
                return String::new();
            }
            depth = indent(line);
            let name = line.trim().trim_start_matches("✖ ");
            names.push(name.rsplit_once(" (").map_or(name, |(name, _)| name));
        }
    }
    names.reverse();
    names.join(" › ")
}

/// Whether `a.test.js:6:1` is above another place in its file.
fn is_above(place: &str, other: &str) -> bool {
    let parts = |place: &str| -> Option<(usize, u32, u32)> {
        let (rest, column) = place.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        Some((file.len(), line.parse().ok()?, column.parse().ok()?))
    };
    parts(place).zip(parts(other)).is_some_and(|((file, line, column), (same, below, behind))| {
        place.get(..file) == other.get(..same) && (line, column) < (below, behind)
    })
}

/// `✖ name (12.3ms)`: a suite with a failed test prints only its name.
fn is_suite(line: &str) -> bool {
    line.ends_with("ms)")
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::node_failures;

    #[test]
    fn a_failure_is_reported_only_in_the_list() {
        let text = "noise of a test\n  ✖ adds (1.2ms)\n    AssertionError: 1 !== 2\n\n    1 !== 2\n\n        at TestContext.<anonymous> (/srv/a.test.js:5:3)\n\n  ✖ stops early (0.1ms)\n    Error: 1 subtest failed\n✖ sums (3.4ms)\nℹ tests 3\nℹ fail 1\n\n✖ failing tests:\n\ntest at a.test.js:4:1\n✖ adds (1.2ms)\n  AssertionError: 1 !== 2\n";
        let (out, _) = node_failures(text).unwrap();
        assert_eq!(
            out,
            "noise of a test\n  ✖ stops early (0.1ms)\n    Error: 1 subtest failed\nℹ tests 3\nℹ fail 1\n\n✖ failing tests:\n\ntest at a.test.js:4:1\n✖ adds (1.2ms) in sums\n  AssertionError: 1 !== 2\n… 5 lines telling of these failures before, each in its suite, not shown\n"
        );
        let inner = "▶ shop\n  ▶ cart\n    ✖ adds (1.2ms)\n      Error: 1 !== 2\n\n    ✔ keeps (0.1ms)\n  ✖ cart (2.1ms)\n  ▶ till\n    ✖ adds (1.4ms)\n      Error: 3 !== 4\n\n  ✖ till (2.2ms)\n✖ shop (5.0ms)\n✖ adds (1.6ms)\n  Error: 5 !== 6\n\n✖ failing tests:\n\ntest at a.test.js:4:1\n✖ adds (1.2ms)\n  Error: 1 !== 2\n\ntest at b.test.js:4:1\n✖ adds (1.4ms)\n  Error: 3 !== 4\n\ntest at c.test.js:1:1\n✖ adds (1.6ms)\n  Error: 5 !== 6\n";
        let (out, _) = node_failures(inner).unwrap();
        for named in
            ["\n✖ adds (1.2ms) in shop › cart\n", "\n✖ adds (1.4ms) in shop › till\n", "\n✖ adds (1.6ms)\n"]
        {
            assert!(out.contains(named), "{named}: {out}");
        }
        assert!(node_failures("✖ adds (1.2ms)\nℹ fail 1\n").is_none());
    }

    /// As node 18 prints them, where the line that ends a suite is left out with those that begin one; and two tests that
    /// took the same time.
    #[test]
    fn no_suite_is_named_that_may_be_another() {
        for text in [
            "    ✖ adds (1.2ms)\n      Error: 1 !== 2\n\n✖ pays (1.6ms)\n  Error: 5 !== 6\n\n✖ failing tests:\n\n✖ adds (1.2ms)\n  Error: 1 !== 2\n\n✖ pays (1.6ms)\n  Error: 5 !== 6\n",
            "  ✖ adds (1.2ms)\n    Error: 1 !== 2\n\n✖ cart (2.1ms)\n  ✖ adds (1.2ms)\n    Error: 3 !== 4\n\n✖ till (2.2ms)\n\n✖ failing tests:\n\n✖ adds (1.2ms)\n  Error: 1 !== 2\n\n✖ adds (1.2ms)\n  Error: 3 !== 4\n",
        ] {
            let (out, _) = node_failures(text).unwrap();
            let (_, list) = text.split_once("failing tests:").unwrap();
            assert!(out.contains(list), "{out}");
        }
        // A suite with an error of its own is in the list, above its tests in the file.
        let own = |place: &str| {
            let text = format!(
                "  ✖ adds (1.2ms)\n    Error: 1 !== 2\n\n✖ shop (2.1ms)\n  'never resolved'\n\n✖ failing tests:\n\ntest at a.test.js:7:3\n✖ adds (1.2ms)\n  Error: 1 !== 2\n\ntest at {place}\n✖ shop (2.1ms)\n  'never resolved'\n"
            );
            node_failures(&text).unwrap().0.contains("✖ adds (1.2ms) in shop\n")
        };
        assert!(own("a.test.js:6:1"));
        assert!(!own("a.test.js:12:1") && !own("b.test.js:6:1"));
    }
}
