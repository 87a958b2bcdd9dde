//! Failed tests of a report by file, where there are more than have room with all their words: a linter writes each
//! finding as a test. Owns that list, which contains every place.

use super::{Problem, Report, where_failed};
use crate::diagnostics::{Found, listed, place};

/// What is above the list.
const HEAD: &str = "of each failed test the first line of its message:\n";
/// The list's text if it has counts instead of places.
const INCOMPLETE: &str = "places are left out:\n";

/// The failed tests of the report by file in at most `room` bytes; `None` if one has no place, or if not all places
/// fit.
pub(super) fn by_file(report: &Report, room: usize) -> Option<String> {
    let room = room.checked_sub(HEAD.len())?;
    // In a linter's report nothing passes, and a test has the name of a rule.
    let is_linter = report.tests == report.reported;
    let failed = report.problems.iter().filter(|problem| problem.failed);
    let found: Vec<Found> = failed.map(|problem| of_file(problem, is_linter)).collect::<Option<_>>()?;
    let list = listed(&found, room);
    (list.len() <= room && !list.contains(INCOMPLETE)).then(|| format!("{HEAD}{list}"))
}

fn of_file(problem: &Problem, is_linter: bool) -> Option<Found> {
    let at = where_failed(problem)?;
    let found = place(&at)?;
    // A class named like the file adds nothing.
    let name = match problem.test.split_once(' ') {
        Some((class, name)) if found.file.contains(class) => name,
        _ => problem.test.as_str(),
    };
    let lines = problem.message.lines().chain(problem.body.lines());
    let message = lines.map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let is_rule = is_linter && !name.contains(' ');
    let (rule, message) = match is_rule {
        true => (name.to_owned(), message.to_owned()),
        false => (String::new(), format!("{name}: {message}")),
    };
    Some(Found {
        file: found.file.to_owned(),
        at: found.at.clone().into_owned(),
        severity: String::new(),
        rule,
        message,
    })
}
