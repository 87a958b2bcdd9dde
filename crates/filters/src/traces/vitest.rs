//! Vitest's failures if they don't fit the budget: a list of the tests by file, each with its place and message. The
//! lines that are printed about them as their files end repeat this, and are dropped; `repeats` knows them, and drops those
//! that failures which fit have word for word.

use std::fmt::Write as _;

use super::failed_tests::{Failed, list};
use super::pytest_report::push;
use crate::Left;
use crate::cap::ends_of;
use crate::counted::counted;
use crate::diagnostics::place;
use crate::guard::is_foreign;
use crate::normal;

mod repeats;

use repeats::{begins_console, comes_again, without_repeats};

/// Fewer failures are easier to read as they are.
const FEW: usize = 3;
const CAUSE: &str = "Caused by: ";

/// Tests that failed for one reason, and the report's text about them.
struct Failure<'t> {
    tests: Vec<&'t str>,
    lines: Vec<&'t str>,
}

/// Whether a failure begins with `line`.
pub(crate) fn begins(line: &str) -> bool {
    failed(line).is_some()
}

/// Where each of several runs begins; one that watches files starts again.
pub(crate) fn runs(lines: &[&str]) -> Vec<usize> {
    let begins = |line: &str| ["RUN  v", "DEV  v", "RERUN  "].iter().any(|word| line.starts_with(word));
    (0..lines.len()).filter(|at| begins(lines[*at].trim_start())).collect()
}

/// The report `text` in about `room` bytes.
pub(crate) fn vitest(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room {
        return without_repeats(text);
    }
    let lines: Vec<&str> = normal::lines(text).collect();
    // A test's output may look like a failure.
    let from = lines.iter().position(|line| is_heading(line)).unwrap_or(0);
    let first = from + lines[from..].iter().position(|line| begins(line))?;
    // Errors outside tests are listed separately, and so is the number of different snapshots.
    let is_end = |line: &&str| is_summary(line) || is_outside(line);
    let end = first + lines[first..].iter().position(is_end)?;
    let mut headings = String::new();
    let mut failures: Vec<Failure<'_>> = Vec::new();
    for line in &lines[first..end] {
        if let Some(test) = failed(line) {
            match failures.last_mut() {
                Some(failure) if failure.lines.is_empty() => failure.tests.push(test),
                _ => failures.push(Failure { tests: vec![test], lines: Vec::new() }),
            }
        } else if is_heading(line) {
            push(&mut headings, line);
        } else if let Some(failure) = failures.last_mut().filter(|_| !bare(line).is_empty()) {
            failure.lines.push(line);
        }
    }
    let mut tests: Vec<Failed<'_>> = Vec::new();
    let mut left = 0;
    for failure in &failures {
        left += failure.lines.len();
        tests.extend(failure.tests.iter().map(|test| failure.in_a_list(test)));
    }
    if tests.len() < FEW {
        return None;
    }
    let mut before = String::new();
    let (mut is_printed, mut goes) = (false, false);
    for line in &lines[..first] {
        is_printed = begins_console(line) || is_printed && !line.is_empty();
        goes = !is_printed && comes_again(line, goes);
        match goes {
            true => left += 1,
            false => push(&mut before, line),
        }
    }
    let mut behind = String::new();
    lines[end..].iter().for_each(|line| push(&mut behind, line));
    let (mut out, behind) = (ends_of(&before, room / 6), ends_of(&behind, room / 4));
    out.push_str(&headings);
    let mut mark = String::new();
    let _ = writeln!(mark, "… {} of failures not shown", counted(left, "lines"));
    let list = list(&tests, room.checked_sub(out.len() + mark.len() + behind.len())?)?;
    Some((out + &list + &mark + &behind, Vec::new()))
}

/// The test of ` FAIL  src/cart.test.ts > cart > adds up` or the file of ` FAIL  src/cart.test.ts [ src/cart.test.ts ]`, with the
/// project's name if there is one: ` FAIL  |web| src/…`. A message may have a line that begins so.
fn failed(line: &str) -> Option<&str> {
    line.strip_prefix(" FAIL  ")
        .map(str::trim_end)
        .filter(|test| test.contains(" > ") || test.ends_with(" ]"))
}

/// The test without the name of its project, which has blanks around it where it was coloured.
fn without_project(test: &str) -> &str {
    let named = match test.strip_prefix('|') {
        Some(rest) => rest.split_once("| "),
        None => test.strip_prefix(' ').and_then(|rest| rest.split_once("  ")),
    };
    named.map_or(test, |(_, test)| test)
}

/// `  Snapshots  7 failed`, ` Test Files  9 failed (9)`.
fn is_summary(line: &str) -> bool {
    let count = line.strip_prefix("  Snapshots  ").or_else(|| line.strip_prefix(" Test Files  "));
    count.is_some_and(|count| count.starts_with(|c: char| c.is_ascii_digit()))
}

/// A line without the ruler around it.
fn bare(line: &str) -> &str {
    line.trim_matches(['⎯', ' '])
}

/// `Failed Tests 4`, `Failed Suites 1`.
fn is_heading(line: &str) -> bool {
    let counted = bare(line).strip_prefix("Failed ").and_then(|rest| rest.split_once(' '));
    counted.is_some_and(|(what, count)| {
        matches!(what, "Tests" | "Suites" | "Benchmarks") && count.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The heading of errors that belong to no test; a message may begin with the same word. Each error below it is named again
/// (`Unhandled Rejection`).
fn is_outside(line: &str) -> bool {
    matches!(bare(line), "Unhandled Errors" | "Unhandled Rejections" | "Unhandled Source Errors")
}

impl<'t> Failure<'t> {
    fn in_a_list(&self, test: &'t str) -> Failed<'t> {
        let titled = without_project(test);
        let (own, names) = titled.split_once(" > ").unwrap_or((titled, ""));
        // `src/cart.test.ts [ src/cart.test.ts ]` is a file that can't be loaded.
        let own = own.split(" [ ").next().unwrap_or(own);
        // A file may fail in one of several projects.
        let in_project = test[..test.len() - titled.len() + own.len()].trim_start();
        let frames = || self.lines.iter().filter_map(|line| frame(line));
        let mut located = self.lines.iter().filter_map(|line| unread(line));
        let found = frames()
            .find(|(file, _)| *file == own)
            .or_else(|| located.find(|(file, _)| file.ends_with(own)).map(|(_, at)| (own, at)));
        let (file, at) = found.or_else(|| frames().next()).unwrap_or((own, ""));
        let mut suites: Vec<&str> = names.split(" > ").filter(|name| !name.is_empty()).collect();
        let name = suites.pop().unwrap_or(own);
        // A place in another file wouldn't say whose test it is.
        let (file, suites, name) =
            if file == own { (in_project, suites, name) } else { (file, Vec::new(), test.trim_start()) };
        let message = self.lines.iter().map(|line| line.trim());
        let mut wording: Vec<&str> = message
            .take_while(|line| !["- Expected", "❯", CAUSE].iter().any(|other| line.starts_with(other)))
            .take(2)
            .collect();
        // The last one is the original cause.
        wording.extend(self.lines.iter().rfind(|line| line.starts_with(CAUSE)));
        Failed { file, at, suites, name, wording: wording.join(" "), ..Failed::default() }
    }
}

/// The file and the place in it of ` ❯ src/cart.test.ts:7:12` and of ` ❯ total src/cart.ts:3:5`.
fn frame(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim().strip_prefix("❯ ").filter(|rest| !is_foreign(rest))?;
    let path = rest.rsplit(' ').next()?.trim_start_matches("file://");
    let found = place(path)?;
    Some((found.file, path.get(found.file.len() + 1..path.len() - found.rest.len())?))
}

/// The same of `  File: /home/ana/shop/src/cart.test.ts:3:12`, where a file can't be read as source.
fn unread(line: &str) -> Option<(&str, &str)> {
    let path = line.trim().strip_prefix("File: ")?;
    let found = place(path)?;
    Some((found.file, path.get(found.file.len() + 1..path.len() - found.rest.len())?))
}

#[cfg(test)]
mod tests {
    use super::{runs, vitest};
    use crate::{FilterSet, shorten_within};

    /// Tests whose place is in their own file, in another one, shared by two of them, and one file that can't be loaded.
    fn report(many: usize) -> String {
        let mut text = String::from("> vitest run\n\n RUN  v2.1.8 /home/ana/shop\n\n");
        for n in 0..many {
            text += &format!(
                " ❯ test/cart{n}.test.ts (5 tests | 1 failed) 22ms\n   × cart > adds up the {n}th 9ms\n     → expected {n}7 to be {n}9 // Object.is equality\n"
            );
        }
        text += "\nFailed Suites 1\n\n FAIL  test/broken.test.ts [ test/broken.test.ts ]\nError: Cannot find module '../src/missing.js'\n ❯ test/broken.test.ts:2:1\n      2| import { nothing } from '../src/missing.js';\n\n";
        text += &format!("⎯⎯⎯⎯⎯⎯⎯ Failed Tests {} ⎯⎯⎯⎯⎯⎯⎯\n\n", many + 3);
        for n in 0..many {
            text += &format!(
                " FAIL  test/cart{n}.test.ts > cart > adds up the {n}th\nAssertionError: expected {n}7 to be {n}9 // Object.is equality\n\n- Expected\n+ Received\n\n- {n}9\n+ {n}7\n\n ❯ test/cart{n}.test.ts:{n}1:12\n     {n}1|   expect(total()).toBe({n}9)\n\n"
            );
        }
        text += " FAIL  |web| test/ship.test.ts > ships\nTypeError: no such order\n ❯ ship src/orders.ts:11:15\n\n";
        text += " FAIL  test/tax.test.ts > tax > of one\n FAIL  test/tax.test.ts > tax > of two\nError: Hook timed out in 10000ms.\n ❯ test/tax.test.ts:3:5\n\n";
        text + &format!(
            "⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯\n\nError: socket hang up\n ❯ test/net.test.ts:9:1\n\n Test Files  {0} failed | 8 passed ({1})\n      Tests  {0} failed | 80 passed ({2})\n",
            many + 3,
            many + 11,
            many + 83
        )
    }

    #[test]
    fn too_many_failures_are_a_list_with_every_place() {
        let text = report(40);
        let (short, _) = vitest(&text, 5_000).unwrap();
        assert!(short.len() <= 5_000, "{}: {short}", short.len());
        for n in 0..40 {
            assert!(
                short.contains(&format!("test/cart{n}.test.ts\n")) && short.contains(&format!(" {n}1:12 ")),
                "{n}: {short}"
            );
            assert!(short.contains(&format!("adds up the {n}th")), "{n}: {short}");
        }
        for fact in [
            "Failed Suites 1",
            "Failed Tests 43",
            "test/broken.test.ts\n 2:1 ",
            "Cannot find module '../src/missing.js'",
            "src/orders.ts\n 11:15 ",
            "test/ship.test.ts > ships",
            "test/tax.test.ts",
            "of one",
            "of two",
            "Hook timed out in 10000ms.",
            "Unhandled Errors",
            "socket hang up",
            "test/net.test.ts:9:1",
            "43 failed | 8 passed (51)",
        ] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        assert!(!short.contains("(5 tests | 1 failed)") && short.contains("lines of failures not shown"));
    }

    #[test]
    fn a_message_about_unhandled_errors_ends_no_list() {
        let odd = "\nUnhandled request GET /cart\nUnhandled Error\n- Expected\n";
        let text = report(40).replacen("\n- Expected\n", odd, 1);
        let (short, _) = vitest(&text, 5_000).unwrap();
        assert!((0..40).all(|n| short.contains(&format!(" {n}1:12 "))), "{short}");
        assert!(short.contains("Unhandled Errors\n") || short.contains("Unhandled Errors "), "{short}");
    }

    /// As Vitest 4.1 printed it: messages with lines that look like its own, a file that can't be read as source, causes,
    /// retries, what tests printed, and snapshots right above the totals.
    #[test]
    fn a_real_report_keeps_each_failure_and_every_count() {
        let text = include_str!("../../tests/fixtures/runs/vitest-odd.txt");
        let (short, _) = vitest(text, 8_000).unwrap();
        let command = "npx vitest run";
        let done = shorten_within(&FilterSet::builtin(), command, Some(1), text, 7_000).unwrap();
        for short in [&short, &done.text] {
            assert!(short.len() <= 8_000, "{}: {short}", short.len());
            for place in [
                "7:37", "11:12", "14:36", "2:56", "3:35", "3:59", "4:27", "5:27", "7:45", "7:63", "8:1",
                "10:42",
            ] {
                assert!(short.contains(&format!(" {place} ")), "{place}: {short}");
            }
            for fact in [
                "test/broken.test.js\n 3:12 ",
                "test/missing.test.js\n 2:1 ",
                "Failed Suites 4",
                "Failed Tests 22",
                "  → request 0 to shop 2",
                "  Snapshots  3 failed",
                "· gone 1",
                "22 failed | 10 passed | 4 skipped (36)",
                "lines of failures not shown",
            ] {
                assert!(short.contains(fact), "{fact}: {short}");
            }
            assert!(!short.contains("\nof something\n"), "{short}");
        }
        for fact in ["Caused by: Error: inner reason", "code: 7, why: 'no'", "Error: db is down"] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
    }

    /// The same file may fail in one of two projects, whose names have blanks around them where they were coloured.
    #[test]
    fn each_project_has_its_own_failures() {
        for [web, api] in [["|web| ", "|api| "], [" web  ", " api  "]] {
            let mut text = String::from(" RUN  v4.1.12 /home/ana/shop\n\nFailed Tests 39\n\n");
            for project in [web, api] {
                for n in 10..30 {
                    if (project, n) != (api, 20) {
                        text += &format!(
                            " FAIL  {project}test/cart.test.js > cart > adds up {n}\nAssertionError: expected 3 to be 4\n\n- Expected\n+ Received\n\n- 4\n+ 3\n\n ❯ total src/cart.js:3:9\n ❯ test/cart.test.js:{n}:37\n\n"
                        );
                    }
                }
            }
            text += " Test Files  2 failed (2)\n      Tests  39 failed (39)\n";
            let (short, _) = vitest(&text, 3_000).unwrap();
            let of = |project: &str| format!("\n{}test/cart.test.js\n", project.trim_start());
            let (first, second) = short.split_once(&of(api)).unwrap_or_else(|| panic!("{short}"));
            assert!(first.contains(&of(web)) && first.contains(" 20:37 "), "{short}");
            assert!(second.contains(" 29:37 ") && !second.contains(" 20:37 "), "{short}");
        }
    }

    #[test]
    fn a_watch_run_starts_again() {
        let lines =
            [" DEV  v4.1.12 /home/ana/shop", " FAIL  a > b", " RERUN  src/cart.js x1", " RUN  v4.1.12"];
        assert_eq!(runs(&lines), [0, 2, 3]);
    }

    #[test]
    fn a_report_that_fits_loses_what_its_failures_repeat() {
        let text = report(3);
        let (short, counts) = vitest(&text, 90_000).unwrap();
        assert_eq!(counts, [("lines repeated below", 3)]);
        // The time of a test and the counts of a file aren't below.
        let without = |line: &&str| !line.contains('→');
        let expected: String = text.lines().filter(without).map(|line| format!("{line}\n")).collect();
        assert!(short == expected && short.contains("adds up the 2th 9ms"), "{short}");
    }

    #[test]
    fn reports_without_repeats_or_failures_are_left_alone() {
        let alone = report(40).replace("     → ", "     it was ");
        assert_eq!(vitest(&alone, 90_000), None);
        let passed =
            " RUN  v2.1.8 /home/ana/shop\n\n ✓ test/a.test.ts (3 tests)\n\n Test Files  1 passed (1)\n";
        assert_eq!(vitest(passed, 60), None);
    }
}
