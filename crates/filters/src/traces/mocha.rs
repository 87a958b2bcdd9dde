//! mocha's tree of suites: of those whose tests all passed nothing stays, of the others the names above what did not pass. Owns
//! telling the name of a suite from a line that a test printed, which stays.

use crate::Left;
use crate::guard::must_stay;
use crate::normal;

/// The report without its tests that passed and their suites.
pub(crate) fn mocha(text: &str) -> Option<Left> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let end = lines.iter().position(|line| is_total(line))?;
    let mut out = String::new();
    let (mut tests, mut suites) = (0, 0);
    // Names of open suites that were not shown.
    let mut open: Vec<&str> = Vec::new();
    // A name stands below a test, a blank line or a name.
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
                open.drain(..).for_each(|name| push(&mut out, name));
            }
            push(&mut out, line);
        }
    }
    lines[end..].iter().filter(|line| !line.is_empty()).for_each(|line| push(&mut out, line));
    let counts = [("tests passed", tests), ("names of suites", suites)];
    Some((out, counts.into_iter().filter(|(_, count)| *count > 0).collect()))
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

/// Whether the line at `at` names a suite: what is directly below it is a test of it, or the name of one within.
fn is_name(lines: &[&str], at: usize) -> bool {
    let depth = indent(lines[at]);
    let deeper = lines.get(at + 1).is_some_and(|next| indent(next) == depth + 2 && !next.trim().is_empty());
    // A top suite stands below a blank line.
    let begins = depth != 2 || at.checked_sub(1).is_none_or(|before| lines[before].is_empty());
    depth >= 2
        && depth.is_multiple_of(2)
        && begins
        && deeper
        && !is_test(lines[at])
        && (is_test(lines[at + 1]) || is_name(lines, at + 1))
}
