//! Failures of `node --test`, each reported once: its reporter prints a failed test in its suite and again in a list
//! at the end, with its place. Owns finding what the list repeats.

use std::collections::HashSet;
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
        out.push('\n');
    }
    let _ = writeln!(
        out,
        "… {} of these failures before, each in its suite, not shown",
        counted(again, "lines telling")
    );
    Some((out, Vec::new()))
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
            "noise of a test\n  ✖ stops early (0.1ms)\n    Error: 1 subtest failed\nℹ tests 3\nℹ fail 1\n\n✖ failing tests:\n\ntest at a.test.js:4:1\n✖ adds (1.2ms)\n  AssertionError: 1 !== 2\n… 5 lines telling of these failures before, each in its suite, not shown\n"
        );
        assert!(node_failures("✖ adds (1.2ms)\nℹ fail 1\n").is_none());
    }
}
