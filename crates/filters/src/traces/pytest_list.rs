//! pytest's report with its failures as a list, for when not even one line per failure fits: each test under its
//! file, with its place and message. Owns which other parts of the report stay.

use std::collections::HashMap;

use super::failed_tests::{self, Failed};
use super::pytest_report::{Failure, Frame, Part, failures, is_progress, is_rule, is_section, push};
use super::pytest_summary::{FailureLines, id_and_message};
use crate::cap::ends_of;
use crate::counted::counted;
use crate::diagnostics::place;

/// The report with its failures as a list, where not even their own lines all fit.
pub(super) fn listed(lines: &[&str], room: usize) -> Option<String> {
    let (mut before, mut after) = (String::new(), String::new());
    let mut failed: Vec<Failed<'_>> = Vec::new();
    let mut places: Vec<&str> = Vec::new();
    let (mut left, mut at) = (0, 0);
    let (mut summed_up, mut in_summary) = (Vec::new(), false);
    let above = FailureLines::new(lines);
    while let Some(line) = lines.get(at) {
        at += 1;
        if !is_section(line) {
            in_summary = is_summed_up(line) || in_summary && above.goes_on(line);
            match (failed.is_empty(), is_summed_up(line)) {
                (true, _) if !is_progress(line) => push(&mut before, line),
                (false, true) => summed_up.push(*line),
                // The failure has this part of its message, too.
                (false, false) if in_summary => left += 1,
                (false, false) => push(&mut after, line),
                _ => {}
            }
            continue;
        }
        let end = lines[at..].iter().position(|line| is_rule(line)).map_or(lines.len(), |end| at + end);
        let found = failed.len();
        let section = failures(&lines[at..end]);
        for (test, place) in section.iter().map(Failure::in_a_list) {
            failed.push(test);
            places.push(place);
        }
        if section.is_empty() {
            failed.extend(lines[at..end].iter().filter_map(|line| in_a_line(line)));
        }
        left += (end - at).saturating_sub(failed.len() - found);
        at = end;
    }
    name_by_summary(&mut failed, &places, &summed_up);
    // A failure without a trace is only named in the summary.
    if summed_up.len() > failed.len() {
        summed_up.iter().for_each(|line| push(&mut after, line));
    }
    let others = room / 4;
    let (before, after) = (ends_of(&before, others), ends_of(&after, others));
    let mark = format!("… {} of traces and of what was captured not shown\n", counted(left, "lines"));
    let rest = room.checked_sub(before.len() + after.len() + mark.len())?;
    let list = failed_tests::list(&failed, rest).filter(|_| !failed.is_empty())?;
    Some(format!("{before}{list}{mark}{after}"))
}

/// Gives each test the name by which it can be run again, and its own file: an error around it may come from another one.
fn name_by_summary<'t>(failed: &mut [Failed<'t>], places: &[&'t str], summed_up: &[&'t str]) {
    let mut ids: HashMap<String, Vec<(&'t str, &'t str)>> = HashMap::new();
    for line in summed_up.iter().rev() {
        let Some((word, rest)) = line.split_once(' ') else { continue };
        let (id, message) = id_and_message(rest);
        if let Some((_, test)) = id.split_once("::") {
            ids.entry(format!("{word} {}", test.replace("::", "."))).or_default().push((id, message));
        }
    }
    for (test, place) in failed.iter_mut().zip(places) {
        let (word, when, name) =
            match test.name.strip_prefix("ERROR at ").and_then(|rest| rest.split_once(" of ")) {
                Some((when, name)) => ("ERROR", when, name),
                None => ("FAILED", "", test.name),
            };
        let named = ids.get_mut(&format!("{word} {name}")).and_then(Vec::pop);
        let Some((id, message)) = named else { continue };
        let Some((file, name)) = id.split_once("::") else { continue };
        if test.file != file {
            test.at = place;
        }
        (test.file, test.name, test.id) = (file, name, id);
        // A test that passed against its mark has no error.
        if test.wording.is_empty() {
            message.clone_into(&mut test.wording);
        }
        if !when.is_empty() {
            test.wording = format!("at {when}: {}", test.wording);
        }
    }
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
    /// Which test it is, where in the user's own files it failed, and its first message; and that place with its file.
    fn in_a_list(&self) -> (Failed<'t>, &'t str) {
        let frames = || {
            self.parts.iter().filter_map(|part| match part {
                Part::Frame(frame) => Some(frame),
                Part::Line(_) => None,
            })
        };
        let own = frames().find(|frame| !frame.foreign).or_else(|| frames().next());
        let place = own.map_or("", |frame| frame.place);
        let (file, at) = place.rsplit_once(':').unwrap_or_default();
        let mut statement =
            own.map(Frame::line).filter(|line| line.len() > place.len() + 1).unwrap_or_default();
        if let Some(last) = frames().next_back().filter(|last| !statement.is_empty() && last.place != place) {
            statement += &format!(" → {}", last.place);
        }
        let wording = self.first_error().to_owned();
        (Failed { file, at, name: self.name, wording, statement, ..Failed::default() }, place)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pytest::pytest;

    /// Its section has no line of an error, and its reason may have several lines in the summary.
    #[test]
    fn a_test_that_passes_against_its_mark_keeps_its_reason() {
        let (mut text, mut summary) = (format!("{:=^80}\n", " FAILURES "), String::new());
        for n in 10..50 {
            let name = format!("test_total_of_a_cart_with_{n}_lines");
            let heading = format!(" {name} ");
            text += &format!(
                "{heading:_^80}\n\n    def {name}():\n>       assert total({n}) == 8\nE       assert {n} == 8\n\ntests/test_cart.py:{n}: AssertionError\n"
            );
            summary += &format!("FAILED tests/test_cart.py::{name} - assert {n} == 8\n");
        }
        text += &format!("{:_^80}\n[XPASS(strict)] rounds wrongly\n  since May\n", " test_rounds ");
        summary += "FAILED tests/test_cart.py::test_rounds - [XPASS(strict)] rounds wrongly\n  since May\n";
        let info = format!("{:=^80}\n", " short test summary info ");
        let text = text + &info + &summary + &format!("{:=^80}\n", " 41 failed in 0.12s ");
        let (out, _) = pytest(&text, 4_000).unwrap();
        assert!(out.len() <= 4_000 && out.contains(" 41 failed in 0.12s "), "{out}");
        assert!(out.contains("[XPASS(strict)] rounds wrongly") && !out.contains("\n  since May"), "{out}");
    }
}
