//! Where sessions of pytest begin in one output, as those of tox's environments or of a script that tests several
//! packages. Owns distinguishing them from sessions that a test started, whose output was captured.

use super::pytest_report::{heading, is_rule, is_section};
use super::pytest_summary::SUMMARY;

/// Where each of several sessions begins; nothing if the found ones are in captured output.
pub(super) fn sessions(lines: &[&str]) -> Vec<usize> {
    // The line about a session's start may have been dropped before.
    let named = lines.iter().any(|line| is_start(line));
    let is_begin = |line: &str| if named { is_start(line) } else { is_collected(line) };
    let is_end = |line: &str| is_rule(line) && ends_session(line);
    // A killed session has no end: the next one isn't inside it, unless it's in captured output.
    let started = lines.iter().filter(|line| is_begin(line)).count();
    if started == 0 {
        return quiet_sessions(lines);
    }
    let each_ends = started <= lines.iter().filter(|line| is_end(line)).count();
    let mut begins = Vec::new();
    let (mut open, mut captured) = (0_usize, false);
    for (at, line) in lines.iter().enumerate() {
        if is_begin(line) {
            if open == 0 || !each_ends && !captured {
                begins.push(at);
                (open, captured) = (0, false);
            }
            open += 1;
        } else if is_end(line) {
            open = open.saturating_sub(1);
        } else {
            captured |= is_captured(line);
        }
    }
    let first = begins.first().copied().unwrap_or_default();
    if lines[..first].iter().any(|line| is_captured(line)) { Vec::new() } else { begins }
}

/// The same by the failures of each session and the count at its end, if nothing is printed at its start (`-q`).
fn quiet_sessions(lines: &[&str]) -> Vec<usize> {
    let mut begins = Vec::new();
    let (mut open, mut captured, mut errors) = (0_usize, false, false);
    for (at, line) in lines.iter().enumerate() {
        if is_section(line) {
            // Errors of a session are above its failures.
            let fails = line.contains(" FAILURES ");
            if !(errors && fails) {
                begins.extend((open == 0).then_some(at));
                open += 1;
            }
            errors = !fails;
        } else if is_rule(line) {
            captured &= open != 1 || !line.contains(SUMMARY);
        } else if is_captured(line) {
            captured = true;
        } else if heading(line).is_some() {
            captured = false;
        } else if counts(line) && !(captured && open == 1) {
            (open, errors) = (open.saturating_sub(1), false);
        }
    }
    begins
}

fn is_captured(line: &str) -> bool {
    line.starts_with("---") && line.contains(" Captured ")
}

/// `1 failed, 2 passed in 0.31s` without a rule around it.
fn counts(line: &str) -> bool {
    const WORDS: [&str; 6] = ["failed", "passed", "error", "skipped", "xfailed", "deselected"];
    let Some((counts, time)) = line.rsplit_once(" in ") else { return false };
    let is_time = time
        .split(' ')
        .next()
        .is_some_and(|time| time.strip_suffix('s').is_some_and(|time| time.parse::<f64>().is_ok()));
    is_time
        && counts.split(", ").all(|part| {
            part.split_once(' ').is_some_and(|(count, what)| {
                count.bytes().all(|byte| byte.is_ascii_digit())
                    && (WORDS.contains(&what.trim_end_matches('s'))
                        || what.starts_with("warning")
                        || what == "xpassed")
            })
        })
}

fn is_start(line: &str) -> bool {
    is_rule(line) && line.contains(" test session starts ")
}

/// `collected 12 items`, `collecting ... collected 12 items`, `4 workers [12 items]`.
fn is_collected(line: &str) -> bool {
    let count = match line.split_once(" workers [") {
        Some((workers, rest)) => Some(rest).filter(|_| workers.bytes().all(|byte| byte.is_ascii_digit())),
        None => line.rsplit_once("collected ").filter(|_| line.starts_with("collect")).map(|(_, rest)| rest),
    };
    count.is_some_and(|count| count.starts_with(|c: char| c.is_ascii_digit()) && count.contains(" item"))
}

/// `==== 1 failed, 2 passed in 0.31s ====`.
fn ends_session(line: &str) -> bool {
    let words = line.trim_matches(['=', ' ']);
    words.rsplit_once(" in ").is_some_and(|(_, time)| time.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::sessions;

    #[test]
    fn a_session_begins_where_none_is_open_and_nothing_is_captured() {
        let start = format!("{:=^80}", " test session starts ");
        let end = format!("{:=^80}", " 1 failed, 2 passed in 0.31s ");
        let captured = format!("{:-^80}", " Captured stdout call ");
        let collected = "collected 3 items";
        let (start, end, captured) = (start.as_str(), end.as_str(), captured.as_str());
        for (lines, begins) in [
            (vec!["py311", start, collected, end, "py312", start, collected, end], vec![1, 5]),
            (vec!["py311", collected, end, "py312", "collecting ... collected 1 item", end], vec![1, 4]),
            (vec!["a", "4 workers [12 items]", end, "b", "4 workers [9 items]", end], vec![1, 4]),
            (vec![start, collected, captured, start, collected, end, start, end, end], vec![0]),
            (vec![collected, captured, collected, end, collected, end, end], vec![0]),
            (vec!["F.", captured, start, collected, end, start, collected, end], vec![]),
            // Killed sessions, the last of them in a test's own session.
            (vec![start, collected, "Fatal Python error: Aborted", start, collected, end], vec![0, 3]),
            (vec![start, "Killed", start, end, start, captured, start, "Killed", end], vec![0, 2, 4]),
            (vec!["12 items", "no items collected", end], vec![]),
        ] {
            assert_eq!(sessions(&lines), begins, "{lines:?}");
        }
    }

    #[test]
    fn quiet_sessions_end_with_their_counts() {
        let rule = |what: &str| format!("{what:=^80}");
        let (failures, errors) = (rule(" FAILURES "), rule(" ERRORS "));
        let summary = rule(" short test summary info ");
        let test = format!("{:_^80}", " test_a ");
        let captured = format!("{:-^80}", " Captured stdout call ");
        let [failures, errors, summary, test, captured] =
            [&failures, &errors, &summary, &test, &captured].map(String::as_str);
        let lines = [
            [failures, test, summary, "FAILED a.py::test_a", "1 failed in 0.08s", "==> b"],
            [errors, test, failures, test, summary, "1 failed, 2 errors, 1 warning in 61.20s (0:01:01)"],
        ];
        assert_eq!(sessions(&lines.concat()), [0, 6]);
        // A session that a test started and captured ends nothing.
        let lines = [
            [failures, test, captured, "2 passed in 0.01s", test],
            [captured, failures, test, summary, "1 failed in 0.02s"],
            [test, "2 apples in 3 bags", summary, "3 failed in 0.40s", "==> b"],
            [failures, test, summary, "FAILED a.py::test_a", "1 failed, 4 passed in 0.10s"],
        ];
        assert_eq!(sessions(&lines.concat()), [0, 15]);
    }
}
