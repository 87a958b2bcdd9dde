//! GoogleTest's report, and those of runners that print as it does: a passed test is dropped with its output, a
//! failed one is below its verdict, and the totals stay.

use std::collections::HashSet;

use super::failed_tests::{Failed, list};
use super::pytest_report::push;
use crate::diagnostics::place;
use crate::{Left, normal};

const RUN: &str = "[ RUN      ] ";
const OK: &str = "[       OK ] ";
const FAILED: &str = "[  FAILED  ] ";
const SKIPPED: &str = "[  SKIPPED ] ";

/// A name that is longer than this with its value is shown without it, in bytes.
const VALUE: usize = 160;

/// A failed test, with its output.
struct Failure<'t> {
    /// Its name in the verdict, with its time.
    verdict: &'t str,
    below: Vec<&'t str>,
}

/// Whether the report may begin with `line`.
pub(crate) fn begins(line: &str) -> bool {
    line.starts_with("[==========] ") || line.starts_with(RUN)
}

/// The report `text` in about `room` bytes; `None` where none of its tests has a verdict.
pub(crate) fn gtest(text: &str, room: usize) -> Option<Left> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let mut failures: Vec<Failure<'_>> = Vec::new();
    let (mut before, mut behind, mut skipped) = (String::new(), String::new(), String::new());
    let (mut passed, mut printed, mut at) = (0, 0, 0);
    while let Some(line) = lines.get(at) {
        at += 1;
        let Some(name) = line.strip_prefix(RUN) else {
            let out = if passed + failures.len() == 0 { &mut before } else { &mut behind };
            if !is_frame(line) {
                push(out, line);
            }
            continue;
        };
        let verdict = |line: &str| {
            [OK, FAILED, SKIPPED].iter().any(|verdict| {
                line.strip_prefix(verdict)
                    .and_then(|rest| rest.strip_prefix(name))
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',', '.']))
            })
        };
        let end = lines[at..].iter().position(|line| verdict(line) || line.starts_with(RUN));
        let Some(end) = end.map(|end| at + end).filter(|end| verdict(lines[*end])) else {
            // It never ended: a crash.
            push(&mut behind, line);
            continue;
        };
        let below = &lines[at..end];
        if lines[end].starts_with(FAILED) {
            failures.push(Failure { verdict: lines[end], below: below.to_vec() });
        } else if lines[end].starts_with(SKIPPED) {
            push(&mut skipped, lines[end]);
            below.iter().for_each(|line| push(&mut skipped, line));
        } else {
            passed += 1;
            printed += below.len();
        }
        at = end + 1;
    }
    if passed + failures.len() == 0 {
        return None;
    }
    let mut counts = Vec::new();
    counts.extend((passed > 0).then_some(("tests passed", passed)));
    counts.extend((printed > 0).then_some(("lines that they printed", printed)));
    let mut out = before.clone() + &skipped;
    for failure in &failures {
        push(&mut out, failure.verdict);
        failure.below.iter().for_each(|line| push(&mut out, line));
    }
    if out.len() + behind.len() > room && failures.len() > 1 {
        let failed: Vec<Failed<'_>> = failures.iter().flat_map(Failure::in_a_list).collect();
        let totals = without_names(&behind, &failures);
        let rest = before.len() + skipped.len() + totals.len();
        if let Some(rows) = room.checked_sub(rest).and_then(|room| list(&failed, room)) {
            // The lines at a place and below it are in the list, or marked there as cut.
            let above: usize =
                failures.iter().map(|failure| failure.places().first().copied().unwrap_or(0)).sum();
            counts.extend((above > 0).then_some(("lines that failed tests printed", above)));
            return Some((before + &skipped + &rows + &totals, counts));
        }
    }
    Some((out + &behind, counts))
}

/// A line that only says which suite begins or ends.
fn is_frame(line: &str) -> bool {
    line.starts_with("[----------] ") || line.trim().is_empty()
}

/// `/w/cart_test.cc:12: Failure`, `cart_test.cc(12): error: Value of: x`, or the same of an exception, which has no place. What has
/// `error:` behind colons is a compiler's that the test runs.
fn fails_at(line: &str) -> bool {
    if let Some(rest) = line.strip_prefix("unknown file: ") {
        return rest == "Failure" || rest.starts_with("error: ");
    }
    if line.ends_with(": Failure") {
        return place(line).is_some_and(|found| found.rest == "Failure");
    }
    line.contains("): error: ")
        && place(line).is_some_and(|found| {
            found.rest.starts_with("error: ") && line.as_bytes().get(found.file.len()) == Some(&b'(')
        })
}

/// The totals without the names that the list above them has.
fn without_names(behind: &str, failures: &[Failure<'_>]) -> String {
    let names: HashSet<&str> = failures.iter().map(Failure::name).collect();
    let mut out = String::new();
    for line in behind.lines() {
        let name = line.strip_prefix(FAILED).map(|rest| rest.split(", where ").next().unwrap_or(rest));
        if name.is_none_or(|name| !names.contains(name)) {
            push(&mut out, line);
        }
    }
    out
}

impl<'t> Failure<'t> {
    /// `Suite.Test`, without the time and the values of its parameters.
    fn name(&self) -> &'t str {
        let name = self.verdict.strip_prefix(FAILED).unwrap_or(self.verdict);
        let name = name.rsplit_once(" (").map_or(name, |(name, _)| name);
        name.split(", where ").next().unwrap_or(name)
    }

    /// `Suite.Test/0, where GetParam() = 3`, which is shown if there is room; empty for a test without a value, and
    /// for a long one.
    fn name_and_value(&self) -> &'t str {
        let name = self.verdict.strip_prefix(FAILED).unwrap_or(self.verdict);
        let timed = name.rsplit_once(" (").filter(|(_, time)| time.ends_with(" ms)"));
        let name = timed.map_or(name, |(name, _)| name);
        if name.contains(", where ") && name.len() <= VALUE { name } else { "" }
    }

    /// Its lines with the places where it failed.
    fn places(&self) -> Vec<usize> {
        let all: Vec<usize> = (0..self.below.len()).filter(|at| fails_at(self.below[*at])).collect();
        if all.iter().any(|at| place(self.below[*at]).is_some()) {
            return all;
        }
        self.below.iter().position(|line| place(line.trim()).is_some()).into_iter().collect()
    }

    /// Its text at each of these places; without one, all its text.
    fn in_a_list(&self) -> Vec<Failed<'t>> {
        let places = self.places();
        if places.is_empty() {
            return vec![self.failed(&self.below)];
        }
        let ends = places.iter().skip(1).copied().chain([self.below.len()]);
        places.iter().zip(ends).map(|(from, end)| self.failed(&self.below[*from..end])).collect()
    }

    /// Its text in these lines, of which the first may have a place.
    fn failed(&self, lines: &[&'t str]) -> Failed<'t> {
        let first = lines.iter().map(|line| line.trim()).find(|line| !line.is_empty()).unwrap_or_default();
        let first = first.strip_prefix("file://").unwrap_or(first);
        let (file, at_line, message) = match place(first) {
            Some(found) => {
                let rest = first.get(found.file.len() + 1..).unwrap_or_default();
                let at_line = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
                (found.file, at_line, found.rest)
            }
            None => ("", "", first),
        };
        // The message: after the place on its line, and the lines below it.
        let mut wording = String::new();
        for (nth, line) in lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).enumerate() {
            let line = if nth == 0 { message } else { line };
            if matches!(line, "" | "Failure") {
                continue;
            }
            if !wording.is_empty() {
                wording.push_str("; ");
            }
            wording.push_str(line);
        }
        Failed {
            file,
            at: at_line,
            name: self.name(),
            id: self.name_and_value(),
            wording,
            ..Failed::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::gtest;

    const HEAD: &str = "[==========] Running 3 tests from 1 test suite.\n[----------] 3 tests from Cart\n";
    const FOOT: &str = "[----------] 3 tests from Cart (4 ms total)\n\n[==========] 3 tests from 1 test suite ran. (4 ms total)\n[  PASSED  ] 2 tests.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Cart.Rounds\n\n 1 FAILED TEST\n";

    #[test]
    fn a_failed_test_is_below_its_verdict_and_totals_stay() {
        let text = format!(
            "{HEAD}[ RUN      ] Cart.Adds\nerror: no bank\n[       OK ] Cart.Adds (0 ms)\n[ RUN      ] Cart.Rounds\n/w/cart_test.cc:12: Failure\nExpected equality of these values:\n  total\n    Which is: 3\n  4\n[  FAILED  ] Cart.Rounds (1 ms)\n[ RUN      ] Cart.Stops\n[       OK ] Cart.Stops (0 ms)\n{FOOT}"
        );
        let (short, counts) = gtest(&text, 9_000).unwrap();
        assert_eq!(
            short,
            "[==========] Running 3 tests from 1 test suite.\n[  FAILED  ] Cart.Rounds (1 ms)\n/w/cart_test.cc:12: Failure\nExpected equality of these values:\n  total\n    Which is: 3\n  4\n[==========] 3 tests from 1 test suite ran. (4 ms total)\n[  PASSED  ] 2 tests.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Cart.Rounds\n 1 FAILED TEST\n"
        );
        assert_eq!(counts, [("tests passed", 2), ("lines that they printed", 1)]);
    }

    #[test]
    fn a_test_that_crashed_is_named() {
        let (short, _) = gtest(&format!("{HEAD}[ RUN      ] Cart.Adds\n[       OK ] Cart.Adds (0 ms)\n[ RUN      ] Cart.Rounds\nSegmentation fault\n"), 9_000).unwrap();
        assert!(short.ends_with("[ RUN      ] Cart.Rounds\nSegmentation fault\n"), "{short}");
    }

    #[test]
    fn a_place_after_non_ascii_letters_is_read_without_a_panic() {
        let failed =
            |n: u32| format!("[ RUN      ] Cart.T{n}\néééé (a.cc:{n}:1): ü\n[  FAILED  ] Cart.T{n} (0 ms)\n");
        let text: String = (1..200).map(failed).collect();
        let (short, _) = gtest(&text, 3_000).unwrap();
        assert!(short.contains("Cart.T1"), "{short}");
    }

    #[test]
    fn each_of_many_failures_keeps_its_place() {
        let mut text = HEAD.to_owned();
        for n in 1..80 {
            text += &format!(
                "[ RUN      ] Cart.T{n}\n/w/cart_test.cc:{n}: Failure\nValue of: f({n})\n  Actual: false\nExpected: true\n[  FAILED  ] Cart.T{n} (0 ms)\n"
            );
        }
        text += "[==========] 79 tests from 1 test suite ran. (4 ms total)\n[  PASSED  ] 0 tests.\n[  FAILED  ] 79 tests, listed below:\n";
        for n in 1..80 {
            text += &format!("[  FAILED  ] Cart.T{n}\n");
        }
        let (short, counts) = gtest(&text, 4_000).unwrap();
        assert!(counts.is_empty(), "{counts:?}");
        assert!(short.len() <= 4_000 && (1..80).all(|n| short.contains(&format!("Cart.T{n}"))), "{short}");
        assert!(short.contains("79 tests, listed below"), "{short}");
        // A test's output above its place isn't in the list.
        let place = "/w/cart_test.cc:7: Failure";
        let text = text.replace(place, &format!("loading the till\n{place}"));
        let (short, counts) = gtest(&text, 4_000).unwrap();
        assert!(short.contains("Cart.T7"), "{short}");
        assert_eq!(counts, [("lines that failed tests printed", 1)]);
    }

    /// The place in a trace belongs to the text above it.
    #[test]
    fn a_test_that_fails_at_several_places_keeps_each() {
        let one = |n: usize| {
            format!(
                "[ RUN      ] Cart.T{n}\n/w/cart_test.cc:{n}1: Failure\nExpected equality of these values:\n  total({n})\n    Which is: {n}\n  4\nthe till of the shop has other coins than the cart needs, and nobody counted them\n\n/w/cart_test.cc:{n}2: Failure\nValue of: empty({n})\n  Actual: false\nExpected: true\nGoogle Test trace:\n/w/cart_test.cc:7: in the loop\n\nunknown file: Failure\nC++ exception with description \"no bank\" thrown in the test body.\n\n[  FAILED  ] Cart.T{n} (0 ms)\n"
            )
        };
        let text: String = (100..180).map(one).collect();
        let (short, counts) = gtest(&text, 9_000).unwrap();
        assert!(short.len() <= 9_000 && counts.is_empty(), "{counts:?}: {short}");
        let words: Vec<&str> = short.split_whitespace().collect();
        let all = (100..180).flat_map(|n| [format!("{n}1"), format!("{n}2")]);
        assert!(all.into_iter().all(|place| words.contains(&place.as_str())), "{short}");
        assert!(short.contains("C++ exception with description \"no bank\""), "{short}");
        assert!(!words.contains(&"7"), "{short}");
    }

    /// A compiler's test prints the compiler's messages.
    #[test]
    fn a_printed_error_is_not_a_failures_place() {
        let one = |n: usize| {
            format!(
                "[ RUN      ] Parser.T{n}\ninput.c:3: error: expected a name\nfile:///w/parser_test.cc:{n}: Failure\nValue of: is_empty()\n  Actual: false\nExpected: true\n\n[  FAILED  ] Parser.T{n} (0 ms)\n"
            )
        };
        let text: String = (100..180).map(one).collect();
        let (short, counts) = gtest(&text, 6_000).unwrap();
        assert!(short.contains("\n/w/parser_test.cc\n 100 a Parser.T100\n"), "{short}");
        assert!(!short.contains("input.c"), "{short}");
        assert_eq!(counts, [("lines that failed tests printed", 80)]);
    }

    #[test]
    fn a_parametrized_test_keeps_its_value_where_there_is_room() {
        let one = |n: usize| {
            format!(
                "[ RUN      ] Carts/Cart.T/{n}\n/w/cart_test.cc:7: Failure\nValue of: is_empty()\n  Actual: false\nExpected: true\n\n[  FAILED  ] Carts/Cart.T/{n}, where GetParam() = (tin, 1{n}) (0 ms)\n"
            )
        };
        let text: String = (100..180).map(one).collect();
        let (short, _) = gtest(&text, 6_000).unwrap();
        let (tight, _) = gtest(&text, 3_000).unwrap();
        assert!(
            (100..180).all(|n| short.contains(&format!("Carts/Cart.T/{n}, where GetParam() = (tin, 1{n})")))
        );
        assert!((100..180).all(|n| tight.contains(&format!("Carts/Cart.T/{n}"))), "{tight}");
        assert!(tight.len() <= 3_000 && !tight.contains("GetParam"), "{tight}");
    }

    /// As Microsoft's compiler has places.
    #[test]
    fn bracketed_places_are_not_part_of_the_message() {
        let one = |n: usize| {
            format!(
                "[ RUN      ] Cart.T{n}\nC:\\my shop\\cart_test.cc({n}): error: Value of: is_empty()\n  Actual: false\nExpected: true\n[  FAILED  ] Cart.T{n} (0 ms)\n"
            )
        };
        let text: String = (100..180).map(one).collect();
        let (short, _) = gtest(&text, 4_000).unwrap();
        let message = "  a ×80: error: Value of: is_empty(); Actual: false; Expected: true\nC:\\my shop\\cart_test.cc\n 100 a Cart.T100\n";
        assert!(short.contains(message), "{short}");
    }
}
