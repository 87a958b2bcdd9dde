//! Failures of `node --test`, each reported once: its reporter prints a failed test in its suite and again in a list
//! at the end, with its place but without its suite. Owns finding what the list repeats, and naming the suites there.

use std::collections::{HashMap, HashSet};
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
    let told: HashSet<&str> =
        lines[list + 1..].iter().filter(|line| begins(line)).map(|line| line.trim()).collect();
    let mut out = String::with_capacity(text.len());
    let mut suites: HashMap<&str, String> = HashMap::new();
    let (mut at, mut again) = (0, 0);
    while at < list {
        let line = lines[at];
        at += 1;
        let has_details = lines[at..list].first().is_some_and(|next| indent(next) > indent(line));
        let repeated = begins(line) && (told.contains(line.trim()) || is_suite(line) && !has_details);
        if !repeated {
            // The blank lines are those between the removed parts.
            if !line.is_empty() || !out.ends_with("\n\n") {
                out.push_str(line);
                out.push('\n');
            }
            continue;
        }
        again += 1;
        if told.contains(line.trim()) {
            let around = suites_around(&lines[at - 1..list]);
            if !around.is_empty() {
                suites.insert(line.trim(), around);
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
        if let Some(around) = suites.get(line.trim()).filter(|_| begins(line)) {
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

/// The suites of the test in the first line, from the outermost. A suite's own line comes after its tests.
fn suites_around(lines: &[&str]) -> String {
    let Some((test, after)) = lines.split_first() else { return String::new() };
    let mut names: Vec<&str> = Vec::new();
    let mut depth = indent(test);
    for line in after {
        if depth == 0 {
            break;
        }
        if begins(line) && is_suite(line) && indent(line) < depth {
            depth = indent(line);
            let name = line.trim().trim_start_matches("✖ ");
            names.push(name.rsplit_once(" (").map_or(name, |(name, _)| name));
        }
    }
    names.reverse();
    names.join(" › ")
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
}
