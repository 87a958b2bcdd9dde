//! Reports of test runners in JSON (`jest --json`, `vitest --reporter=json`): the runner's own counts, and each test that didn't
//! pass with its file and its messages. Owns how they're shown and the format of these two; other runners have files of
//! their own. A report with any other status is left to `json`.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::numbers::as_written;
use crate::counted::counted;
use crate::data::within;
use crate::normal::normalise;

mod mocha;
mod playwright;

/// The minimum and maximum room for a failure's messages, in bytes.
const LEAST: usize = 160;
const MOST: usize = 2_000;
/// Longest list among the runner's counts that is shown, in bytes.
const LONG_LIST: usize = 200;

/// A file of tests.
struct Suite<'v> {
    file: &'v str,
    /// The runner's report about the file beyond its failed tests: that it couldn't run, or a failure outside them.
    /// Empty if it only reports that the file failed.
    broken: Option<String>,
    failed: Vec<Failure<'v>>,
    /// Tests that neither passed nor failed: their status and their names.
    others: Vec<(&'v str, Cow<'v, str>)>,
}

struct Failure<'v> {
    name: Cow<'v, str>,
    messages: Vec<Cow<'v, str>>,
}

/// A run's own counts, as they are shown, and its files.
type Run<'v> = (String, Vec<Suite<'v>>);

/// The report in about `room` bytes.
pub(super) fn summary(report: &Value, room: usize) -> Option<String> {
    let report = report.as_object()?;
    let (head, suites) = jest(report).or_else(|| mocha::run(report)).or_else(|| playwright::run(report))?;
    Some(within(room, |room| written(&head, &suites, room)))
}

fn jest(report: &Map<String, Value>) -> Option<Run<'_>> {
    report.get("success")?.as_bool()?;
    let suites: Vec<Suite<'_>> =
        report.get("testResults")?.as_array()?.iter().map(suite).collect::<Option<_>>()?;
    (!suites.is_empty()).then(|| (head(report), suites))
}

fn suite(value: &Value) -> Option<Suite<'_>> {
    let fields = value.as_object()?;
    let mut suite =
        Suite { file: text(fields, "name")?, broken: None, failed: Vec::new(), others: Vec::new() };
    for test in fields.get("assertionResults")?.as_array()? {
        let test = test.as_object()?;
        let (name, status) = (text(test, "fullName")?, text(test, "status")?);
        match status {
            "passed" => {}
            "failed" => {
                let messages = test.get("failureMessages")?.as_array()?;
                let messages = messages.iter().filter_map(Value::as_str).map(Cow::Borrowed).collect();
                suite.failed.push(Failure { name: Cow::Borrowed(name), messages });
            }
            "pending" | "skipped" | "todo" | "disabled" | "focused" => {
                suite.others.push((status, Cow::Borrowed(name)));
            }
            _ => return None,
        }
    }
    if text(fields, "status") == Some("failed") {
        let told = text(fields, "message").and_then(|message| beyond(message, &suite.failed));
        // Where a hook of a group fails, Vitest has no failed test and no message.
        suite.broken = told.or_else(|| suite.failed.is_empty().then(String::new));
    }
    Some(suite)
}

/// The part of a file's message that its failed tests don't have: Jest repeats each of them there, under its titles.
fn beyond(message: &str, failed: &[Failure<'_>]) -> Option<String> {
    let plain = normalise(message);
    let told: Vec<_> =
        failed.iter().flat_map(|failure| &failure.messages).map(|message| normalise(message)).collect();
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    for line in plain.lines().filter(|line| !line.trim().is_empty()) {
        match blocks.last_mut() {
            Some(block) if !line.trim_start().starts_with("● ") => block.push(line),
            _ => blocks.push(vec![line]),
        }
    }
    let is_told = |block: &[&str]| match block.first().and_then(|first| first.trim().strip_prefix("● ")) {
        Some(titles) => {
            let name = titles.replace(" › ", " ");
            failed.iter().any(|failure| failure.name == name)
        }
        None => block.iter().all(|line| told.iter().any(|message| message.contains(line.trim()))),
    };
    let new: Vec<String> =
        blocks.iter().filter(|block| !is_told(block)).map(|block| block.join("\n")).collect();
    (!new.is_empty()).then(|| new.join("\n"))
}

fn text<'v>(fields: &'v Map<String, Value>, key: &str) -> Option<&'v str> {
    fields.get(key)?.as_str()
}

fn written(head: &str, suites: &[Suite<'_>], room: usize) -> String {
    let mut out = head.to_owned();
    let failures: usize =
        suites.iter().map(|suite| suite.failed.len() + usize::from(suite.broken.is_some())).sum();
    let each = (room.saturating_sub(out.len()) / (failures + 1)).clamp(LEAST, MOST);
    let (mut left_out, mut files_left_out) = (0, 0);
    for suite in suites {
        if let Some(broken) = &suite.broken {
            if out.len() + each > room {
                files_left_out += 1;
            } else {
                let _ = writeln!(out, "failed: {}", suite.file);
                out.push_str(&shortened(broken, each));
            }
        }
        let mut named = false;
        for failure in &suite.failed {
            // Those that don't fit are counted.
            if out.len() + each > room {
                left_out += 1;
                continue;
            }
            if !std::mem::replace(&mut named, true) {
                let _ = writeln!(out, "{}", suite.file);
            }
            let _ = writeln!(out, "  failed: {}", failure.name);
            let share = each / failure.messages.len().max(1);
            failure.messages.iter().for_each(|message| out.push_str(&shortened(message, share)));
        }
    }
    for (count, what) in [(files_left_out, "more failed files"), (left_out, "more failed tests")] {
        if count > 0 {
            let _ = writeln!(out, "… {}", counted(count, what));
        }
    }
    let mut others_left_out = 0;
    for suite in suites.iter().filter(|suite| !suite.others.is_empty()) {
        let names: Vec<String> =
            suite.others.iter().map(|(status, name)| format!("  {status}: {name}\n")).collect();
        let lines = format!("{}\n{}", suite.file, names.concat());
        if out.len() + lines.len() > room {
            others_left_out += suite.others.len();
        } else {
            out.push_str(&lines);
        }
    }
    if others_left_out > 0 {
        let _ = writeln!(out, "… {}", counted(others_left_out, "more tests that didn't run"));
    }
    out
}

/// A runner's counts in an object of their own, all of them, and the names of omitted fields.
fn head_of(counts: &Map<String, Value>, left_out: &[(&str, u64)]) -> String {
    let counts: Vec<String> =
        counts.iter().map(|(name, value)| format!("stats.{name}={}", figure(value))).collect();
    let left_out: Vec<&str> =
        left_out.iter().filter(|(_, count)| *count > 0).map(|(what, _)| *what).collect();
    let left_out =
        if left_out.is_empty() { String::new() } else { format!("left out: {}\n", left_out.join(", ")) };
    format!("{}\n{left_out}", counts.join(", "))
}

/// The report's own counts above zero and its information about the run, and the names of omitted fields.
fn head(report: &Map<String, Value>) -> String {
    let passed = report.get("numPassedTests").is_none_or(says).then(|| "passed tests".to_owned());
    let (mut counts, mut left_out) = (Vec::new(), Vec::from_iter(passed));
    for (key, value) in report.iter().filter(|(key, value)| *key != "testResults" && says(value)) {
        match value {
            Value::Object(fields) if fields.values().all(|value| !value.is_object()) => {
                for (name, value) in fields.iter().filter(|(_, value)| says(value)) {
                    let shown = figure(value);
                    if value.is_array() && shown.len() > LONG_LIST {
                        left_out.push(format!("{key}.{name}"));
                    } else {
                        counts.push(format!("{key}.{name}={shown}"));
                    }
                }
            }
            Value::Object(_) | Value::Array(_) => left_out.push(key.clone()),
            _ if key == "startTime" => left_out.push(key.clone()),
            value => counts.push(format!("{key}={}", figure(value))),
        }
    }
    if report.get("success") == Some(&Value::Bool(false)) {
        counts.push("success=false".to_owned());
    }
    let left_out = left_out.join(", ");
    let named = if left_out.is_empty() { String::new() } else { format!("left out: {left_out}\n") };
    format!("{}\n{named}", counts.join(", "))
}

/// Whether a value isn't empty.
fn says(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(yes) => *yes,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

fn figure(value: &Value) -> String {
    as_written(value).map_or_else(|| value.to_string(), str::to_owned)
}

/// A message in about `room` bytes without frames of packages and of the runtime, which are counted.
pub(super) fn shortened(message: &str, room: usize) -> String {
    let plain = normalise(message);
    let (mut out, mut frames) = (String::new(), 0_usize);
    for line in plain.lines().filter(|line| !line.trim().is_empty()) {
        if is_foreign(line) {
            frames += 1;
        } else {
            let _ = writeln!(out, "    {line}");
        }
    }
    if out.len() > room {
        let end = out.floor_char_boundary(room);
        let end = out[..end].rfind('\n').map_or(end, |at| at + 1);
        let left = out.len() - end;
        out.truncate(end);
        if !out.ends_with('\n') {
            out.push_str("…\n");
        }
        let _ = writeln!(out, "    … {}", counted(left, "more bytes"));
    }
    if frames > 0 {
        let _ = writeln!(out, "    … {}", counted(frames, "library frames"));
    }
    out
}

/// A frame that isn't the project's own.
fn is_foreign(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("at ")
        && ["node_modules", "(node:", "at node:", "(<anonymous>)"].iter().any(|part| line.contains(part))
}

#[cfg(test)]
mod tests;
