//! The report of testtools and stestr: a heading for each failed test, the captured output, and a trace in a separate
//! block. With little room each test keeps its place and its assertion.

use super::failed_tests::{Failed, list};
use super::pytest_report::push;
use crate::guard::is_foreign;
use crate::{Left, normal};

/// Whether the block of a test may begin with `line`.
pub(crate) fn begins(line: &str) -> bool {
    line.trim_end() == "Captured traceback:"
}

struct Failure<'t> {
    name: &'t str,
    below: Vec<&'t str>,
}

/// The report `text` in about `room` bytes; `None` where it has no such blocks.
pub(crate) fn testtools(text: &str, room: usize) -> Option<Left> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let is_heading = |at: usize| {
        let (Some(name), Some(rule)) = (lines.get(at), lines.get(at + 1)) else { return false };
        name.contains('.')
            && !name.contains(char::is_whitespace)
            && name.len() == rule.len()
            && is_rule(rule, '-')
    };
    let mut failures: Vec<Failure<'_>> = Vec::new();
    let (mut out, mut behind) = (String::new(), String::new());
    let mut at = 0;
    while at < lines.len() {
        if !is_heading(at) {
            push(if failures.is_empty() { &mut out } else { &mut behind }, lines[at]);
            at += 1;
            continue;
        }
        let (name, from) = (lines[at], at + 2);
        at =
            (from..lines.len()).find(|at| is_heading(*at) || is_rule(lines[*at], '=')).unwrap_or(lines.len());
        failures.push(Failure { name, below: lines[from..at].to_vec() });
    }
    if failures.is_empty() {
        return None;
    }
    let (out, repeated) = without_repeated_traces(&out, &failures, true);
    let mut counts = Vec::new();
    counts.extend((repeated > 0).then_some(("lines repeated below", repeated)));
    let mut whole = out.clone();
    for failure in &failures {
        push(&mut whole, failure.name);
        failure.below.iter().filter(|line| !line.trim().is_empty()).for_each(|line| push(&mut whole, line));
    }
    whole.push_str(&behind);
    if whole.len() <= room {
        return Some((whole, counts));
    }
    let (out, _) = without_repeated_traces(&out, &failures, false);
    let failed: Vec<Failed<'_>> = failures.iter().map(Failure::in_a_list).collect();
    let details = failures.iter().map(|failure| failure.below.len()).sum();
    let rows = room.checked_sub(out.len() + behind.len()).and_then(|room| list(&failed, room))?;
    counts.push(("lines of traces", details));
    Some((out + &rows + &behind, counts))
}

/// The text before the blocks, without the traces that they repeat and, unless `verdicts`, without the lines that
/// name their tests; also returns how many lines those are.
fn without_repeated_traces(before: &str, failures: &[Failure<'_>], verdicts: bool) -> (String, usize) {
    let mut out = String::new();
    let (mut repeated, mut inside) = (0, false);
    for line in before.lines() {
        let verdict = line.contains("] ... ");
        let named = |failure: &Failure<'_>| line.contains(failure.name) && line.ends_with("... FAILED");
        inside = if verdict { failures.iter().any(named) } else { inside && !is_rule(line, '=') };
        if inside && !(verdict && verdicts) {
            repeated += 1;
        } else {
            push(&mut out, line);
        }
    }
    (out, repeated)
}

fn is_rule(line: &str, of: char) -> bool {
    line.len() >= 4 && line.chars().all(|c| c == of)
}

impl<'t> Failure<'t> {
    fn in_a_list(&self) -> Failed<'t> {
        let frame = |line: &'t str| -> Option<(&'t str, &'t str)> {
            let (file, rest) = line.trim().strip_prefix("File \"")?.split_once("\", line ")?;
            Some((file, rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default()))
        };
        let frames = || self.below.iter().rev().filter_map(|line| frame(line).map(|found| (*line, found)));
        let own = frames().find(|(line, _)| !is_foreign(line)).or_else(|| frames().next());
        let (file, at) = own.map_or(("", ""), |(_, found)| found);
        let last = self.below.iter().rposition(|line| frame(line).is_some()).unwrap_or(0);
        let message = self.below[last..].iter().map(|line| line.trim()).find(|line| {
            line.split(':').next().is_some_and(|class| {
                let name = class.rsplit('.').next().unwrap_or(class);
                name.starts_with(char::is_uppercase) && !name.contains(' ') && name.len() > 3
            })
        });
        let message =
            message.or_else(|| self.below.iter().rev().map(|line| line.trim()).find(|line| !line.is_empty()));
        Failed {
            file,
            at,
            name: self.name,
            wording: message.unwrap_or_default().to_owned(),
            ..Failed::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testtools;

    #[test]
    fn every_failed_test_keeps_its_place_and_what_was_asserted() {
        let mut text = String::from("======\nFailed\n======\n\n");
        for n in 1..40 {
            let name = format!("tests.test_cart.CartTest.test_{n}");
            text += &format!(
                "{name}\n{}\n\nCaptured traceback:\n~~~~~~~~~~~~~~~~~~~\n    Traceback (most recent call last):\n\n      File \"/w/tests/test_cart.py\", line {n}, in test_{n}\n    self.assertEqual(3, {n})\n\n      File \"/usr/lib/python3.11/unittest/case.py\", line 873, in assertEqual\n    assertion_func(first, second, msg=msg)\n\n    AssertionError: 3 != {n}\n\n",
                "-".repeat(name.len())
            );
        }
        text += "======\nTotals\n======\nRan: 39 tests in 0.1 sec.\n - Passed: 0\n - Failed: 39\n";
        let (short, _) = testtools(&text, 5_000).unwrap();
        assert!(short.len() <= 5_000, "{}", short.len());
        assert!((1..40).all(|n| short.contains(&format!("test_{n}"))), "{short}");
        assert!(short.contains("3 != ") && short.ends_with(" - Passed: 0\n - Failed: 39\n"), "{short}");
        let (whole, _) = testtools(&text, 50_000).unwrap();
        assert!(
            whole.matches("Captured traceback:").count() == 39 && whole.ends_with(" - Failed: 39\n"),
            "{whole}"
        );
        assert_eq!(testtools("ok\n", 50_000), None);
    }
}
