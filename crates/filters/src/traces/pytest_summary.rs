//! The summary that pytest closes a report with, a line for each failed test. Owns which of its lines head a failure, so that none is
//! shown twice.

use super::pytest_report::is_rule;
use crate::guard::has_words;

/// What its heading says.
pub(super) const SUMMARY: &str = "= short test summary info =";

/// The lines of the closing summary, which become headings.
pub(super) struct Summary<'t> {
    lines: Vec<(usize, &'t str, bool)>,
}

impl<'t> Summary<'t> {
    pub(super) fn new(lines: &[&'t str]) -> Self {
        let from = lines.iter().rposition(|line| is_rule(line) && line.contains(SUMMARY));
        let lines = lines.iter().enumerate().skip(from.map_or(lines.len(), |from| from + 1));
        let named = lines.filter(|(_, line)| line.starts_with("FAILED ") || line.starts_with("ERROR "));
        Self { lines: named.map(|(at, line)| (at, *line, false)).collect() }
    }

    pub(super) fn is_shown(&self, at: usize) -> bool {
        self.lines.iter().any(|(line, _, used)| *line == at && *used)
    }

    /// Whether nothing of the summary below its own heading remains to be shown.
    pub(super) fn all_shown(&self, from: usize, lines: &[&str]) -> bool {
        (from..lines.len()).take_while(|at| !is_rule(lines[*at])).all(|at| self.is_shown(at))
    }

    /// The heading of a failure with its first `error`, from the first line of the summary that is about it.
    pub(super) fn heading(&mut self, name: &str, error: &str) -> Option<String> {
        let (word, before, name) = match name.strip_prefix("ERROR ") {
            Some(rest) => match rest.split_once(" of ") {
                Some((when, test)) => ("ERROR ", format!("{when} of "), test),
                None => ("ERROR ", "collecting ".to_owned(), rest.strip_prefix("collecting ")?),
            },
            None => ("FAILED ", String::new(), name),
        };
        let (_, line, used) = self.lines.iter_mut().find(|(_, line, used)| {
            let id = line.strip_prefix(word).map(|rest| rest.split(" - ").next().unwrap_or(rest));
            !used
                && id.is_some_and(|id| {
                    id == name || id.split_once("::").is_some_and(|(_, test)| test.replace("::", ".") == name)
                })
        })?;
        let rest = line.strip_prefix(word)?;
        let id = rest.split(" - ").next().unwrap_or(rest);
        let heading = match error {
            "" => format!("{word}{before}{rest}"),
            error => format!("{word}{before}{id} - {error}"),
        };
        // Text that was cut there is whole here.
        if !has_words(&heading, line.trim_end_matches('.')) {
            return None;
        }
        *used = true;
        Some(heading)
    }
}
