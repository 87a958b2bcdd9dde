//! A failure of pytest whose trace is in Python's own form (`--tb=native`), where it doesn't fit as a whole: the test's own
//! frames and the message of the last exception. Owns where a trace ends and its message begins. Frames of libraries
//! may already be marks of how many lines they were.

use super::pytest_report::{Failure, Part, push};
use crate::guard::is_foreign;

/// How a trace begins.
const BEGINS: &str = "Traceback (most recent call last):";
/// Lines of a message that are shown, and the longest one, in bytes.
const MESSAGE: usize = 6;
const LONG: usize = 200;

/// A frame of the user's own code: its `File` line, and its statement.
type Own<'t> = (&'t str, &'t str);

/// The user's own frames of the last trace in `failure`, and its message; `None` if there is no such trace.
fn last_trace<'t>(failure: &Failure<'t>) -> Option<(Vec<Own<'t>>, Vec<&'t str>)> {
    let lines: Vec<&str> = failure
        .parts
        .iter()
        .map(|part| match part {
            Part::Line(line) => Some(*line),
            Part::Frame(_) => None,
        })
        .collect::<Option<_>>()?;
    let trace = &lines[lines.iter().rposition(|line| line.trim_end() == BEGINS)? + 1..];
    let of_frame = |line: &&str| line.starts_with(' ') || mark(line).is_some();
    let end = trace.iter().position(|line| !of_frame(line)).unwrap_or(trace.len());
    let mut own = Vec::new();
    for (at, line) in trace[..end].iter().enumerate() {
        if line.starts_with("  File \"") && !is_foreign(line) {
            let statement = trace[at + 1..end].first().filter(|next| next.starts_with("    "));
            own.push((line.trim(), statement.map_or("", |next| next.trim())));
        }
    }
    Some((own, trace[end..].to_vec()))
}

/// How many lines `… 11 more lines of library frames` stands for.
fn mark(line: &str) -> Option<usize> {
    line.strip_prefix("… ")?.split_once(" more ")?.0.parse::<u32>().ok().map(|count| count as usize)
}

/// Writes the test's own frame of `failure`, with `ended` the last of the user's own frames too, and with `told` the
/// message's further lines. How many lines aren't shown; `None` if its trace has another form.
pub(super) fn write(failure: &Failure<'_>, ended: bool, told: bool, out: &mut String) -> Option<usize> {
    let (own, message) = last_trace(failure)?;
    let mut shown = 0;
    let last = own.last().filter(|_| ended && own.len() > 1);
    for (place, statement) in own.first().into_iter().chain(last) {
        let statement = &statement[..statement.floor_char_boundary(LONG)];
        let line = format!("  {place}: {statement}");
        push(out, line.trim_end_matches([':', ' ']));
        shown += 1 + usize::from(!statement.is_empty());
    }
    for line in message.iter().take(if told { MESSAGE } else { 1 }) {
        let end = line.floor_char_boundary(LONG);
        let line = format!("E {}{}", &line[..end], if end < line.len() { "…" } else { "" });
        push(out, line.trim_end());
        shown += 1;
    }
    let lines = failure.parts.iter().map(|part| match part {
        Part::Line(line) => mark(line).unwrap_or(1),
        Part::Frame(_) => 1,
    });
    Some(lines.sum::<usize>().saturating_sub(shown))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::super::pytest::pytest;
    use crate::{FilterSet, shorten_within};

    /// A report with 40 failures, each behind the same frames of pytest and pluggy.
    fn report(of_libraries: &str) -> String {
        let mut text = format!("{:=^80}\n", " FAILURES ");
        for n in 0..40 {
            let _ =
                writeln!(text, "{:_^80}\nTraceback (most recent call last):", format!(" test_total_{n} "));
            text.push_str(of_libraries);
            let _ = writeln!(
                text,
                "  File \"/srv/shop/tests/test_cart.py\", line {}, in test_total_{n}\n    assert total([{n}]) == 1\n  File \"/srv/shop/cart.py\", line 7, in total\n    return add(prices)\nKeyError: 'price {n}'\n  \n  - 1\n  + {n}",
                n + 100
            );
        }
        let _ = writeln!(text, "{:=^80}", " short test summary info ");
        for n in 0..40 {
            let _ = writeln!(text, "FAILED tests/test_cart.py::test_total_{n} - KeyErro...");
        }
        text + &format!("{:=^80}\n", " 40 failed in 0.42s ")
    }

    fn frames() -> String {
        let frame = |n: usize| {
            format!(
                "  File \"/venv/lib/python3.11/site-packages/pluggy/_execution.py\", line {n}, in _multicall\n    raise exception\n"
            )
        };
        (0..30).map(frame).collect()
    }

    #[test]
    fn own_frames_and_messages_stay_where_a_native_trace_does_not_fit() {
        let (short, _) = pytest(&report(&frames()), 10_000).unwrap();
        assert!(short.len() <= 10_000, "{}", short.len());
        for n in 0..40 {
            let place = format!(
                "  File \"/srv/shop/tests/test_cart.py\", line {}, in test_total_{n}: assert total([{n}]) == 1\n",
                n + 100
            );
            let ended = "  File \"/srv/shop/cart.py\", line 7, in total: return add(prices)\n";
            assert!(short.contains(&format!("{place}{ended}E KeyError: 'price {n}'\n")), "{n}: {short}");
        }
        assert!(!short.contains("pluggy"), "{short}");
    }

    /// Before this step the filter folds frames of libraries: a mark isn't a message, and its lines count.
    #[test]
    fn folded_frames_of_libraries_are_not_a_message() {
        let folded = report(
            "… 57 more lines of library frames\n    raise exception\n  File \"/venv/lib/python3.11/site-packages/pluggy/_execution.py\", line 29, in _multicall\n    raise exception\n",
        );
        assert_eq!(pytest(&folded, 10_000), pytest(&report(&frames()), 10_000));
        let set = FilterSet::builtin();
        let text = report(&frames());
        let short = shorten_within(&set, "pytest --tb=native", Some(1), &text, 10_000).unwrap().text;
        assert!(!short.contains("E …") && !short.contains("pluggy"), "{short}");
        assert!((0..40).all(|n| short.contains(&format!("\nE KeyError: 'price {n}'\n"))), "{short}");
        // A test may print what looks like a mark.
        let printed = report("… 18446744073709551615 more lines\n    raise exception\n");
        assert!(pytest(&printed, 5_000).is_some());
    }
}
