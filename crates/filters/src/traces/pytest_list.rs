//! pytest's report with its failures as a list, for when not even one line per failure fits: each test under its file, with
//! its place and message. Owns what stays of the report around the list.

use super::failed_tests::{self, Failed};
use super::pytest_report::{Failure, Part, failures, is_progress, is_rule, is_section, push};
use crate::cap::ends_of;
use crate::diagnostics::place;

/// The report with its failures as a list, where not even their own lines all fit.
pub(super) fn listed(lines: &[&str], room: usize) -> Option<String> {
    let (mut before, mut after) = (String::new(), String::new());
    let mut failed: Vec<Failed<'_>> = Vec::new();
    let (mut left, mut at) = (0, 0);
    let mut summed_up = Vec::new();
    while let Some(line) = lines.get(at) {
        at += 1;
        if !is_section(line) {
            match (failed.is_empty(), is_summed_up(line)) {
                (true, _) if !is_progress(line) => push(&mut before, line),
                (false, true) => summed_up.push(*line),
                (false, false) => push(&mut after, line),
                _ => {}
            }
            continue;
        }
        let end = lines[at..].iter().position(|line| is_rule(line)).map_or(lines.len(), |end| at + end);
        let found = failed.len();
        let section = failures(&lines[at..end]);
        failed.extend(section.iter().map(Failure::in_a_list));
        if section.is_empty() {
            failed.extend(lines[at..end].iter().filter_map(|line| in_a_line(line)));
        }
        left += (end - at).saturating_sub(failed.len() - found);
        at = end;
    }
    // What has failed without a trace is named by the summary alone.
    if summed_up.len() > failed.len() {
        summed_up.iter().for_each(|line| push(&mut after, line));
    }
    let others = room / 4;
    let (before, after) = (ends_of(&before, others), ends_of(&after, others));
    let mark = format!("… {left} lines of traces and of what was captured not shown\n");
    let rest = room.checked_sub(before.len() + after.len() + mark.len())?;
    let list = failed_tests::list(&failed, rest).filter(|_| !failed.is_empty())?;
    Some(format!("{before}{list}{mark}{after}"))
}

/// A line of the summary about a test that failed.
fn is_summed_up(line: &str) -> bool {
    line.starts_with("FAILED ") || line.starts_with("ERROR ")
}

/// A failure in one line (`--tb=line`).
fn in_a_line(line: &str) -> Option<Failed<'_>> {
    let found = place(line).filter(|found| found.sign == ':' && !found.rest.is_empty())?;
    let at = line.get(found.file.len() + 1..)?.split(':').next()?;
    Some(Failed { file: found.file, at, wording: found.rest.to_owned(), ..Failed::default() })
}

impl<'t> Failure<'t> {
    /// Which test it is, where in the user's own files it failed, and what was said first.
    fn in_a_list(&self) -> Failed<'t> {
        let frames = || {
            self.parts.iter().filter_map(|part| match part {
                Part::Frame(frame) => Some(frame),
                Part::Line(_) => None,
            })
        };
        let own = frames().find(|frame| !frame.foreign).or_else(|| frames().next());
        let (file, at) = own.and_then(|frame| frame.place.rsplit_once(':')).unwrap_or_default();
        Failed { file, at, suites: Vec::new(), name: self.name, wording: self.first_error().to_owned() }
    }
}
