//! Jest's failures where they are too many for the room: a list of the tests by file, each with its place and what was expected
//! and came. What the closing summary says of them again goes.

use std::fmt::Write as _;

use super::failed_tests::{Failed, list};
use super::pytest_report::push;
use crate::Left;
use crate::cap::ends_of;
use crate::counted::counted;
use crate::diagnostics::place;
use crate::guard::is_foreign;
use crate::normal;

/// Fewer failures are easier to read as they are.
const FEW: usize = 3;
/// Lines of a message, and of a difference, in the list.
const WORDING: usize = 2;
const DIFFERENCE: usize = 4;

const SUMMARY: &str = "Summary of all failing tests";

/// A test that failed, and the file that it's in.
struct Failure<'t> {
    test: &'t str,
    file: &'t str,
    lines: Vec<&'t str>,
}

/// Whether a failure begins with `line`.
pub(crate) fn begins(line: &str) -> bool {
    failed(line).is_some()
}

/// The report `text` in about `room` bytes.
pub(crate) fn jest(text: &str, room: usize) -> Option<Left> {
    // Several runs have a file of one name each.
    let is_total = |line: &&str| line.starts_with("Test Suites: ");
    if text.len() <= room || normal::lines(text).filter(is_total).count() != 1 {
        return None;
    }
    let (mut before, mut behind) = (String::new(), String::new());
    let mut failures: Vec<Failure<'_>> = Vec::new();
    let (mut left, mut file, mut open, mut again) = (0, "", false, false);
    for line in normal::lines(text) {
        if let Some(test) = failed(line) {
            open = true;
            left += 1;
            if !again {
                failures.push(Failure { test, file, lines: Vec::new() });
            }
        } else if open && (line.starts_with("  ") && !is_heading(line) || line.trim().is_empty()) {
            left += usize::from(!line.trim().is_empty());
            if let Some(failure) = failures.last_mut().filter(|_| !again && !line.trim().is_empty()) {
                failure.lines.push(line.trim());
            }
        } else if let Some(named) = file_of(line) {
            (file, open) = (named, false);
            left += 1;
        } else if line.trim_start().starts_with(['✕', '×']) {
            // Which tests failed is in the list.
            left += 1;
        } else {
            open = false;
            again |= line.trim_end() == SUMMARY && !failures.is_empty();
            push(if failures.is_empty() { &mut before } else { &mut behind }, line);
        }
    }
    if failures.len() < FEW {
        return None;
    }
    let tests: Vec<Failed<'_>> = failures.iter().map(Failure::in_a_list).collect();
    let (before, behind) = (ends_of(&before, room / 6), ends_of(&behind, room / 3));
    let mut mark = String::new();
    let _ = writeln!(mark, "… {} of failures not shown", counted(left, "lines"));
    let list = list(&tests, room.checked_sub(before.len() + mark.len() + behind.len())?)?;
    Some((before + &list + &mark + &behind, Vec::new()))
}

/// The test of `  ● Cart › adds up`.
fn failed(line: &str) -> Option<&str> {
    let test = line.strip_prefix("  ● ")?.trim_end();
    (test != "Console" && !test.is_empty()).then_some(test)
}

/// `  ● Console`, which heads what tests printed.
fn is_heading(line: &str) -> bool {
    line.starts_with("  ● ")
}

/// The file of `FAIL web src/cart.test.js (5.2 s)`.
fn file_of(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("FAIL ")?;
    rest.split_whitespace().find(|word| word.contains('.') && !word.starts_with('('))
}

/// Whether a line is of the source around a failure: `> 22 |   expect(total).toBe(3);`.
fn is_source(line: &str) -> bool {
    let line = line.strip_prefix("> ").unwrap_or(line);
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    rest.starts_with("| ") || rest == "|"
}

impl<'t> Failure<'t> {
    fn in_a_list(&self) -> Failed<'t> {
        let frames = || self.lines.iter().filter_map(|line| frame(line));
        let own = frames().find(|(file, _)| *file == self.file);
        let (file, at) = own.or_else(|| frames().next()).unwrap_or((self.file, ""));
        let mut suites: Vec<&str> = self.test.split(" › ").collect();
        let name = suites.pop().unwrap_or(self.test);
        // Of a place in another file nobody would know whose test it is.
        let (suites, name) = if file == self.file { (suites, name) } else { (Vec::new(), self.test) };
        Failed { file, at, suites, name, wording: self.wording(), ..Failed::default() }
    }

    /// What was expected and what came, or the difference, or the first words.
    fn wording(&self) -> String {
        let message: Vec<&str> = self
            .lines
            .iter()
            .copied()
            .take_while(|line| !is_source(line) && !line.starts_with("at "))
            .collect();
        let told = |line: &&&str| line.starts_with("Expected") || line.starts_with("Received");
        let changed = |line: &&&str| {
            let is_head = line.starts_with("- Expected") || line.starts_with("+ Received");
            (line.starts_with("- ") || line.starts_with("+ ")) && !is_head
        };
        let mut chosen: Vec<&str> = message.iter().filter(told).copied().collect();
        if chosen.is_empty() {
            chosen = message.iter().filter(changed).take(DIFFERENCE).copied().collect();
        }
        if chosen.is_empty() {
            chosen = message.iter().take(WORDING).copied().collect();
        }
        chosen.join(" ")
    }
}

/// The file and the `line:column` of a frame in the user's own files: `at Object.toBe (src/cart.test.js:22:22)`.
fn frame(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("at ").filter(|_| !is_foreign(line))?;
    let path = rest.rsplit_once('(').map_or(rest, |(_, path)| path.trim_end_matches(')'));
    let found = place(path)?;
    Some((found.file, path.get(found.file.len() + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::jest;

    fn report(many: usize) -> String {
        let mut text = String::from("ran before all\n");
        for file in ["tests/cart.test.js", "tests/order.test.js"] {
            text += &format!("FAIL {file}\n  Totals\n    ✕ rounds 3 (2 ms)\n");
            for n in 0..many {
                text += &format!(
                    "  ● Totals › rounds {n}\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: {n}\n    Received: 1{n}.5\n\n    > {0} |     expect(total({n})).toBe({n});\n      at Object.toBe ({file}:{0}:22)\n\n",
                    n + 100
                );
            }
            text += "  ● Console\n\n    console.log\n      a line of a test\n\n";
        }
        text + "File     | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s\nAll files | 80 | 70 | 60 | 50 |\nTest Suites: 2 failed, 2 total\nTests:       60 failed, 9 passed, 69 total\n"
    }

    #[test]
    fn of_too_many_failures_each_has_its_name_place_and_values() {
        let text = report(30);
        let (short, _) = jest(&text, 8_000).unwrap();
        assert!(short.len() <= 8_000 && short.starts_with("ran before all\n"), "{short}");
        for fact in [
            "tests/cart.test.js",
            "tests/order.test.js",
            "Test Suites: 2 failed, 2 total",
            "Tests:       60 failed, 9 passed, 69 total",
            "All files | 80",
            "a line of a test",
        ] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        for n in 0..30 {
            assert_eq!(short.matches(&format!("{}:22", n + 100)).count(), 2, "{n}: {short}");
            assert!(short.contains(&format!("rounds {n}")), "{n}: {short}");
            assert!(short.contains(&format!("1{n}.5")), "{n}: {short}");
        }
    }

    #[test]
    fn what_fits_or_is_of_several_runs_stays() {
        assert!(jest(&report(30), 24_000).is_none());
        assert!(jest(&report(30).repeat(2), 8_000).is_none());
        assert!(jest(&report(1), 300).is_none());
    }
}
