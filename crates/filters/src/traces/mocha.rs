//! mocha's tree of suites: of those whose tests all passed nothing stays, of the others the names above what did not pass. Owns
//! telling the name of a suite from a line that a test printed, which stays, and reading failures where they are too many.

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

/// Where each of several runs begins: behind the last line that tells of the one before.
pub(crate) fn runs(lines: &[&str]) -> Vec<usize> {
    let totals = lines.iter().enumerate().filter(|(_, line)| is_total(line)).map(|(at, _)| at);
    let mut begins = Vec::new();
    let mut before: Option<usize> = None;
    for total in totals {
        begins.push(before.map_or(0, |before| {
            let own = |line: &&str| is_frame(line) || is_count(line);
            before + 1 + lines[before..total].iter().rposition(own).unwrap_or(0)
        }));
        before = Some(total);
    }
    begins
}

/// The same with its failures as a list: what was printed before them and behind them, mocha's totals, each failure by its place.
fn failures(text: &str, names: &HashSet<usize>, room: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let total = lines.iter().position(|line| is_total(line))?;
    let first = total + lines[total..].iter().position(|line| number(line).is_some())?;
    let end = end_of_failures(&lines, first);
    let mut failed: Vec<Failed<'_>> = Vec::new();
    let mut at = first;
    let mut not_shown = 0;
    while at < end {
        let next = (at + 1..end).find(|at| number(lines[*at]).is_some()).unwrap_or(end);
        let (test, shown) = failure(&lines[at..next])?;
        not_shown += (next - at).saturating_sub(shown);
        failed.push(test);
        at = next;
    }
    if failed.len() < MANY {
        return None;
    }
    // Names of tests in the tree come again, with the suites above them.
    let tree = |at: usize| {
        number(lines[at].trim_start()).is_some() || names.contains(&at) || is_name(&lines[..total], at)
    };
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

/// Where what the failures from `first` on say ends. Lines further out than a failure's own came from somebody else, but those of
/// its message behind the first one, which have no indent.
fn end_of_failures(lines: &[&str], first: usize) -> usize {
    let is_heading = |line: &str| line.starts_with("  ") && number(line).is_some();
    let mut in_message = false;
    let mut goes_on_to = first;
    for (at, line) in lines.iter().enumerate().skip(first) {
        if is_heading(line) {
            in_message = true;
        } else if is_frame(line) {
            in_message = false;
        } else if !line.starts_with("  ") && at >= goes_on_to {
            // A message goes on up to its failure's first frame, which is looked for once.
            let next = (at..lines.len()).find(|next| is_frame(lines[*next]) || is_heading(lines[*next]));
            match next.filter(|next| in_message && is_frame(lines[*next])) {
                Some(frame) => goes_on_to = frame,
                None => return at,
            }
        }
    }
    lines.len()
}

/// Whether `line` says with which values a comparison failed: `3 !== 4` below `Expected values to be strictly equal:`.
fn says_values(line: &str) -> bool {
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

/// What is after the number in `  12) name` or in `12) name`.
fn number(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')).unwrap_or(line);
    let name = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    if name.len() == rest.len() || rest.starts_with(' ') {
        return None;
    }
    name.strip_prefix(") ")
}

/// A failure with how many of its lines the list says.
fn failure<'t>(lines: &[&'t str]) -> Option<(Failed<'t>, usize)> {
    // Suites and the test are below each other, each further in than the one above; the message begins further out.
    let (first, behind) = lines.split_first()?;
    let mut names = vec![number(first)?];
    let mut wording = behind.iter().peekable();
    while let Some(line) = wording.next_if(|line| indent(line) == 5 + 2 * names.len()) {
        names.push(line.trim());
    }
    let name = names.pop()?.trim_end_matches(':');
    let mut test = Failed { name, suites: names, ..Failed::default() };
    let mut shown = test.suites.len() + 1;
    for line in wording {
        let line = line.trim();
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
            shown += 1;
        } else if test.wording.ends_with(':') && says_values(line) {
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
    use super::end_of_failures;

    #[test]
    fn a_message_goes_on_to_its_first_frame_however_far_that_is() {
        let mut lines = vec!["  1) Cart", "       adds up:", "      Error: another text"];
        lines.extend(std::iter::repeat_n("a line without an indent", 200_000));
        lines.extend(["      at Context.<anonymous> (test/cart.js:7:12)", "npm error failed"]);
        assert_eq!(end_of_failures(&lines, 0), lines.len() - 1);
        // Without a frame of its own it ends with its indent.
        lines.truncate(200_000);
        lines.push("  2) Till");
        assert_eq!(end_of_failures(&lines, 0), 3);
    }
}
