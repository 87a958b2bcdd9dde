//! Jest's failures if they don't fit the budget: a list of the tests by file, each with its place, the expected and
//! the received value. The closing summary's repetition is dropped.

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

/// The indent of a failure's text; a test's output is further out.
const MESSAGE: &str = "    ";

const SUMMARY: &str = "Summary of all failing tests";
/// The line above an error that led to the one above.
const CAUSE: &str = "Cause:";

/// A failed test, and its file.
struct Failure<'t> {
    test: &'t str,
    file: File<'t>,
    lines: Vec<&'t str>,
}

/// A file, and the same behind the name of its project if there is one.
#[derive(Clone, Copy, Default)]
struct File<'t> {
    path: &'t str,
    in_project: &'t str,
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
    let (mut left, mut file, mut open, mut again) = (0, File::default(), false, false);
    // Whether lines are of the tree of tests below the name of their file.
    let mut in_tree = false;
    for line in normal::lines(text) {
        if let Some(test) = failed(line) {
            (open, in_tree) = (true, false);
            left += 1;
            if !again {
                failures.push(Failure { test, file, lines: Vec::new() });
            }
        } else if open && (line.starts_with(MESSAGE) || line.trim().is_empty()) {
            left += usize::from(!line.trim().is_empty());
            if let Some(failure) = failures.last_mut().filter(|_| !again && !line.trim().is_empty()) {
                failure.lines.push(line.trim());
            }
        } else if let Some(named) = file_of(line) {
            (file, open, in_tree) = (named, false, true);
            left += 1;
        } else if in_tree && line.trim_start().starts_with(['✕', '×']) {
            // Which tests failed is in the list.
            left += 1;
        } else {
            open = false;
            in_tree &= line.starts_with("  ") && !is_heading(line) && !line.starts_with("  console.");
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

/// The test of `  ● Cart › adds up`; Jest's message about a test that continues after its end has another blank.
fn failed(line: &str) -> Option<&str> {
    let test = line.strip_prefix("  ● ")?.trim_end();
    (test != "Console" && !test.is_empty() && !test.starts_with(' ')).then_some(test)
}

/// `  ● Console`, the heading of the tests' output.
fn is_heading(line: &str) -> bool {
    line.starts_with("  ● ")
}

/// The file of `FAIL web src/cart.test.js (5.2 s)`, which has a blank in front where it was coloured.
fn file_of(line: &str) -> Option<File<'_>> {
    let rest = line.strip_prefix(' ').unwrap_or(line).strip_prefix("FAIL ")?.trim_start();
    let path = rest.split_whitespace().find(|word| word.contains('.') && !word.starts_with('('))?;
    Some(File { path, in_project: &rest[..rest.find(path)? + path.len()] })
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
        let File { path, in_project } = self.file;
        let own = frames().find(|(file, _)| *file == path);
        let elsewhere = own.is_none().then(|| frames().next()).flatten();
        let mut suites: Vec<&str> = self.test.split(" › ").collect();
        let name = suites.pop().unwrap_or(self.test);
        let mut wording = self.wording();
        // A place in another file wouldn't say whose test it is.
        if let Some((file, at)) = elsewhere {
            wording = format!("{file}:{at}: {wording}");
        }
        let at = own.map_or("", |(_, at)| at);
        Failed { file: in_project, at, suites, name, wording, ..Failed::default() }
    }

    /// The expected and received values, or the difference, or the first words.
    fn wording(&self) -> String {
        let message: Vec<&str> = self
            .lines
            .iter()
            .copied()
            .take_while(|line| !is_source(line) && !line.starts_with("at "))
            .collect();
        let told = |line: &&&str| line.starts_with("Expected") || line.starts_with("Received");
        let changed = |line: &&&str| {
            let is_head =
                ["- Expected", "- Snapshot", "+ Received"].iter().any(|head| line.starts_with(head));
            (line.starts_with("- ") || line.starts_with("+ ")) && !is_head
        };
        let mut chosen: Vec<&str> = message.iter().filter(told).copied().collect();
        if chosen.is_empty() {
            chosen = message.iter().filter(changed).take(DIFFERENCE).copied().collect();
        }
        if chosen.is_empty() {
            chosen = message.iter().take(WORDING).copied().collect();
        }
        if let Some(at) = self.lines.iter().rposition(|line| *line == CAUSE) {
            chosen.extend(self.lines[at..].iter().take(2));
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
    fn each_of_too_many_failures_has_its_name_place_and_values() {
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

    /// Lines that Jest prints in the middle of its report if there are many files: a console, marks, another project,
    /// other places.
    #[test]
    fn a_tests_output_and_failure_place_stay() {
        let mut text = report(30).replacen(
            "FAIL tests/order.test.js",
            "  console.log\n    × no price\n      at log (src/log.js:3:9)\n\n × of the bank\n\n  ●  Cannot log after tests are done.\n\nFAIL web tests/order.test.js (5.1 s)",
            1,
        );
        text = text.replacen("at Object.toBe (tests/cart.test.js:107:22)", "at price (src/price.js:8:5)", 1);
        text = text.replacen(
            "    Expected: 8\n    Received: 18.5\n",
            "    no price\n\n    Cause:\n    no bank\n",
            1,
        );
        let printed = "  console.warn\n    out of stock\n\n  ● Totals › rounds 12\n";
        text = text.replacen("  ● Totals › rounds 12\n", printed, 1);
        let (short, _) = jest(&text, 9_000).unwrap();
        for fact in [
            "  console.warn\n    out of stock\n",
            "    × no price\n",
            " × of the bank\n",
            "src/log.js:3:9",
            "Cannot log after tests are done.",
            "\nweb tests/order.test.js\n",
            "Cause: no bank",
            "src/price.js:8:5",
        ] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        assert_eq!(short.matches("tests/cart.test.js\n").count(), 1, "{short}");
        assert!(!short.contains("✕ rounds 3"), "{short}");
    }

    #[test]
    fn a_report_that_fits_or_has_several_runs_stays() {
        assert!(jest(&report(30), 24_000).is_none());
        assert!(jest(&report(30).repeat(2), 8_000).is_none());
        assert!(jest(&report(1), 300).is_none());
    }
}
