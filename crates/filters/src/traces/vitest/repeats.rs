//! The lines that Vitest prints about a failure as its file ends, which come again below. Owns how they look.

use super::super::pytest_report::push;
use super::{begins, is_heading, runs};
use crate::guard::has_words;
use crate::{Left, normal};

/// The report `text` without the lines above its failures that these have in one line; `None` where there are none.
pub(super) fn without_repeats(text: &str) -> Option<Left> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let from = lines.iter().position(|line| is_heading(line))?;
    let first = from + lines[from..].iter().position(|line| begins(line))?;
    let (above, failures) = lines.split_at(first);
    // What is above the run may be another tool's.
    let run = *runs(above).last()?;
    let mut out = String::with_capacity(text.len());
    let (mut is_printed, mut comes, mut in_message, mut repeated) = (false, false, false, 0);
    above[..run].iter().for_each(|line| push(&mut out, line));
    for line in &above[run..] {
        is_printed = begins_console(line) || is_printed && !line.is_empty();
        comes = !is_printed && comes_again(line, comes);
        // A message may have several lines.
        let goes_on = in_message && !is_printed && !line.is_empty() && failures.contains(line);
        in_message = comes && begins_message(line) || !comes && goes_on;
        // How many tests of a file failed is nowhere else.
        let is_count = line.contains(" failed") && line.contains('(');
        let is_told = in_message && !comes || failures.iter().any(|failure| has_words(failure, line));
        if (comes || in_message) && !is_count && is_told {
            repeated += 1;
        } else {
            push(&mut out, line);
        }
    }
    failures.iter().for_each(|line| push(&mut out, line));
    (repeated > 0).then(|| (out, vec![("lines repeated below", repeated)]))
}

/// `stdout | src/cart.test.ts > cart > adds up`, below which is what the test printed, up to a blank line.
pub(super) fn begins_console(line: &str) -> bool {
    line.starts_with("stdout | ") || line.starts_with("stderr | ")
}

/// `     → expected 3 to be 4`
fn begins_message(line: &str) -> bool {
    line.trim_start().starts_with("→ ")
}

/// Whether a line above the failures repeats one of them: ` ❯ src/cart.test.ts (5 tests | 1 failed) 22ms`,
/// `   × cart > adds up 9ms`, as older ones write it `   ❯ src/cart.test.ts > cart > adds up`, and below that one
/// `     → expected 3 to be 4`.
pub(super) fn comes_again(line: &str, above_does: bool) -> bool {
    let rest = line.trim_start();
    line.starts_with(' ')
        && (rest.starts_with("× ")
            || above_does && begins_message(line)
            || rest.starts_with("❯ ")
                && (rest.contains(" > ") || rest.contains(" failed") && rest.contains('(')))
}

#[cfg(test)]
mod tests {
    use super::{comes_again, without_repeats};

    /// As versions 1 to 4 print it.
    #[test]
    fn repeated_report_lines_are_distinguished_from_test_output() {
        let mut above = false;
        for (line, comes) in [
            (" ❯ test/odd.test.js  (10 tests | 8 failed) 78ms", true),
            ("   ❯ test/odd.test.js > soft", true),
            ("     → expected 1 to be 2 // Object.is equality", true),
            ("     → expected 3 to be 4 // Object.is equality", true),
            ("second line", false),
            ("  → request 0 to shop 1", false),
            ("   × soft 3ms", true),
            ("     → expected 1 to be 2", true),
            (" ❯ test/broken.test.js (0 test)", false),
        ] {
            above = comes_again(line, above);
            assert_eq!(above, comes, "{line}");
        }
    }

    #[test]
    fn a_message_of_several_lines_goes_with_all_of_them() {
        let run = " RUN  v3.2.7 /home/ana/shop\n\nstdout | test/a.test.ts > hangs\nIf this is slow, wait.\n\n ❯ test/a.test.ts (2 tests | 1 failed) 22ms\n   × hangs 203ms\n";
        let message = "     → Test timed out in 200ms.\nIf this is slow, wait.\n";
        let failures = "another line\n\nFailed Tests 1\n\n FAIL  test/a.test.ts > hangs\nError: Test timed out in 200ms.\nIf this is slow, wait.\n ❯ test/a.test.ts:9:3\n";
        let (short, left) = without_repeats(&format!("{run}{message}{failures}")).unwrap();
        assert_eq!(short, format!("{run}{failures}"));
        assert_eq!(left, [("lines repeated below", 2)]);
    }
}
