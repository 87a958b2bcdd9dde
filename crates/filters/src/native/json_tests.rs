//! Reports of test runners in JSON (`jest --json`, `vitest --reporter=json`): the runner's own counts, and each test that didn't
//! pass with its file and its messages. Owns that format alone; a report with any other status is left to `json`.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::numbers::as_written;
use crate::counted::counted;
use crate::data::within;
use crate::normal::normalise;

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
    others: Vec<(&'v str, &'v str)>,
}

struct Failure<'v> {
    name: &'v str,
    messages: Vec<&'v str>,
}

/// The report in about `room` bytes.
pub(super) fn summary(report: &Value, room: usize) -> Option<String> {
    let is_report = |fields: &&Map<String, Value>| fields.get("success").is_some_and(Value::is_boolean);
    let report = report.as_object().filter(is_report)?;
    let suites: Vec<Suite<'_>> =
        report.get("testResults")?.as_array()?.iter().map(suite).collect::<Option<_>>()?;
    (!suites.is_empty()).then(|| within(room, |room| written(report, &suites, room)))
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
                let messages = messages.iter().filter_map(Value::as_str).collect();
                suite.failed.push(Failure { name, messages });
            }
            "pending" | "skipped" | "todo" | "disabled" | "focused" => suite.others.push((status, name)),
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

fn written(report: &Map<String, Value>, suites: &[Suite<'_>], room: usize) -> String {
    let mut out = head(report);
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
mod tests {
    use serde_json::{Value, json};

    use super::summary;

    /// Eight files with twelve tests each: those in `failed` fail, and one is pending.
    fn report(failed: &[(usize, usize)]) -> Value {
        let test = |file: usize, nth: usize| {
            let fails = failed.contains(&(file, nth));
            let status = if fails {
                "failed"
            } else if (file, nth) == (4, 4) {
                "pending"
            } else {
                "passed"
            };
            let message = format!(
                "Error: \u{1b}[2mexpect(\u{1b}[22mreceived).toBe(expected)\n\nExpected: {}\nReceived: {nth}\n    at Object.toBe (/srv/shop/cart{file}.test.js:{}:19)\n    at call (/srv/shop/node_modules/jest-circus/run.js:1:2)\n    at new Promise (<anonymous>)\n    at Object.<anonymous> (/srv/shop/cart{file}.test.js:7:3)",
                file + 1_000,
                nth + 20
            );
            let messages: Vec<String> = if fails { vec![message] } else { Vec::new() };
            json!({"ancestorTitles": [format!("cart {file}")], "fullName": format!("cart {file} keeps item {nth}"), "status": status, "title": format!("keeps item {nth}"), "failureMessages": messages, "duration": nth})
        };
        let suites: Vec<Value> = (0..8)
            .map(|file| {
                let tests: Vec<Value> = (0..12).map(|nth| test(file, nth)).collect();
                json!({"name": format!("/srv/shop/cart{file}.test.js"), "status": "passed", "message": "", "assertionResults": tests})
            })
            .collect();
        let passed = 95 - failed.len();
        json!({"numFailedTests": failed.len(), "numPassedTests": passed, "numPendingTests": 1, "numTodoTests": 0, "numTotalTests": 96, "snapshot": {"added": 0, "unmatched": 3}, "startTime": 1_700_000_000_000_u64, "success": failed.is_empty(), "testResults": suites})
    }

    #[test]
    fn each_failure_has_its_file_and_its_message_and_counts_are_the_runners_own() {
        let short = summary(&report(&[(2, 5), (6, 1)]), 24_000).expect("a report");
        for fact in [
            "numFailedTests=2",
            "numPassedTests=93",
            "numTotalTests=96",
            "snapshot.unmatched=3",
            "success=false",
            "left out: passed tests, startTime\n",
            "/srv/shop/cart2.test.js\n  failed: cart 2 keeps item 5\n    Error: expect(received).toBe(expected)\n",
            "Expected: 1002",
            "cart2.test.js:25:19",
            "at Object.<anonymous> (/srv/shop/cart2.test.js:7:3)",
            "  failed: cart 6 keeps item 1\n",
            "cart6.test.js:21:19",
            "… 2 library frames",
            "/srv/shop/cart4.test.js\n  pending: cart 4 keeps item 4\n",
        ] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        assert!(!short.contains("cart 1 keeps") && !short.contains("numTodoTests"), "{short}");
        let green = summary(&report(&[]), 24_000).expect("a report");
        assert!(green.contains("success=true") && !green.contains("failed:"), "{green}");
    }

    #[test]
    fn such_a_report_is_recognised_among_json() {
        let report = report(&[(2, 5)]);
        assert_eq!(crate::native::json(&report.to_string(), 24_000), summary(&report, 24_000));
        // Results of other tools have fields that a summary of tests would lose.
        let other = json!({"testResults": [{"name": "probe", "score": 7, "assertionResults": []}]});
        assert_eq!(summary(&other, 24_000), None);
    }

    #[test]
    fn failures_that_do_not_fit_are_counted() {
        let failed: Vec<(usize, usize)> =
            (0..8).flat_map(|file| (0..12).map(move |nth| (file, nth))).filter(|at| *at != (4, 4)).collect();
        for room in [2_000, 6_000] {
            let short = summary(&report(&failed), room).expect("a report");
            assert!(short.len() <= room, "{room}: {short}");
            let left: usize = short
                .lines()
                .find_map(|line| line.strip_prefix("… ")?.strip_suffix(" more failed tests")?.parse().ok())
                .expect("a count");
            assert_eq!(left + short.matches("  failed: ").count(), 95, "{short}");
            assert!(short.contains("\nleft out: startTime\n"), "{short}");
        }
    }

    #[test]
    fn a_file_that_did_not_run_shows_why() {
        let report = json!({"numRuntimeErrorTestSuites": 1, "success": false, "testResults": [{"name": "/srv/shop/a.test.js", "status": "failed", "message": "Cannot find module './b' from 'a.test.js'", "assertionResults": []}]});
        let short = summary(&report, 24_000).expect("a report");
        assert!(
            short.contains("failed: /srv/shop/a.test.js\n    Cannot find module './b' from 'a.test.js'\n"),
            "{short}"
        );
    }

    #[test]
    fn a_file_that_failed_without_a_message_is_named() {
        let test = json!({"fullName": "cart keeps it", "status": "skipped", "failureMessages": []});
        let report = json!({"numFailedTestSuites": 1, "success": false, "testResults": [{"name": "/srv/shop/a.test.js", "status": "failed", "message": "", "assertionResults": [test]}]});
        let short = summary(&report, 24_000).expect("a report");
        assert!(short.contains("failed: /srv/shop/a.test.js\n"), "{short}");
        assert!(short.contains("skipped: cart keeps it"), "{short}");
    }

    #[test]
    fn a_long_list_among_the_counts_takes_no_room_from_failures() {
        let mut report = report(&[(2, 5)]);
        let keys: Vec<String> = (0..400).map(|n| format!("cart keeps its total {n}")).collect();
        report["snapshot"] = json!({"unchecked": 400, "filesRemovedList": ["a.snap"], "uncheckedKeysByFile": [{"filePath": "/srv/shop/a.test.js", "keys": keys}]});
        let short = summary(&report, 6_000).expect("a report");
        for fact in [
            "snapshot.unchecked=400",
            r#"snapshot.filesRemovedList=["a.snap"]"#,
            "left out: passed tests, snapshot.uncheckedKeysByFile, startTime\n",
            "  failed: cart 2 keeps item 5\n",
            "Expected: 1002",
        ] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        assert!(!short.contains("keeps its total"), "{short}");
    }

    #[test]
    fn failures_outside_tests_are_shown_and_each_failed_test_once() {
        let failing = "Error: expect(received).toBe(expected)\n\nExpected: 2";
        let again = "  ● cart › keeps \u{1b}[1mit\u{1b}[22m\n\n    Error: expect(received).toBe(expected)\n\n    Expected: 2\n\n";
        let after = "  ● Test suite failed to run\n\n    Error: the connection is still open\n";
        let report = |message: &str| {
            json!({"success": false, "testResults": [{"name": "/srv/shop/a.test.js", "status": "failed", "message": message, "assertionResults": [
                {"fullName": "cart keeps it", "status": "failed", "failureMessages": [failing]}
            ]}]})
        };
        for message in ["", again, failing] {
            let short = summary(&report(message), 24_000).expect("a report");
            assert_eq!(short.matches("Expected: 2").count(), 1, "{short}");
            assert!(!short.contains("failed: /srv"), "{short}");
        }
        for message in [format!("{again}{after}"), format!("{after}{again}"), after.to_owned()] {
            let short = summary(&report(&message), 24_000).expect("a report");
            assert!(short.contains("failed: /srv/shop/a.test.js\n"), "{short}");
            assert_eq!(short.matches("the connection is still open").count(), 1, "{short}");
            assert_eq!(short.matches("Expected: 2").count(), 1, "{short}");
        }
    }

    #[test]
    fn files_that_did_not_run_and_do_not_fit_are_counted() {
        let suites: Vec<Value> = (0..200)
            .map(|file| json!({"name": format!("/srv/shop/a{file}.test.js"), "status": "failed", "message": "Cannot find module './b'", "assertionResults": []}))
            .collect();
        let short = summary(&json!({"success": false, "testResults": suites}), 3_000).expect("a report");
        assert!(short.len() <= 3_000, "{short}");
        let left: usize = short
            .lines()
            .find_map(|line| line.strip_prefix("… ")?.strip_suffix(" more failed files")?.parse().ok())
            .expect("a count");
        assert_eq!(left + short.matches("failed: /srv").count(), 200, "{short}");
    }

    #[test]
    fn other_reports_are_left_alone() {
        for other in [
            json!([1]),
            json!({"success": true, "testResults": []}),
            json!({"success": true, "testResults": [{"name": "a"}]}),
            json!({"success": true, "testResults": [{"name": "a", "assertionResults": [{"fullName": "b", "status": "maybe"}]}]}),
        ] {
            assert_eq!(summary(&other, 24_000), None, "{other}");
        }
    }
}
