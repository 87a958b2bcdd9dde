//! Playwright's report in JSON (`playwright test --reporter=json`). Owns its format alone.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{Failure, Run, Suite, head_of, text};
use crate::normal::normalise;

/// The run of a report with Playwright's counts and its suites; `None` for any other.
pub(super) fn run(report: &Map<String, Value>) -> Option<Run<'_>> {
    let stats = report.get("stats")?.as_object()?;
    let is_counted = |name: &str| stats.get(name).is_some_and(Value::is_u64);
    if !["expected", "unexpected", "flaky", "skipped"].into_iter().all(is_counted) {
        return None;
    }
    let mut suites = Vec::new();
    let errors = report.get("errors").and_then(Value::as_array).into_iter().flatten();
    let outside: Vec<String> = errors.filter_map(|error| message(error.as_object()?)).collect();
    if !outside.is_empty() {
        let broken = Some(outside.join("\n"));
        suites.push(Suite { file: "outside of tests", broken, failed: Vec::new(), others: Vec::new() });
    }
    for file in report.get("suites")?.as_array()? {
        let file = file.as_object()?;
        let mut suite =
            Suite { file: text(file, "file")?, broken: None, failed: Vec::new(), others: Vec::new() };
        // The suite of a file has the file's name as its title.
        add(&mut suite, file, "")?;
        suites.push(suite);
    }
    let count = |name: &str| stats.get(name).and_then(Value::as_u64).unwrap_or_default();
    let left_out = [
        ("config", u64::from(report.contains_key("config"))),
        ("passed tests", count("expected")),
        ("messages of flaky tests", count("flaky")),
    ];
    Some((head_of(stats, &left_out), suites))
}

/// Adds the tests of a group of tests, whose titles are `above`, and of the groups in it.
fn add<'v>(suite: &mut Suite<'v>, group: &'v Map<String, Value>, above: &str) -> Option<()> {
    for spec in group.get("specs").and_then(Value::as_array).into_iter().flatten() {
        let spec = spec.as_object()?;
        let number = |key: &str| spec.get(key).and_then(Value::as_u64).unwrap_or_default();
        let name = format!("{}:{} {above}{}", number("line"), number("column"), text(spec, "title")?);
        for test in spec.get("tests")?.as_array()? {
            let test = test.as_object()?;
            let name = match text(test, "projectName") {
                Some(project) if !project.is_empty() => format!("[{project}] {name}"),
                _ => name.clone(),
            };
            match text(test, "status")? {
                "expected" => {}
                status @ ("skipped" | "flaky") => suite.others.push((status, Cow::Owned(name))),
                "unexpected" => {
                    suite.failed.push(Failure { name: Cow::Owned(name), messages: messages(test) });
                }
                _ => return None,
            }
        }
    }
    for inner in group.get("suites").and_then(Value::as_array).into_iter().flatten() {
        let inner = inner.as_object()?;
        add(suite, inner, &format!("{above}{} › ", text(inner, "title")?))?;
    }
    Some(())
}

/// What the tries of a test report, each message once; without any, how the test ended and how it should have.
fn messages(test: &Map<String, Value>) -> Vec<Cow<'_, str>> {
    let tries = || test.get("results").and_then(Value::as_array).into_iter().flatten();
    let mut messages: Vec<String> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    let errors = tries().filter_map(|one| one.get("errors")?.as_array()).flatten();
    for told in errors.filter_map(|error| message(error.as_object()?)) {
        if seen.insert(told.clone()) {
            messages.push(told);
        }
    }
    if messages.is_empty() {
        let status = tries().next_back().and_then(|one| one.get("status")?.as_str());
        let expected = text(test, "expectedStatus").unwrap_or("another end");
        messages.extend(status.map(|status| format!("{status}, where {expected} is expected")));
    }
    messages.into_iter().map(Cow::Owned).collect()
}

/// An error with its place in front, so that it's shown where a long message is cut.
fn message(error: &Map<String, Value>) -> Option<String> {
    let told = normalise(text(error, "message").or_else(|| text(error, "value"))?);
    let place = error.get("location").and_then(Value::as_object).and_then(|place| {
        let number = |key: &str| place.get(key).and_then(Value::as_u64);
        Some(format!("{}:{}:{}: ", text(place, "file")?, number("line")?, number("column")?))
    });
    Some(format!("{}{}", place.unwrap_or_default(), told.trim_end()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::summary;

    /// Thirty specs that passed, and one for each other way in which a test can end.
    fn report() -> Value {
        let spec = |title: &str, line: usize, status: &str, results: Value| json!({"title": title, "ok": status != "unexpected", "line": line, "column": 3, "file": "checkout.spec.ts", "tests": [{"projectName": "webkit", "expectedStatus": if title == "is known to fail" { "failed" } else { "passed" }, "status": status, "results": results}]});
        let failed = |retry: usize| {
            json!({"status": "failed", "retry": retry, "errors": [
                {"location": {"file": "/srv/shop/checkout.spec.ts", "line": 41, "column": 56}, "message": "Error: \u{1b}[2mexpect(\u{1b}[22mreceived).toBe(expected)\n\nExpected: 0.3\nReceived: 0.31\n"},
                {"message": "Test timeout of 300ms exceeded."}
            ]})
        };
        let passed = || json!([{"status": "passed", "errors": []}]);
        let mut specs: Vec<Value> =
            (0..30).map(|n| spec(&format!("pays with card {n}"), n + 2, "expected", passed())).collect();
        specs.push(spec("adds the tax", 40, "unexpected", json!([failed(0), failed(1)])));
        specs.push(spec("is known to fail", 50, "unexpected", passed()));
        let inner =
            [spec("waits", 60, "flaky", json!([failed(0)])), spec("prints", 70, "skipped", json!([]))];
        json!({"config": {"version": "1.65.1"}, "suites": [{"title": "checkout.spec.ts", "file": "checkout.spec.ts", "specs": specs, "suites": [{"title": "labels", "specs": inner}]}], "errors": [{"message": "Error: no global teardown"}], "stats": {"duration": 5306.794, "expected": 30, "skipped": 1, "unexpected": 2, "flaky": 1}})
    }

    #[test]
    fn each_failure_has_its_place_and_its_messages_once_and_counts_are_playwrights_own() {
        let short = summary(&report(), 24_000).expect("a report");
        for fact in [
            "stats.expected=30, stats.skipped=1, stats.unexpected=2, stats.flaky=1",
            "left out: config, passed tests, messages of flaky tests\n",
            "failed: outside of tests\n    Error: no global teardown\n",
            "checkout.spec.ts\n  failed: [webkit] 40:3 adds the tax\n    /srv/shop/checkout.spec.ts:41:56: Error: expect(received).toBe(expected)\n",
            "Received: 0.31",
            "  failed: [webkit] 50:3 is known to fail\n    passed, where failed is expected\n",
            "  flaky: [webkit] 60:3 labels › waits\n",
            "  skipped: [webkit] 70:3 labels › prints\n",
        ] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        assert_eq!(short.matches("Received: 0.31").count(), 1, "{short}");
        assert_eq!(short.matches("Test timeout of 300ms exceeded.").count(), 1, "{short}");
        assert!(!short.contains("pays with card"), "{short}");
    }

    #[test]
    fn nothing_is_left_out_that_there_is_not() {
        let mut other = report();
        other["stats"]["expected"] = json!(0);
        other["stats"]["flaky"] = json!(0);
        let short = summary(&other, 24_000).expect("a report");
        assert!(short.contains("\nleft out: config\n"), "{short}");
    }

    #[test]
    fn an_unknown_status_is_left_alone() {
        let mut other = report();
        other["suites"][0]["specs"][3]["tests"][0]["status"] = json!("maybe");
        assert_eq!(summary(&other, 24_000), None);
        other["stats"] = json!({"expected": 3});
        assert_eq!(summary(&other, 24_000), None);
    }
}
