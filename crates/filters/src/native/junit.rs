//! Reports of tests in JUnit's XML, which most runners can write: the counts that the report states, then each test that didn't
//! pass with its place and message. Owns that format alone; passed tests and what tests printed are left out, and it says so
//! where there were any.

use std::fmt::Write as _;

use super::json_tests::shortened;
use super::xml_findings::{attribute, end_of_tag, unescaped};
use crate::counted::counted;
use crate::data::within;
use crate::diagnostics::place;
use crate::guard::is_foreign;

/// Reports up to this size, in bytes, are left alone.
const SMALL: usize = 2_000;
/// What a failure takes at least and at most, in bytes.
const LEAST: usize = 160;
const MOST: usize = 2_000;
/// Suites that are named with their counts.
const SUITES: usize = 20;
/// What a report counts, in the order in which it's shown.
const COUNTS: [&str; 7] = ["tests", "failures", "errors", "skipped", "disabled", "assertions", "time"];
/// What says of a test that it didn't simply pass, and whether it failed.
const KINDS: [(&str, bool); 7] = [
    ("failure", true),
    ("error", true),
    ("skipped", false),
    ("rerunFailure", false),
    ("rerunError", false),
    ("flakyFailure", false),
    ("flakyError", false),
];

#[derive(Default)]
struct Report {
    /// The counts of the whole, if it states any.
    whole: String,
    /// Each suite's name and counts, and whether it counts failures.
    suites: Vec<(String, bool)>,
    problems: Vec<Problem>,
    tests: usize,
    /// How many of them something is reported of.
    reported: usize,
    /// Whether it has something that tests printed.
    printed: bool,
}

/// A test that didn't pass.
struct Problem {
    kind: &'static str,
    failed: bool,
    test: String,
    place: String,
    message: String,
    body: String,
}

/// The report in about `room` bytes, with what was printed around it.
pub(super) fn summary(text: &str, room: usize) -> Option<String> {
    if text.len() <= SMALL {
        return None;
    }
    let from = ["<?xml", "<testsuites", "<testsuite"].iter().filter_map(|open| text.find(*open)).min()?;
    let to = ["</testsuites>", "</testsuite>"]
        .iter()
        .filter_map(|close| text.rfind(*close).map(|at| at + close.len()))
        .max()
        .filter(|to| *to > from)?;
    let (before, after) = (text[..from].trim(), text[to..].trim());
    if before.len() + after.len() > room / 2 {
        return None;
    }
    let report = read(&text[from..to])?;
    let around = |out: &mut String, text: &str| {
        if !text.is_empty() {
            let _ = writeln!(out, "{text}");
        }
    };
    let short = within(room, |room| {
        let mut out = String::new();
        around(&mut out, before);
        written(&mut out, &report, room.saturating_sub(after.len() + 1));
        around(&mut out, after);
        out
    });
    (short.len() < text.len()).then_some(short)
}

/// Takes a document apart; nothing where it's none of tests.
fn read(document: &str) -> Option<Report> {
    let mut report = Report::default();
    let mut rest = document;
    // The suites that are open, one in the other.
    let mut suites: Vec<String> = Vec::new();
    // The test that is open, and its failure that isn't closed yet.
    let mut test: Option<(String, String)> = None;
    let mut open: Option<Problem> = None;
    // The last test, by its number, that something was reported of.
    let mut last = 0;
    while let Some((before, tag)) = rest.split_once('<') {
        if let Some(problem) = &mut open {
            problem.body.push_str(&unescaped(before));
        }
        if let Some(data) = tag.strip_prefix("![CDATA[") {
            let (data, behind) = data.split_once("]]>")?;
            if let Some(problem) = &mut open {
                problem.body.push_str(data);
            }
            rest = behind;
            continue;
        }
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = comment.split_once("-->")?.1;
            continue;
        }
        let end = end_of_tag(tag)?;
        rest = &tag[end + 1..];
        let closed = tag[..end].ends_with('/');
        let tag = tag[..end].trim_end_matches('/').trim_end();
        let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        match name {
            "testsuites" => report.whole = counts(attributes),
            "testsuite" => {
                let stated = |key| attribute(attributes, key).is_some_and(|count| count != "0");
                let suite = attribute(attributes, "name").unwrap_or_default();
                report.suites.push((
                    format!("{suite}: {}", counts(attributes)),
                    stated("failures") || stated("errors"),
                ));
                if !closed {
                    suites.push(suite);
                }
            }
            "/testsuite" => {
                suites.pop();
            }
            "testcase" => {
                report.tests += 1;
                let suite = suites.last().map_or("", String::as_str);
                test = Some((test_name(attributes, suite), stated_place(attributes, suite)));
            }
            "/testcase" => test = None,
            "system-out" | "system-err" => report.printed |= !closed && open.is_none(),
            name => {
                let kind = KINDS.iter().copied().find(|(kind, _)| *kind == name);
                if let (Some((kind, failed)), Some((test, at))) = (kind, &test) {
                    report.reported += usize::from(last != report.tests);
                    last = report.tests;
                    let problem = Problem {
                        kind,
                        failed,
                        test: test.clone(),
                        place: at.clone(),
                        message: attribute(attributes, "message").unwrap_or_default(),
                        body: String::new(),
                    };
                    if closed {
                        report.problems.push(problem);
                    } else {
                        open = Some(problem);
                    }
                } else if open.as_ref().is_some_and(|open| name.strip_prefix('/') == Some(open.kind)) {
                    report.problems.extend(open.take());
                }
            }
        }
    }
    (report.tests > 0 && !report.suites.is_empty()).then_some(report)
}

/// `tests=60, failures=2`, as the report states them.
fn counts(attributes: &str) -> String {
    let stated = |key: &&str| attribute(attributes, key).map(|count| format!("{key}={count}"));
    COUNTS.iter().filter_map(stated).collect::<Vec<_>>().join(", ")
}

/// A test's name within its class. One that names neither class nor file is known by its suite.
fn test_name(attributes: &str, suite: &str) -> String {
    let of = |key| attribute(attributes, key).unwrap_or_default();
    let (class, name) = (of("classname"), of("name"));
    let is_placed = !class.is_empty() || !stated_place(attributes, suite).is_empty();
    let within = if is_placed || name.starts_with(suite) { class.as_str() } else { suite };
    format!("{within} {name}").trim().to_owned()
}

/// The place that a test states; where it states a line alone, its suite is named after the file.
fn stated_place(attributes: &str, suite: &str) -> String {
    let line = attribute(attributes, "line");
    let is_file = |suite: &&str| line.is_some() && suite.contains(['/', '\\', '.']) && !suite.contains(' ');
    let of_suite = || Some(suite).filter(is_file).map(str::to_owned);
    let Some(file) = attribute(attributes, "file").or_else(of_suite) else { return String::new() };
    match (line, attribute(attributes, "column")) {
        (Some(line), Some(column)) => format!("{file}:{line}:{column}"),
        (Some(line), None) => format!("{file}:{line}"),
        (None, _) => file,
    }
}

fn written(out: &mut String, report: &Report, room: usize) {
    if !report.whole.is_empty() {
        let _ = writeln!(out, "{}", report.whole);
    }
    // Of many suites those that count failures are named.
    let all = report.suites.len() <= SUITES;
    let named: Vec<&String> = report
        .suites
        .iter()
        .filter(|(_, failed)| all || *failed)
        .map(|(suite, _)| suite)
        .take(SUITES)
        .collect();
    named.iter().for_each(|suite| {
        let _ = writeln!(out, "{suite}");
    });
    if named.len() < report.suites.len() {
        let _ = writeln!(out, "… {}", counted(report.suites.len() - named.len(), "more suites"));
    }
    // A linter's report in this form has no test that passed.
    let gone = [(report.tests > report.reported, "passed tests"), (report.printed, "what tests printed")];
    let gone: Vec<&str> = gone.into_iter().filter(|(any, _)| *any).map(|(_, what)| what).collect();
    if !gone.is_empty() {
        let _ = writeln!(out, "left out: {}", gone.join(", "));
    }
    let failures = report.problems.iter().filter(|problem| problem.failed).count();
    let each = (room.saturating_sub(out.len()) / (failures + 1)).clamp(LEAST, MOST);
    let mut left_out = 0;
    for problem in report.problems.iter().filter(|problem| problem.failed) {
        if out.len() + each > room {
            left_out += 1;
            continue;
        }
        out.push_str(&failure(problem, each));
    }
    if left_out > 0 {
        let _ = writeln!(out, "… {}", counted(left_out, "more failed tests"));
    }
    let mut others_left_out = 0;
    for problem in report.problems.iter().filter(|problem| !problem.failed) {
        let reason = problem.message.lines().next().unwrap_or_default();
        let line = format!("{}: {}", problem.kind, problem.test);
        let line = if reason.is_empty() { format!("{line}\n") } else { format!("{line}: {reason}\n") };
        if out.len() + line.len() > room {
            others_left_out += 1;
        } else {
            out.push_str(&line);
        }
    }
    if others_left_out > 0 {
        let _ = writeln!(out, "… {}", counted(others_left_out, "more tests that are skipped or flaky"));
    }
}

/// A failed test in about `room` bytes: its name and place, the message, and what is below it.
fn failure(problem: &Problem, room: usize) -> String {
    let mut out = format!("{}: {}", problem.kind, problem.test);
    // Runners that state no place write it into the text, the innermost one last.
    let in_text = || {
        let own = |line: &&str| place(line).is_some() && !is_foreign(line);
        let line = problem.body.lines().map(str::trim).rfind(own)?;
        let found = place(line)?;
        Some(format!("{}:{}", found.file, found.at))
    };
    let at = Some(problem.place.clone()).filter(|at| !at.is_empty()).or_else(in_text);
    if let Some(at) = at {
        let _ = write!(out, " ({at})");
    }
    out.push('\n');
    let mut text = problem.message.clone();
    let first = problem.message.lines().next().unwrap_or_default();
    if first.is_empty() || problem.body.contains(first) {
        text.clear();
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&problem.body);
    let left = room.saturating_sub(out.len()).max(LEAST / 2);
    out.push_str(&shortened(&text, left));
    out
}

#[cfg(test)]
mod tests;
