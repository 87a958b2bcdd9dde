//! Lines about started Dart tests. Owns which of them matter: those above a test's output, and the one at which a run
//! was stopped.

use super::pytest_report::push;
use crate::Left;
use crate::guard::must_stay;
use crate::normal;

/// Whether `line` says that a test started.
pub(crate) fn begins(line: &str) -> bool {
    outcome(line).is_some_and(is_begin)
}

/// `text` without the started tests that need no line.
pub(crate) fn dart(text: &str) -> Option<Left> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let mut out = String::with_capacity(text.len());
    let mut left = 0;
    for (at, line) in lines.iter().enumerate() {
        // The next line is another test, a failure with the test's name, or the result.
        let goes = begins(line) && lines.get(at + 1).is_some_and(|next| outcome(next).is_some());
        if goes && !must_stay(line) {
            left += 1;
        } else {
            push(&mut out, line);
        }
    }
    (left > 0).then(|| (out, vec![("lines of tests that began", left)]))
}

/// The text after the time and the counts of `00:02 +16 ~1 -2: test/till_test.dart: Till opens`.
fn outcome(line: &str) -> Option<&str> {
    let (time, rest) = line.split_at_checked(6)?;
    let time = time.as_bytes();
    let is_time =
        time[2] == b':' && time[5] == b' ' && [0_usize, 1, 3, 4].iter().all(|at| time[*at].is_ascii_digit());
    let (counts, outcome) = rest.split_once(": ")?;
    let is_count = |count: &str| {
        let figures = count.strip_prefix(['+', '~', '-']).unwrap_or_default();
        !figures.is_empty() && figures.bytes().all(|byte| byte.is_ascii_digit())
    };
    (is_time && counts.starts_with('+') && counts.split(' ').all(is_count)).then_some(outcome)
}

/// `test/till_test.dart: Till opens`, `loading test/till_test.dart`, `(setUpAll)`.
fn is_begin(outcome: &str) -> bool {
    let named = outcome.strip_prefix("loading ").unwrap_or(outcome);
    let file = named.split(' ').next().unwrap_or_default();
    matches!(named, "(setUpAll)" | "(tearDownAll)")
        || !named.ends_with("[E]") && (file.ends_with(".dart:") || file == named && file.ends_with(".dart"))
}

#[cfg(test)]
mod tests {
    use super::dart;

    #[test]
    fn a_tests_output_and_where_the_run_stopped_stay() {
        let text = "00:00 +0: loading test/a_test.dart\n00:00 +0: test/a_test.dart: adds\n00:00 +1: test/a_test.dart: prints\nthree jars\n00:00 +2 ~1: test/a_test.dart: sums\n00:00 +2 ~1 -1: test/a_test.dart: sums [E]\n  Expected: <3>\n00:01 +2 ~1 -1: (tearDownAll)\n00:01 +2 ~1 -1: test/b_test.dart: waits\n";
        let (short, left) = dart(text).unwrap();
        assert_eq!(
            short,
            "00:00 +1: test/a_test.dart: prints\nthree jars\n00:00 +2 ~1 -1: test/a_test.dart: sums [E]\n  Expected: <3>\n00:01 +2 ~1 -1: test/b_test.dart: waits\n"
        );
        assert_eq!(left, [("lines of tests that began", 4)]);
        // Other lines with a time.
        for text in
            ["00:00 +0: Some tests failed.\n", "00:00 -1: a.dart\n00:00 +x: a.dart\n", "00:0ä +1: a\n", ""]
        {
            assert_eq!(dart(&text.repeat(2)), None, "{text}");
        }
    }
}
