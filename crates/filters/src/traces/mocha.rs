//! mocha's tree of suites: suites whose tests all passed are dropped, of the others the names above unpassed tests
//! stay. Owns distinguishing the name of a suite from a line that a test printed, which stays, and reading failures
//! if they are too many.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::failed_tests::{Failed, list};
use crate::Left;
use crate::cap::ends_of;
use crate::counted::counted;
use crate::diagnostics::place;
use crate::guard::{is_foreign, must_stay};
use crate::normal;

/// Fewer failures than this are shown as they were printed, however long they are.
const MANY: usize = 4;
/// The minimum indent of a failure's text, and that of the first name below its number.
const MESSAGE: usize = 5;
const NAMES: usize = 7;

/// The report without its tests that passed and their suites, in about `room` bytes where many tests failed.
pub(crate) fn mocha(text: &str, room: usize) -> Option<Left> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let end = lines.iter().position(|line| is_total(line))?;
    let mut out = String::new();
    let (mut tests, mut suites) = (0, 0);
    // How many lines are shown, and which of them are names of suites.
    let (mut shown, mut names) = (0, HashSet::new());
    // Names of open suites that were not shown.
    let mut open: Vec<&str> = Vec::new();
    // A suite's name comes below a test, a blank line or a name.
    let mut may_follow = false;
    for (at, line) in lines[..end].iter().enumerate() {
        if line.is_empty() {
            may_follow = true;
            open.clear();
            continue;
        }
        open.retain(|name| indent(name) < indent(line));
        if is_passed(line) && !must_stay(line) {
            tests += 1;
            may_follow = true;
        } else if may_follow && is_name(&lines[..end], at) && !must_stay(line) {
            suites += 1;
            open.push(line);
        } else {
            may_follow = is_test(line);
            if may_follow {
                suites -= open.len();
                names.extend(shown..shown + open.len());
                shown += open.len();
                open.drain(..).for_each(|name| push(&mut out, name));
            }
            push(&mut out, line);
            shown += 1;
        }
    }
    lines[end..].iter().filter(|line| !line.is_empty()).for_each(|line| push(&mut out, line));
    let counts = [("tests passed", tests), ("names of suites", suites)];
    if out.len() > room
        && let Some(short) = failures(&out, &names, room)
    {
        out = short;
    }
    Some((out, counts.into_iter().filter(|(_, count)| *count > 0).collect()))
}

/// Where each of several runs begins: after the last line about the one before.
pub(crate) fn runs(lines: &[&str]) -> Vec<usize> {
    let mut begins = Vec::new();
    let mut before: Option<usize> = None;
    for total in (0..lines.len()).filter(|at| is_total(lines[*at])) {
        begins.push(before.map_or(0, |before| match headings(&lines[..total], before).last() {
            Some(last) => end_of_failures(&lines[..total], *last),
            None => before + 1 + lines[before + 1..total].iter().take_while(|line| is_count(line)).count(),
        }));
        before = Some(total);
    }
    begins
}

/// The same with its failures as a list: the output before and after them, mocha's totals, each failure by its place.
fn failures(text: &str, names: &HashSet<usize>, room: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let total = lines.iter().position(|line| is_total(line))?;
    let headings = headings(&lines, total);
    let (first, end) = (*headings.first()?, end_of_failures(&lines, *headings.last()?));
    let mut failed: Vec<Failed<'_>> = Vec::new();
    let mut not_shown = 0;
    for (at, next) in headings.iter().copied().zip(headings[1..].iter().copied().chain([end])) {
        let (test, shown) = failure(&lines[at..next])?;
        not_shown += (next - at).saturating_sub(shown);
        failed.push(test);
    }
    if failed.len() < MANY {
        return None;
    }
    // Names of tests in the tree come again, with the suites above them; a test may have printed a numbered line as well.
    let is_failed = |line: &str| {
        let failed =
            numbered(line).and_then(|(number, name)| Some((failed.get(number.checked_sub(1)?)?, name)));
        failed.is_some_and(|(test, name)| test.name.ends_with(name.trim_end()))
    };
    let tree =
        |at: usize| is_failed(lines[at].trim_start()) || names.contains(&at) || is_name(&lines[..total], at);
    let mut printed = String::new();
    (0..total).filter(|at| !tree(*at)).for_each(|at| push(&mut printed, lines[at]));
    let mut behind = String::new();
    lines[end..].iter().for_each(|line| push(&mut behind, line));
    let (mut out, behind) = (ends_of(&printed, room / 6), ends_of(&behind, room / 6));
    lines[total..first].iter().for_each(|line| push(&mut out, line));
    let mut mark = String::new();
    if not_shown > 0 {
        let _ = writeln!(mark, "… {} of failures not shown", counted(not_shown, "lines"));
    }
    let list = list(&failed, room.checked_sub(out.len() + mark.len() + behind.len())?)?;
    Some(out + &list + &mark + &behind)
}

/// The lines with which failures begin, from `from` on: in the order of their numbers, each with its name or with the
/// suites above it. A count within a message has neither.
fn headings(lines: &[&str], from: usize) -> Vec<usize> {
    let mut all = Vec::new();
    for (at, line) in lines.iter().enumerate().skip(from) {
        let is_named = || line.ends_with(':') || lines.get(at + 1).is_some_and(|next| indent(next) == NAMES);
        if line.starts_with("  ") && number(line) == Some(all.len() + 1) && is_named() {
            all.push(at);
        }
    }
    all
}

/// The end of the last failure's text: after its first frames and causes. Without a frame it ends with its indent.
fn end_of_failures(lines: &[&str], last: usize) -> usize {
    if let Some(frame) = (last..lines.len()).find(|at| is_frame(lines[*at])) {
        return frame + lines[frame..].iter().take_while(|line| indent(line) >= MESSAGE).count();
    }
    let is_outside = |at: &usize| {
        let least = if lines[at - 1].is_empty() { MESSAGE } else { 2 };
        !lines[*at].is_empty() && indent(lines[*at]) < least
    };
    (last + 1..lines.len()).find(is_outside).unwrap_or(lines.len())
}

/// Whether `line` says with which values a comparison failed: `3 !== 4` below `Expected values to be strictly equal:`.
fn has_compared_values(line: &str) -> bool {
    line.contains(" !== ") || line.contains(" != ")
}

/// `      at Context.<anonymous> (test/cart.js:7:12)`.
fn is_frame(line: &str) -> bool {
    line.starts_with("      at ")
}

/// `  3 failing`, `  1 pending`.
fn is_count(line: &str) -> bool {
    let words = line.strip_prefix("  ").and_then(|rest| rest.split_once(' '));
    words.is_some_and(|(count, what)| {
        matches!(what, "failing" | "pending") && count.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The number and the text after it in `  12) name` or in `12) name`.
fn numbered(line: &str) -> Option<(usize, &str)> {
    let rest = line.strip_prefix("  ").unwrap_or(line);
    let (number, name) = rest.split_once(") ")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    Some((number.parse().ok().filter(|_| is_number)?, name))
}

fn number(line: &str) -> Option<usize> {
    numbered(line).map(|(number, _)| number)
}

/// A failure with the number of its lines that the list contains.
fn failure<'t>(lines: &[&'t str]) -> Option<(Failed<'t>, usize)> {
    // Suites and the test are below each other, each further in than the one above; the message begins further out.
    let (first, behind) = lines.split_first()?;
    let mut names = vec![numbered(first)?.1];
    let mut wording = behind.iter().peekable();
    while let Some(line) = wording.next_if(|line| indent(line) == MESSAGE + 2 * names.len()) {
        names.push(line.trim());
    }
    let name = names.pop()?.trim_end_matches(':');
    let mut test = Failed { name, suites: names, ..Failed::default() };
    let mut shown = test.suites.len() + 1;
    // Whether the line above is the one in the list.
    let mut is_below = false;
    for line in wording {
        let line = line.trim();
        let goes_on = std::mem::take(&mut is_below) && test.wording.ends_with([':', '{']);
        if let Some(frame) = line.strip_prefix("at ") {
            let path = frame.rsplit_once('(').map_or(frame, |(_, path)| path.trim_end_matches(')'));
            let path = path.trim_start_matches("async ").trim_start_matches("file://");
            if test.file.is_empty()
                && !is_foreign(frame)
                && let Some(found) = place(path)
            {
                test.file = found.file;
                test.at = &path[found.file.len() + 1..path.len() - found.rest.len()];
                shown += 1;
            }
        } else if test.wording.is_empty() && !line.is_empty() {
            test.wording = line.to_owned();
            is_below = true;
            shown += 1;
        } else if goes_on && !line.starts_with(['+', '-'])
            || test.wording.ends_with(':') && has_compared_values(line)
            || line.starts_with("Caused by: ")
        {
            test.wording.push(' ');
            test.wording.push_str(line);
            shown += 1;
        }
    }
    Some((test, shown))
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// `  240 passing (56ms)`.
fn is_total(line: &str) -> bool {
    line.strip_prefix("  ")
        .and_then(|rest| rest.split_once(" passing ("))
        .is_some_and(|(count, _)| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_passed(line: &str) -> bool {
    line.starts_with("  ") && line.trim_start().starts_with(['✔', '✓', '√'])
}

/// A test's line, however it went: `✔ adds`, `- waits`, `3) fails`.
fn is_test(line: &str) -> bool {
    let rest = line.trim_start();
    let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("  ")
        && (is_passed(line)
            || rest.starts_with("- ")
            || number.len() < rest.len() && number.starts_with(") "))
}

/// Whether the line at `at` names a suite: directly below it is one of its tests, or the name of a suite within.
fn is_name(lines: &[&str], at: usize) -> bool {
    let depth = indent(lines[at]);
    let deeper = lines.get(at + 1).is_some_and(|next| indent(next) == depth + 2 && !next.trim().is_empty());
    // A top suite is below a blank line.
    let begins = depth != 2 || at.checked_sub(1).is_none_or(|before| lines[before].is_empty());
    depth >= 2
        && depth.is_multiple_of(2)
        && begins
        && deeper
        && !is_test(lines[at])
        && (is_test(lines[at + 1]) || is_name(lines, at + 1))
}

#[cfg(test)]
mod tests {
    use super::super::by_run;
    use super::{end_of_failures, headings, mocha, runs};
    use crate::{FilterSet, shorten_within};

    #[test]
    fn a_message_continues_to_its_first_frame_at_any_distance() {
        let mut lines = vec!["  1) Cart", "       adds up:", "      Error: another text"];
        lines.extend(std::iter::repeat_n("a line without an indent", 200_000));
        lines.extend(["      at Context.<anonymous> (test/cart.js:7:12)", "npm error failed"]);
        assert_eq!(headings(&lines, 0), [0]);
        assert_eq!(end_of_failures(&lines, 0), lines.len() - 1);
        // Without a frame of its own it ends with its indent.
        lines.truncate(200_000);
        assert_eq!(end_of_failures(&lines, 0), 3);
        lines.extend(["  2) Till", "       opens:", "     Error: x", "> @shop/till test"]);
        assert_eq!(headings(&lines, 0), [0, 200_000]);
        assert_eq!(end_of_failures(&lines, 200_000), 200_003);
    }

    /// As Mocha 12 printed it: messages that count, that have no indent and no frame of the user's, and causes.
    #[test]
    fn a_real_report_keeps_each_failure() {
        let text = include_str!("../../tests/fixtures/runs/mocha-odd.txt");
        let (short, _) = mocha(text, 5_000).unwrap();
        let done = shorten_within(&FilterSet::builtin(), "npx mocha", Some(18), text, 3_500).unwrap();
        for short in [&short, &done.text] {
            assert!(short.contains("each failed test with a letter"), "{short}");
            for fact in ["  10 passing (", "  2 pending", "  18 failing", "times out", "string", "rejects"] {
                assert!(short.contains(fact), "{fact}: {short}");
            }
            for place in [
                "2:33", "4:68", "7:45", "8:31", "9:31", "13:31", "14:54", "15:48", "16:27", "17:34", "20:26",
                "3:50",
            ] {
                assert!(short.contains(&format!(" {place} ")), "{place}: {short}");
            }
        }
        for message in [
            "Violations: 1) Shop uses Till",
            "Error: outer Caused by: Error: inner reason",
            "just text",
            "the object { \"code\": 7",
            "no such order",
            "cart is empty",
            "Input: 'abc",
            "db is down",
            "cannot clean",
        ] {
            assert!(short.contains(message), "{message}: {short}");
        }
    }

    #[test]
    fn numbered_lines_that_a_test_printed_stay() {
        let mut text = String::from("  cart\n    1) adds 1\n    1) choose a cart\n");
        (2..=40).for_each(|n| text += &format!("    {n}) adds {n}\n"));
        text += "\n  1 passing (9ms)\n  40 failing\n\n";
        for n in 1..=40 {
            text += &format!(
                "  {n}) cart\n       adds {n}:\n     Error: no price {n}\n      at Context.<anonymous> (test/a.js:{n}:3)\n\n"
            );
        }
        let (short, _) = mocha(&text, 3_000).unwrap();
        assert!(short.starts_with("    1) choose a cart\n  1 passing (9ms)\n  40 failing\n"), "{short}");
        assert!((1..=40).all(|n| short.contains(&format!(" {n}:3 "))), "{short}");
    }

    /// The second run begins where the first one's last failure ends, which has no frame.
    #[test]
    fn a_failure_without_a_frame_belongs_to_its_own_run() {
        let failing = |name: &str| {
            format!(
                "> {name}\n\n  {name}\n    1) gives up\n    ✔ counts\n\n\n  1 passing (9ms)\n  1 failing\n\n  1) {name}\n       gives up:\n     Error: the string \"none of {name}\" was thrown, throw an Error :)\n\n\n\n"
            )
        };
        let text = failing("cart") + &failing("till");
        let lines: Vec<&str> = text.lines().collect();
        let begins = runs(&lines);
        assert_eq!(begins.len(), 2, "{text}");
        let first = lines[..begins[1]].join("\n");
        assert!(first.contains("none of cart") && !first.contains("till"), "{first}");
        let (short, _) = by_run(&text, 24_000, runs, mocha).unwrap();
        let (cart, till) = short.split_once("> till").unwrap_or_else(|| panic!("{short}"));
        assert!(cart.contains("none of cart") && till.contains("none of till"), "{short}");
        // Frames that the next run prints don't belong to the one before.
        let text =
            "  2 passing (1ms)\n\n  cart\n      at log (src/log.js:3:1)\n    ✔ counts\n\n  1 passing (1ms)\n";
        assert_eq!(runs(&text.lines().collect::<Vec<_>>()), [0, 1]);
    }
}
