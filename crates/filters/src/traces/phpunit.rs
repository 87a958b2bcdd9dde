//! PHPUnit's errors and failures if they don't fit the budget: a list of the tests by file, with each message once.
//! Data sets of one test with the same message share a row.

use super::failed_tests::{Failed, list};
use super::pytest_report::push;
use crate::cap::ends_of;
use crate::counted::counted;
use crate::{Left, normal};

/// Fewer failures are easier to read as they are.
const FEW: usize = 8;
/// The line above an exception that led to the one above.
const CAUSE: &str = "Caused by";

/// Whether a list of failures may begin with `line`: `There were 3 errors:`, `There was 1 risky test:`.
pub(crate) fn begins(line: &str) -> bool {
    let rest = line.strip_prefix("There were ").or_else(|| line.strip_prefix("There was "));
    rest.is_some_and(is_counted)
}

/// `3 errors:`
fn is_counted(rest: &str) -> bool {
    rest.strip_suffix(':').is_some_and(|rest| {
        let (count, what) = rest.split_once(' ').unwrap_or_default();
        !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()) && !what.contains(':')
    })
}

/// Whether a part of the report begins with `line`, as newer ones also have for what isn't the test's own: `2 tests triggered 3
/// deprecations:`.
fn is_heading(line: &str) -> bool {
    begins(line) || line.contains(" triggered ") && is_counted(line)
}

/// Whether the heading is that of tests that failed: those that were skipped, are incomplete or risky didn't.
fn is_of_failures(heading: &str) -> bool {
    let words = heading.trim_end_matches(':');
    ["error", "errors", "failure", "failures"].iter().any(|what| words.ends_with(what))
        && !heading.contains(" triggered ")
}

/// Where the failures of each of several runs begin.
pub(crate) fn runs(lines: &[&str]) -> Vec<usize> {
    let mut all = Vec::new();
    let mut has_ended = true;
    for (at, line) in lines.iter().enumerate() {
        if !begins(line) {
            has_ended |= is_end(line);
        } else if std::mem::take(&mut has_ended) {
            all.push(at);
        }
    }
    all
}

/// The line above a run's totals.
fn is_end(line: &str) -> bool {
    matches!(line, "FAILURES!" | "ERRORS!" | "WARNINGS!") || line.starts_with("OK, but")
}

/// The report `text` in about `room` bytes.
pub(crate) fn phpunit(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room {
        return None;
    }
    let lines: Vec<&str> = normal::lines(text).collect();
    let first = lines.iter().position(|line| begins(line))?;
    // An earlier run without failures may have ended like that, too.
    let end = first + lines[first..].iter().position(|line| is_end(line))?;
    let mut failed: Vec<Test<'_>> = Vec::new();
    let (mut headings, mut others) = (String::new(), String::new());
    // How many tests the part has so far, which are numbered below blank lines; a message may count as well.
    let (mut fails, mut count) = (true, 0);
    let mut is_below_blank = true;
    for line in &lines[first..end] {
        let name = numbered(line, count + 1).filter(|_| is_below_blank);
        if is_below_blank && is_heading(line) {
            (fails, count) = (is_of_failures(line), 0);
            push(if fails { &mut headings } else { &mut others }, line);
        } else if !fails {
            if !line.is_empty() && *line != "--" {
                push(&mut others, line);
            }
        } else if let Some(name) = name {
            count += 1;
            failed.push(Test { name, lines: Vec::new() });
        } else if let (Some(test), false) = (failed.last_mut(), *line == "--") {
            test.lines.push(line);
        }
        is_below_blank = line.is_empty();
    }
    if failed.len() < FEW {
        return None;
    }
    let left = failed.iter().flat_map(|test| &test.lines).filter(|line| !line.trim().is_empty()).count();
    let failed: Vec<Failed<'_>> = failed.iter().map(Test::in_a_list).collect();
    let texts = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let before = ends_of(&texts(&lines[..first]), room / 8) + &headings;
    let behind = format!(
        "… {} of failures not shown\n{}{}",
        counted(left, "lines"),
        ends_of(&others, room / 4),
        ends_of(&texts(&lines[end..]), room / 6)
    );
    let list = list(&failed, room.checked_sub(before.len() + behind.len())?)?;
    Some((format!("{before}{list}{behind}"), Vec::new()))
}

/// A test with the report's text about it.
struct Test<'t> {
    name: &'t str,
    lines: Vec<&'t str>,
}

/// The name after `12) `, if that is the number.
fn numbered(line: &str, number: usize) -> Option<&str> {
    let (digits, name) = line.split_once(") ")?;
    (digits.parse::<usize>() == Ok(number) && !name.is_empty()).then_some(name)
}

impl<'t> Test<'t> {
    fn in_a_list(&self) -> Failed<'t> {
        // The original exception comes after the test's own frames.
        let cause = self.lines.iter().position(|line| line.trim() == CAUSE).unwrap_or(self.lines.len());
        let (own, causes) = self.lines.split_at(cause);
        // The last place is the test's own.
        let place = own.iter().rev().find_map(|line| {
            let (file, at) = line.trim().rsplit_once(':')?;
            (file.contains(['/', '\\']) && !at.is_empty() && at.bytes().all(|b| b.is_ascii_digit()))
                .then_some((file, at))
        });
        let (file, at) = place.unwrap_or_default();
        let message = own.iter().map(|line| line.trim()).skip_while(|line| line.is_empty());
        let mut wording: Vec<&str> = message.take_while(|line| !line.is_empty()).take(2).collect();
        let last = causes.iter().rposition(|line| line.trim() == CAUSE);
        if let Some(message) = last.and_then(|at| causes.get(at + 1)) {
            wording.extend([CAUSE, message.trim()]);
        }
        Failed { file, at, name: self.name, wording: wording.join(" "), ..Failed::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::phpunit;

    /// As PHPUnit 9.6 printed it: messages that count, causes, and tests that were skipped or are risky, which didn't fail.
    #[test]
    fn a_real_report_keeps_failures_and_the_rest_of_the_report() {
        let text = include_str!("../../tests/fixtures/runs/phpunit-odd.txt");
        let (short, _) = phpunit(text, 3_500).unwrap();
        assert!(short.len() <= 3_500, "{}: {short}", short.len());
        let (list, rest) = short.split_once(" of failures not shown\n").unwrap_or_else(|| panic!("{short}"));
        for fact in [
            "There were 6 errors:",
            "There were 14 failures:",
            "RuntimeException: outer Caused by LogicException: inner",
            "Violations: 1) Shop uses Till",
            " 16 ",
            " 18 ",
        ] {
            assert!(list.contains(fact), "{fact}: {short}");
        }
        for fact in ["testSkip", "testTodo", "testRisky", "uses Shop\n"] {
            assert!(!list.contains(fact), "{fact}: {short}");
        }
        for fact in ["There were 2 skipped tests:", "1) CartTest::testSkip", "not written yet", "Skipped: 2,"]
        {
            assert!(rest.contains(fact), "{fact}: {short}");
        }
    }

    /// Newer versions report issues that the code under test triggered in separate parts.
    #[test]
    fn a_triggered_issue_isnt_a_failed_test() {
        let mut text = String::from(
            "PHPUnit 11.5.2 by Sebastian Bergmann and contributors.\n\nThere were 20 failures:\n\n",
        );
        for n in 1..=20 {
            text += &format!(
                "{n}) Shop\\CartTest::testTotal{n}\nFailed asserting that 8 is identical to 9.\n\n/home/ana/shop/test/CartTest.php:{n}6\n\n"
            );
        }
        text += "--\n\n1 test triggered 1 PHP warning:\n\n1) /home/ana/shop/src/Cart.php:12\nUndefined variable $rate\n\nTriggered by:\n\n* Shop\\CartTest::testRate\n  /home/ana/shop/test/CartTest.php:90\n\nFAILURES!\nTests: 80, Assertions: 90, Failures: 20, Warnings: 1.\n";
        let (short, _) = phpunit(&text, 2_000).unwrap();
        let (list, rest) = short.split_once(" of failures not shown\n").unwrap_or_else(|| panic!("{short}"));
        assert!((1..=20).all(|n| list.contains(&format!(" {n}6 "))) && !list.contains("Cart.php"), "{short}");
        for fact in ["1 test triggered 1 PHP warning:", "src/Cart.php:12", "Undefined variable $rate"] {
            assert!(rest.contains(fact), "{fact}: {short}");
        }
    }

    #[test]
    fn too_many_are_a_list() {
        let mut text = String::from(
            "PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n\nEEEE\n\nThere were 60 errors:\n\n",
        );
        for n in 1..=60 {
            text += &format!(
                "{n}) Shop\\CartTest::testTotal with data set #{n} ('a long value that says little', {n}, false)\nTypeError: assertContains(): Argument #2 must be of type array\n\n/home/ana/shop/src/Cart.php:{n}\n/home/ana/shop/test/CartTest.php:26\n\n"
            );
        }
        text += "--\n\nThere was 1 failure:\n\n1) Shop\\OrderTest::testCode\nFailed asserting that 8 is identical to 9.\n\n/home/ana/shop/test/OrderTest.php:16\n\nERRORS!\nTests: 80, Assertions: 70, Errors: 60, Failures: 1.\n";
        let (short, _) = phpunit(&text, 6_000).unwrap();
        assert!(short.len() <= 6_000, "{}", short.len());
        for fact in [
            "There were 60 errors:",
            "There was 1 failure:",
            "×60: TypeError: assertContains(): Argument #2 must be of type array",
            "/home/ana/shop/test/CartTest.php",
            "OrderTest::testCode",
            "8 is identical to 9",
            "Tests: 80, Assertions: 70",
        ] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        assert_eq!(phpunit(&text, 90_000), None);
    }
}
