//! Tests of unittest that failed with the same trace, as all tests of a class do whose `setUp` fails: their headings are put
//! above one trace. Owns the form of these blocks.

use std::collections::HashMap;

use super::pytest_report::push;
use crate::{Left, normal};

/// The rulers above and below a heading, as the filter's rules leave them.
const ABOVE: &str = "=====";
const BELOW: &str = "-----";

/// A failure: the lines of its heading, and all that is below it up to the next one's or the run's end.
struct Failure<'l, 't> {
    heading: Vec<&'t str>,
    trace: &'l [&'t str],
}

/// Whether a failure or a test with a docstring may begin with `line`.
pub(crate) fn begins_any(line: &str) -> bool {
    begins(line) || is_name(line)
}

/// Whether a failure may begin with `line`.
fn begins(line: &str) -> bool {
    is_ruler(line, ABOVE)
}

/// `test_pay (shop.PayTests.test_pay)`: in a verbose run the name of a test whose docstring is in the next line.
fn is_name(line: &str) -> bool {
    let Some((test, path)) = line.split_once(" (") else { return false };
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    test.starts_with("test")
        && test.chars().all(|c| is_word(c) && c != '.')
        && path.strip_suffix(')').is_some_and(|path| !path.is_empty() && path.chars().all(is_word))
}

/// The lines without the names of tests that passed, whose docstrings the rules left out, and of those that failed, which are
/// headings below.
fn without_passed_names<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let named_elsewhere = |next: Option<&&str>| {
        next.is_none_or(|next| {
            is_name(next)
                || !next.contains(" ... ")
                || next.ends_with(" ... FAIL")
                || next.ends_with(" ... ERROR")
        })
    };
    let stays = |(at, line): &(usize, &&str)| !is_name(line) || !named_elsewhere(lines.get(at + 1));
    lines.iter().enumerate().filter(stays).map(|(_, line)| *line).collect()
}

fn is_ruler(line: &str, shortest: &str) -> bool {
    line.starts_with(shortest) && line.chars().all(|c| shortest.starts_with(c))
}

/// The report `text` with each trace of a run once; `None` if none is there twice.
pub(crate) fn unittest(text: &str) -> Option<Left> {
    let all: Vec<&str> = normal::lines(text).collect();
    let lines = without_passed_names(&all);
    let mut any = lines.len() < all.len();
    let mut out = String::with_capacity(text.len());
    // The failures of a run in a row, and where each trace is among them.
    let mut failures: Vec<Failure<'_, '_>> = Vec::new();
    let mut known: HashMap<&[&str], usize> = HashMap::new();
    let mut at = 0;
    while at < lines.len() {
        let Some(failure) = failure_at(&lines, at) else {
            failures.drain(..).for_each(|failure| write(&failure, &mut out));
            known.clear();
            push(&mut out, lines[at]);
            at += 1;
            continue;
        };
        // Both rulers are lines of their own.
        at += failure.heading.len() + failure.trace.len() + 2;
        match known.get(failure.trace) {
            Some(first) => {
                failures[*first].heading.extend(failure.heading);
                any = true;
            }
            None => {
                known.insert(failure.trace, failures.len());
                failures.push(failure);
            }
        }
    }
    failures.drain(..).for_each(|failure| write(&failure, &mut out));
    any.then(|| (out, Vec::new()))
}

/// The failure whose upper ruler is the line `at`.
fn failure_at<'l, 't>(lines: &'l [&'t str], at: usize) -> Option<Failure<'l, 't>> {
    if !is_headed(lines.get(at..)?, &["ERROR: ", "FAIL: "]) {
        return None;
    }
    let below = lines.get(at + 1..)?;
    let ruler = below.iter().position(|line| begins(line) || is_ruler(line, BELOW))?;
    let (heading, rest) = (&below[..ruler], &below[ruler..]);
    let (_, rest) = rest.split_first().filter(|(line, _)| is_ruler(line, BELOW))?;
    let end = (0..rest.len()).find(|at| ends(&rest[*at..])).unwrap_or(rest.len());
    let trace = &rest[..end];
    let says = trace.iter().any(|line| !line.trim().is_empty());
    says.then(|| Failure { heading: heading.to_vec(), trace })
}

/// Whether a ruler and a heading that begins with one of `words` come next.
fn is_headed(lines: &[&str], words: &[&str]) -> bool {
    matches!(lines, [ruler, heading, ..] if begins(ruler) && words.iter().any(|word| heading.starts_with(word)))
}

/// Whether what comes next ends a trace. What a test prints below its trace, or an error's message, may have rulers, too.
fn ends(lines: &[&str]) -> bool {
    is_headed(lines, &["ERROR: ", "FAIL: ", "UNEXPECTED SUCCESS: "])
        || matches!(lines, [ruler, sum, ..] if is_ruler(ruler, BELOW) && sum.starts_with("Ran "))
}

fn write(failure: &Failure<'_, '_>, out: &mut String) {
    push(out, ABOVE);
    failure.heading.iter().for_each(|line| push(out, line));
    push(out, BELOW);
    failure.trace.iter().for_each(|line| push(out, line));
}

#[cfg(test)]
mod tests {
    use super::{ABOVE, BELOW, unittest};

    fn failed(test: &str, trace: &str) -> String {
        format!("=====\n{test}\n-----\nTraceback (most recent call last):\n{trace}\n\n")
    }

    fn ended(tests: usize) -> String {
        format!("-----\nRan {tests} tests in 0.035s\n\nFAILED (errors={tests})\n")
    }

    #[test]
    fn tests_with_one_trace_are_named_above_it() {
        let (table, total) = ("OperationalError: no such table: orders", "AssertionError: 90 != 100");
        let text = [
            "EEFE\n".to_owned(),
            failed("ERROR: test_pay (shop.PayTests.test_pay)\nPaying takes from stock.", table),
            failed("FAIL: test_total (shop.CartTests.test_total)", total),
            failed("ERROR: test_list (shop.PayTests.test_list)", table),
            failed("ERROR: test_ship (shop.PayTests.test_ship)", table),
            ended(4),
        ]
        .concat();
        let (short, counts) = unittest(&text).unwrap();
        let together = "ERROR: test_pay (shop.PayTests.test_pay)\nPaying takes from stock.\n\
            ERROR: test_list (shop.PayTests.test_list)\nERROR: test_ship (shop.PayTests.test_ship)";
        let expected = [
            "EEFE\n".to_owned(),
            failed(together, table),
            failed("FAIL: test_total (shop.CartTests.test_total)", total),
            ended(4),
        ]
        .concat();
        assert_eq!(short, expected);
        assert!(counts.is_empty());
    }

    #[test]
    fn traces_that_differ_and_those_of_another_run_stay() {
        let one = failed("ERROR: test_a (a.T.test_a)", "KeyError: 'price'") + &ended(1);
        assert_eq!(unittest(&format!("{one}{one}")), None);
        let two = failed("ERROR: test_a (a.T.test_a)", "KeyError: 'price'")
            + &failed("ERROR: test_b (a.T.test_b)", "KeyError: 'count'");
        assert_eq!(unittest(&(two + &ended(2))), None);
        // Rulers around something else.
        assert_eq!(unittest("=====\nsizes\n-----\n12\n=====\nsizes\n-----\n12\n"), None);
        assert_eq!(unittest("=====\n=====\n-----\n"), None);
        assert_eq!(unittest(""), None);
    }

    /// Else what is below a ruler would be read as another test's.
    #[test]
    fn rulers_below_a_trace_belong_to_the_trace() {
        let key = "KeyError: 'price'";
        for ruler in [ABOVE, BELOW] {
            let text = [
                failed("ERROR: test_a (a.T.test_a)", key),
                failed("ERROR: test_b (a.T.test_b)", "ValueError: no such coupon"),
                failed("ERROR: test_c (a.T.test_c)", &format!("{key}\n\n{ruler}\nprices of test_c")),
                ended(3),
            ]
            .concat();
            assert_eq!(unittest(&text), None, "{ruler}");
        }
    }

    /// A docstring doesn't name its test, and no heading below does where it was skipped.
    #[test]
    fn a_test_with_a_docstring_keeps_its_name_where_nothing_else_names_it() {
        let text = "test_fails (a.T.test_fails)\nTwo vans are not one. ... FAIL\ntest_map (a.T.test_map)\n\
            A map is drawn. ... skipped 'no GPU'\ntest_opens (a.T.test_opens)\ntest_trip (a.T.test_trip)\n\
            test_old (a.T.test_old)\nFuel is rounded. ... expected failure\n"
            .to_owned()
            + &ended(4);
        let short = "Two vans are not one. ... FAIL\ntest_map (a.T.test_map)\n\
            A map is drawn. ... skipped 'no GPU'\ntest_old (a.T.test_old)\nFuel is rounded. ... expected failure\n"
            .to_owned()
            + &ended(4);
        assert_eq!(unittest(&text), Some((short, Vec::new())));
    }

    /// A ruler above anything else isn't looked for below.
    #[test]
    fn many_rulers_take_no_longer_than_few() {
        let rows: String = (0..100_000).map(|n| format!("=====\nrow {n}\n")).collect();
        assert_eq!(unittest(&(rows + &ended(1))), None);
        let headings: String = (0..100_000).map(|n| format!("=====\nERROR: row {n}\n")).collect();
        assert_eq!(unittest(&(headings + &ended(1))), None);
    }
}
