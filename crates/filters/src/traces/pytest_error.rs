//! The message of an assertion that failed. Owns which of its lines are shown where not all fit: its beginning, which is
//! the cause, and of a long comparison the lines that differ.

use crate::clip::clipped;

/// How many lines are shown after a message's first words and from its end, and how much of each, in bytes.
const LINES: usize = 4;
const LINE: usize = 120;
/// With room to spare: how many of the lines that differ, and how much of each line.
const DIFFERENCES: usize = 24;
const LONG_LINE: usize = 400;

/// A line of an error without its sign.
pub(super) fn error(line: &str) -> &str {
    let rest = line.strip_prefix('E').unwrap_or(line);
    // A failed test's message is indented like its source.
    rest.strip_prefix("       ").or_else(|| rest.strip_prefix("   ")).unwrap_or(rest)
}

/// The lines of a message after its first words that say most, with more of them if there is `much_room`.
pub(super) fn most_telling(errors: &[&str], much_room: bool) -> Vec<String> {
    let (most, long) = if much_room { (DIFFERENCES, LONG_LINE) } else { (LINES, LINE) };
    let message: Vec<&str> =
        errors.iter().map(|line| error(line)).filter(|line| !line.trim().is_empty()).collect();
    // The cause comes first, what repeats it last; of a long comparison the lines that differ say most.
    let (first, last) = (message.len().min(LINES), message.len().saturating_sub(LINES));
    let mut rest: Vec<&str> =
        message[first..].iter().filter(|line| differs(line)).take(most).copied().collect();
    if rest.is_empty() {
        rest.extend(&message[last.max(first)..]);
    }
    message[..first].iter().chain(&rest).map(|line| clipped(line, long).into_owned()).collect()
}

/// Whether a line of an error is of one side of a comparison, and not where a value comes from: `+  where 3 = total()`.
fn differs(line: &str) -> bool {
    let line = line.trim_start();
    let text = line.strip_prefix("- ").or_else(|| line.strip_prefix("+ ")).map(str::trim_start);
    text.is_some_and(|text| !text.starts_with("where ") && !text.starts_with("and "))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::super::pytest::pytest;

    /// As `pytest -vv` prints it: the first line of a message has both values whole, 18 KB of them.
    #[test]
    fn two_long_values_leave_room_for_where_they_differ() {
        let list = |odd: usize| -> String {
            let rows: Vec<String> = (0..600)
                .map(|n| format!("{{'id': {n}, 'stock': {}}}", if n == odd { 8 } else { n % 7 }))
                .collect();
            format!("[{}]", rows.join(", "))
        };
        let mut text = format!("{:=^80}\n", " FAILURES ");
        for test in ["test_stock", "test_bins"] {
            let heading = format!(" {test} ");
            let _ = writeln!(
                text,
                "{heading:_^80}\n\n    def {test}():\n>       assert table() == want\nE       AssertionError: assert {} == {}",
                list(17),
                list(900)
            );
            let _ = writeln!(
                text,
                "E         \nE         At index 17 diff: {test} 8 != 3\nE         \nE         Full diff:\nE           ["
            );
            for n in 0..600 {
                let other = if n == 17 {
                    "E         -     {'stock': 3},\nE         ?               ^\nE         +     {'stock': 8},\n"
                } else {
                    ""
                };
                let _ = write!(text, "E               {{'id': {n}}},\n{other}");
            }
            let _ = writeln!(text, "E           ]\n\ntests/test_big.py:4: AssertionError");
        }
        let _ = writeln!(text, "{:=^80}", " 2 failed in 0.35s ");
        let (out, _) = pytest(&text, 9_000).unwrap();
        assert!(out.len() <= 9_000 && out.contains(" 2 failed in 0.35s "), "{out}");
        for test in ["test_stock", "test_bins"] {
            assert!(out.contains(&format!("E   At index 17 diff: {test} 8 != 3\n")), "{out}");
        }
        for side in ["-     {'stock': 3},", "+     {'stock': 8},"] {
            assert_eq!(out.matches(side).count(), 2, "{side}: {out}");
        }
        assert_eq!(out.matches("assert [{'id': 0, 'stock': 0}").count(), 2, "{out}");
    }
}
