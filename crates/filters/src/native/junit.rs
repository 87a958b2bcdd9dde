//! Reports of tests in JUnit's XML, which most runners can write: the counts that the report states, then each test that didn't
//! pass with its place and message. Owns that format alone; passed tests and what tests printed are left out, and it says so
//! where there were any.

mod by_file;

use std::fmt::Write as _;

use by_file::by_file;

use super::json_tests::shortened;
use super::xml_findings::{attribute, end_of_tag, unescaped};
use crate::cap::ends_of;
use crate::counted::counted;
use crate::data::within;
use crate::diagnostics::place;
use crate::guard::is_foreign;

/// Reports up to this size, in bytes, are left alone.
const SMALL: usize = 2_000;
/// The minimum and maximum room for a failure, in bytes.
const LEAST: usize = 160;
const MOST: usize = 2_000;
/// With less than this for each, in bytes, failures are a list by file.
const LISTED: usize = 240;
/// Reports, and suites, that are shown with their counts.
const SUITES: usize = 20;
/// A report's counts, in the order in which they're shown.
const COUNTS: [&str; 7] = ["tests", "failures", "errors", "skipped", "disabled", "assertions", "time"];
/// The elements that mark a test that didn't simply pass, and whether it failed.
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
    /// The counts of the whole of each document that states any.
    wholes: Vec<String>,
    /// Each suite's name and counts, and whether it counts failures.
    suites: Vec<(String, bool)>,
    problems: Vec<Problem>,
    tests: usize,
    /// How many of them have a report.
    reported: usize,
    /// Whether it has output that tests printed.
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
    /// What the test printed, where the failure has no more words than its message.
    printed: String,
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
        write_report(&mut out, &report, room.saturating_sub(after.len() + 1));
        around(&mut out, after);
        out
    });
    (short.len() < text.len()).then_some(short)
}

/// Parses one or several documents; `None` if it isn't about tests, or if there is other text around its elements.
fn read(document: &str) -> Option<Report> {
    let mut reader = Reader::default();
    let mut rest = document;
    while let Some((before, tag)) = rest.split_once('<') {
        reader.words(&unescaped(before))?;
        if let Some(data) = tag.strip_prefix("![CDATA[") {
            let (data, behind) = data.split_once("]]>")?;
            reader.words(data)?;
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
        reader.tag(name, attributes, closed)?;
    }
    let report = reader.report;
    (report.tests > 0 && !report.suites.is_empty()).then_some(report)
}

/// The parser's state within a document.
#[derive(Default)]
struct Reader {
    report: Report,
    /// Whether there is an element around all suites, and these, one in the other.
    whole: bool,
    suites: Vec<String>,
    /// The test, with its place.
    test: Option<(String, String)>,
    /// The failure.
    problem: Option<Problem>,
    /// How many elements other than suites and tests: words are only within these.
    others: usize,
    /// What the test has printed, and whether that is being read.
    printed: String,
    prints: bool,
    /// The last test with a report, by its number.
    last: usize,
}

impl Reader {
    /// Takes the text up to the next tag; `None` where a report has none.
    fn words(&mut self, words: &str) -> Option<()> {
        if let Some(problem) = &mut self.problem {
            problem.body.push_str(words);
        } else if self.prints {
            self.printed.push_str(words);
        }
        let is_blank = || words.chars().all(|c| c.is_whitespace() || c == '\u{feff}');
        (self.others > 0 || is_blank()).then_some(())
    }

    /// Takes a tag; `None` if it belongs to another format.
    fn tag(&mut self, name: &str, attributes: &str, closed: bool) -> Option<()> {
        match name {
            "testsuites" => {
                self.whole = !closed;
                let stated = counts(attributes);
                self.report.wholes.extend(Some(stated).filter(|stated| !stated.is_empty()));
            }
            "testsuite" => {
                let stated = |key| attribute(attributes, key).is_some_and(|count| count != "0");
                let suite = attribute(attributes, "name").unwrap_or_default();
                self.report.suites.push((
                    format!("{suite}: {}", counts(attributes)),
                    stated("failures") || stated("errors"),
                ));
                if !closed {
                    self.suites.push(suite);
                }
            }
            "/testsuite" => {
                self.suites.pop();
            }
            "testcase" => {
                self.report.tests += 1;
                let suite = self.suites.last().map_or("", String::as_str);
                let test = || (test_name(attributes, suite), stated_place(attributes, suite));
                self.test = (!closed).then(test);
            }
            "/testcase" => self.end_test(),
            "/testsuites" => self.whole = false,
            name if name.starts_with(['?', '!']) => {}
            name => match name.strip_prefix('/') {
                Some(name) => self.end(name),
                None if self.whole || !self.suites.is_empty() => self.element(name, attributes, closed),
                None => return None,
            },
        }
        Some(())
    }

    fn end_test(&mut self) {
        // A runner that writes `1 < 2` without an escape hides the end of its failure.
        self.report.problems.extend(self.problem.take());
        let is_wordless = |problem: &&mut Problem| problem.failed && problem.body.trim().is_empty();
        if self.last == self.report.tests
            && let Some(problem) = self.report.problems.last_mut().filter(is_wordless)
        {
            problem.printed = ends_of(&self.printed, MOST / 2);
        }
        self.printed.clear();
        self.test = None;
    }

    fn end(&mut self, name: &str) {
        self.others = self.others.saturating_sub(1);
        self.prints &= !matches!(name, "system-out" | "system-err");
        if self.problem.as_ref().is_some_and(|problem| problem.kind == name) {
            self.report.problems.extend(self.problem.take());
        }
    }

    fn element(&mut self, name: &str, attributes: &str, closed: bool) {
        self.others += usize::from(!closed);
        if self.problem.is_some() {
            return;
        }
        if matches!(name, "system-out" | "system-err") {
            self.report.printed |= !closed;
            self.prints = !closed && self.test.is_some();
            return;
        }
        let Some((kind, failed)) = KINDS.iter().copied().find(|(kind, _)| *kind == name) else { return };
        // A failure outside the tests belongs to the suite.
        let (test, place) = match &self.test {
            Some(test) => {
                self.report.reported += usize::from(self.last != self.report.tests);
                self.last = self.report.tests;
                test.clone()
            }
            None => (self.suites.last().cloned().unwrap_or_default(), String::new()),
        };
        let stated = |key| attribute(attributes, key).filter(|stated| !stated.is_empty());
        let message = stated("message").or_else(|| stated("type")).unwrap_or_default();
        let problem =
            Problem { kind, failed, test, place, message, body: String::new(), printed: String::new() };
        if closed {
            self.report.problems.push(problem);
        } else {
            self.problem = Some(problem);
        }
    }
}

/// `tests=60, failures=2`, as the report states them.
fn counts(attributes: &str) -> String {
    let stated = |key: &&str| attribute(attributes, key).map(|count| format!("{key}={count}"));
    COUNTS.iter().filter_map(stated).collect::<Vec<_>>().join(", ")
}

/// A test's name within its class. A test without class and file is named by its suite.
fn test_name(attributes: &str, suite: &str) -> String {
    let of = |key| attribute(attributes, key).unwrap_or_default();
    let (class, name) = (of("classname"), of("name"));
    let is_placed = !class.is_empty() || !stated_place(attributes, suite).is_empty();
    let within = if is_placed || name.starts_with(suite) { class.as_str() } else { suite };
    if within == name { name } else { format!("{within} {name}").trim().to_owned() }
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

fn write_report(out: &mut String, report: &Report, room: usize) {
    report.wholes.iter().take(SUITES).for_each(|whole| {
        let _ = writeln!(out, "{whole}");
    });
    if report.wholes.len() > SUITES {
        let _ = writeln!(out, "… {}", counted(report.wholes.len() - SUITES, "more reports"));
    }
    // Among many suites, those with failures are named.
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
    let share = room.saturating_sub(out.len()) / (failures + 1);
    let list = (share < LISTED).then(|| by_file(report, room.saturating_sub(out.len()))).flatten();
    let each = share.clamp(LEAST, MOST);
    let mut left_out = 0;
    list.iter().for_each(|list| out.push_str(list));
    for problem in report.problems.iter().filter(|problem| problem.failed && list.is_none()) {
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

/// The place that the report states; other runners write it into the text, the innermost one last.
fn where_failed(problem: &Problem) -> Option<String> {
    let in_text = || {
        let bare = |line: &str| line.trim_start_matches(['❯', ' ', '\t']).trim_end().to_owned();
        let own = |line: &&str| place(line).is_some() && !is_foreign(line);
        let line = problem.body.lines().map(str::trim).rfind(own).map(bare)?;
        let found = place(&line)?;
        Some(format!("{}:{}", found.file, found.at))
    };
    Some(problem.place.clone()).filter(|at| !at.is_empty()).or_else(in_text)
}

/// A failed test in about `room` bytes: its name and place, the message, and the lines below it.
fn failure(problem: &Problem, room: usize) -> String {
    let mut out = format!("{}: {}", problem.kind, problem.test);
    if let Some(at) = where_failed(problem) {
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
    text.push_str(&problem.printed);
    let left = room.saturating_sub(out.len()).max(LEAST / 2);
    out.push_str(&shortened(&text, left));
    out
}

#[cfg(test)]
mod tests;
