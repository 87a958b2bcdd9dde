//! Failures of pytest without a frame, as plugins report them: texts of any length. Owns what is shown of one where not all
//! fits.

use super::pytest_report::{Failure, Part, push};
use crate::clip::clipped;

/// How much of a line is shown, in bytes.
const MOST: usize = 600;

/// Writes the first and the last line if `ends`: what went wrong, and what to do. Says how many aren't shown.
pub(super) fn write(failure: &Failure<'_>, ends: bool, out: &mut String) -> usize {
    let texts = failure.parts.iter().filter_map(|part| match part {
        Part::Line(line) if !line.trim().is_empty() => Some(*line),
        _ => None,
    });
    let texts: Vec<&str> = texts.collect();
    let shown = match texts.as_slice() {
        [first, .., last] if ends => vec![first, last],
        [only] if ends => vec![only],
        _ => Vec::new(),
    };
    for line in &shown {
        push(out, &clipped(line, MOST));
    }
    texts.len() - shown.len()
}

#[cfg(test)]
mod tests {
    use super::super::pytest::pytest;

    /// pytest-xdist's workers that collect tests in another order: a thousand names, and none is a frame.
    #[test]
    fn lines_of_a_failure_without_a_frame_are_counted_as_what_they_are() {
        let names = |sign: char| {
            let name = move |nth| format!("{sign}tests/test_formatter.py::TestToken::test_zone[{nth}]\n");
            (0..300).map(name).collect::<String>()
        };
        let text = format!(
            "bringing up nodes...\n\n==================================== ERRORS \
             ====================================\n_____________________________ ERROR collecting gw1 \
             _____________________________\nDifferent tests were collected between gw0 and gw1. The difference \
             is:\n--- gw0\n\n+++ gw1\n\n@@ -8,605 +8,605 @@\n\n{}{}To see why this happens see 'Known limitations' in \
             documentation for pytest-xdist\n=========================== short test summary info \
             ============================\nERROR gw1 - Different tests were collected between gw0 and gw1. The \
             differenc...\n2 warnings, 1 error in 45.15s\n",
            names('+'),
            names('-')
        );
        let (short, _) = pytest(&text, 2_000).unwrap();
        for fact in [
            "Different tests were collected between gw0 and gw1. The difference is:\nTo see why this happens",
            "… 603 lines of errors without a frame not shown",
            "1 error in 45.15s",
        ] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        assert!(!short.contains("library frames") && short.len() < 1_000, "{short}");
    }
}
