//! Mocha's report in JSON (`mocha --reporter json`). Owns its format alone.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{Failure, Run, Suite, head_of, text};

/// The run of a report with Mocha's counts and its lists of tests; `None` for any other.
pub(super) fn run(report: &Map<String, Value>) -> Option<Run<'_>> {
    let stats = report.get("stats")?.as_object()?;
    let is_counted = |name: &str| stats.get(name).is_some_and(Value::is_u64);
    if !["passes", "failures", "pending"].into_iter().all(is_counted) {
        return None;
    }
    report.get("passes")?.as_array()?;
    let mut suites = Suites::default();
    for test in report.get("failures")?.as_array()? {
        let test = test.as_object()?;
        let failure = Failure { name: Cow::Borrowed(text(test, "fullTitle")?), messages: messages(test) };
        suites.of(test).failed.push(failure);
    }
    for test in report.get("pending")?.as_array()? {
        let test = test.as_object()?;
        let name = Cow::Borrowed(text(test, "fullTitle")?);
        suites.of(test).others.push(("pending", name));
    }
    let passed = stats.get("passes").and_then(Value::as_u64).unwrap_or_default();
    Some((head_of(stats, &[("passed tests", passed)]), suites.all))
}

/// The files of tests that have one so far, and where each is.
#[derive(Default)]
struct Suites<'v> {
    all: Vec<Suite<'v>>,
    at: HashMap<&'v str, usize>,
}

impl<'v> Suites<'v> {
    /// The file of a test.
    fn of(&mut self, test: &'v Map<String, Value>) -> &mut Suite<'v> {
        // Older versions name no file.
        let file = text(test, "file").unwrap_or("tests");
        let all = &mut self.all;
        let at = *self.at.entry(file).or_insert_with(|| {
            all.push(Suite { file, broken: None, failed: Vec::new(), others: Vec::new() });
            all.len() - 1
        });
        &mut self.all[at]
    }
}

/// What a test reports about its failure: the error's code, if its text doesn't have it, the error with its frames, and the
/// two values that an assertion compares and its text only names.
fn messages(test: &Map<String, Value>) -> Vec<Cow<'_, str>> {
    let Some(error) = test.get("err").and_then(Value::as_object) else { return Vec::new() };
    let message = text(error, "message").unwrap_or_default();
    let told = text(error, "stack").filter(|stack| !stack.is_empty()).unwrap_or(message);
    let mut messages = Vec::new();
    match text(error, "code").filter(|code| !told.contains(code)) {
        Some(code) => messages.push(Cow::Owned(format!("code: {code}\n{told}"))),
        None if !told.is_empty() => messages.push(Cow::Borrowed(told)),
        None => {}
    }
    if error.get("showDiff") == Some(&Value::Bool(true))
        && let (Some(actual), Some(expected)) = (text(error, "actual"), text(error, "expected"))
    {
        messages.push(Cow::Owned(format!("actual: {actual}\nexpected: {expected}")));
    }
    messages
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::summary;

    fn report() -> Value {
        let test = |n: usize| json!({"title": format!("event {n}"), "fullTitle": format!("events event {n}"), "file": "/srv/shop/test/events.spec.js", "duration": 0, "currentRetry": 0, "speed": "fast", "err": {}});
        let passes: Vec<Value> = (0..90).map(test).collect();
        let failures = json!([
            {"title": "renders", "fullTitle": "cart renders", "file": "/srv/shop/test/cart.spec.js", "err": {"code": "ERR_ASSERTION", "message": "1 == 2", "stack": "AssertionError [ERR_ASSERTION]: 1 == 2\n    at Context.<anonymous> (test/cart.spec.js:6:30)\n    at process.processImmediate (node:internal/timers:483:21)"}},
            {"title": "queue", "fullTitle": "events queue", "file": "/srv/shop/test/events.spec.js", "err": {"code": "EOVERFLOW", "message": "queue overflow", "stack": "Error: queue overflow\n    at Context.<anonymous> (test/events.spec.js:16:187)"}},
            {"title": "order", "fullTitle": "cart order", "file": "/srv/shop/test/cart.spec.js", "err": {"message": "expected { Object (id) } to deeply equal { Object (id) }", "showDiff": true, "actual": "{\n  \"id\": 4\n}", "expected": "{\n  \"id\": 5\n}"}},
        ]);
        json!({"stats": {"suites": 4, "tests": 94, "passes": 90, "pending": 1, "failures": 3, "duration": 215}, "tests": passes, "pending": [{"fullTitle": "cart vouchers", "file": "/srv/shop/test/cart.spec.js", "err": {}}], "failures": failures, "passes": passes})
    }

    #[test]
    fn each_failure_has_its_file_and_its_error_and_counts_are_mochas_own() {
        let short = summary(&report(), 24_000).expect("a report");
        for fact in [
            "stats.tests=94, stats.passes=90, stats.pending=1, stats.failures=3",
            "left out: passed tests\n",
            "/srv/shop/test/cart.spec.js\n  failed: cart renders\n    AssertionError [ERR_ASSERTION]: 1 == 2\n",
            "test/cart.spec.js:6:30",
            "  failed: events queue\n    code: EOVERFLOW\n    Error: queue overflow\n",
            "\"id\": 4",
            "\"id\": 5",
            "/srv/shop/test/cart.spec.js\n  pending: cart vouchers\n",
        ] {
            assert!(short.contains(fact), "{fact}: {short}");
        }
        assert!(!short.contains("event 17") && !short.contains("code: ERR_ASSERTION"), "{short}");
        let tight = summary(&report(), 700).expect("a report");
        assert!(tight.len() <= 700 && tight.contains("stats.failures=3"), "{tight}");
    }

    #[test]
    fn other_counts_are_left_alone() {
        let other =
            json!({"stats": {"passes": 3, "failures": 0}, "passes": [], "failures": [], "pending": []});
        assert_eq!(summary(&other, 24_000), None);
    }
}
