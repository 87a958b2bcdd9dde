//! Separates a JSON document from the text around it: npm's and pnpm's lines about the script that printed it, and
//! what a tool writes to its other stream. Owns distinguishing these lines from the JSON between them.

use std::borrow::Cow;

use serde_json::Value;

use super::numbers::keep_numbers;
use super::{json_findings, json_tests};

/// With more lines than this, one side is a separate output.
const AROUND: usize = 12;

/// The lines above a document of JSON, the JSON, and the lines below it.
pub(super) fn amid_lines(text: &str) -> Option<(&str, &str, &str)> {
    let is_above = |line: &&str| !line.starts_with(['{', '[']);
    let start: usize = text.split_inclusive('\n').take(AROUND).take_while(is_above).map(str::len).sum();
    let (above, rest) = text.split_at(start);
    if !rest.starts_with(['{', '[']) {
        return None;
    }
    let (mut at, mut end, mut below) = (0, 0, 0);
    for line in rest.split_inclusive('\n') {
        at += line.len();
        below += 1;
        // JSON in one line ends where it begins; else its last line is a bracket.
        if line.starts_with(['{', '[', '}', ']']) && line.trim_end().ends_with(['}', ']']) {
            (end, below) = (at, 0);
        }
    }
    let (json, tail) = rest.split_at(end);
    let is_amid = !above.trim().is_empty() || !tail.trim().is_empty();
    (is_amid && end > 0 && below <= AROUND).then_some((above, json, tail))
}

/// The same where more lines are above, if the JSON is a report of tests or findings: tests print what they like above theirs. The
/// last document is taken.
pub(super) fn report_below(text: &str) -> Option<(&str, &str, &str)> {
    let (mut at, mut open, mut document) = (0, None, None);
    for (above, line) in text.split_inclusive('\n').enumerate() {
        let bare = line.trim_end();
        match bare {
            "{" | "[" => open = Some((above, at)),
            "}" | "]" => {
                let closed = open.take().map(|(above, start)| (above, start, at + line.len()));
                document = closed.or(document);
            }
            _ if line.starts_with(['{', '[']) && bare.ends_with(['}', ']']) => {
                document = Some((above, at, at + line.len()));
            }
            _ => {}
        }
        at += line.len();
    }
    let (_, start, end) = document.filter(|(above, ..)| *above > AROUND)?;
    let (above, json, below) = (&text[..start], &text[start..end], &text[end..]);
    if below.lines().count() > AROUND {
        return None;
    }
    let report: Value = serde_json::from_str(&keep_numbers(json)?).ok()?;
    let values = std::slice::from_ref(&report);
    let is_report = json_tests::summary(&report, json.len()).is_some()
        || json_findings::summary(values, |_, _| String::new(), json.len()).is_some();
    is_report.then_some((above, json, below))
}

/// Whether JSON between such lines is a report: one value, or whatever a script printed. Values one a line below other
/// lines are a log.
pub(super) fn is_report(above: &str, json: &str) -> bool {
    let is_document = |kept: Cow<'_, str>| serde_json::from_str::<Value>(&kept).is_ok();
    above.trim_start().starts_with("> ") || keep_numbers(json).is_some_and(is_document)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::amid_lines;

    #[test]
    fn a_report_that_a_script_prints_is_read_as_one_without_the_script() {
        let suites: Vec<Value> = (0..40)
            .map(|file| {
                let failed = file == 31;
                let status = if failed { "failed" } else { "passed" };
                let messages: &[&str] = if failed { &["Error: 7 isn't 8"] } else { &[] };
                json!({"name": format!("/srv/shop/a{file}.test.js"), "status": status, "message": "", "assertionResults": [
                    {"fullName": format!("cart keeps item {file}"), "status": status, "failureMessages": messages}
                ]})
            })
            .collect();
        let report = json!({"numFailedTests": 1, "success": false, "testResults": suites});
        let above = "> shop@1.0.0 test\n> vitest run --reporter=json\n\n";
        let below = " ELIFECYCLE  Test failed. See above for more details.\n";
        for printed in [report.to_string(), format!("{report:#}")] {
            for (head, tail) in [(above, ""), (above, below)] {
                let short =
                    crate::native::json(&format!("{head}{printed}\n{tail}"), 24_000).expect("a report");
                assert!(short.starts_with(above) && short.ends_with(tail), "{short}");
                assert!(short.contains("numFailedTests=1"), "{short}");
                assert!(short.contains("  failed: cart keeps item 31\n    Error: 7 isn't 8\n"), "{short}");
            }
        }
    }

    #[test]
    fn a_report_among_the_other_streams_lines_is_read_and_these_lines_stay() {
        let findings: Vec<Value> = (1..200)
            .map(|line| json!({"severity": "warning", "message": "The comma operator is disallowed.", "category": "lint/complexity/noCommaOperator",
                "location": {"path": "src/cart.js", "start": {"line": line, "column": 4}, "end": {"line": line, "column": 9}}}))
            .collect();
        let report = json!({"summary": {"errors": 0, "warnings": 199}, "diagnostics": findings});
        let above = "The `json` reporter is experimental.\n";
        let below = "lint ━━━\n\n  × Some errors were emitted while running checks.\n";
        for printed in [report.to_string(), format!("{report:#}")] {
            for (head, tail) in [(above, below), ("", below), (above, "")] {
                let text = format!("{head}{printed}\n{tail}");
                let short = crate::native::json(&text, 24_000).expect("a report");
                assert!(short.starts_with(head) && short.ends_with(tail), "{short}");
                assert!(short.contains("199 findings in 1 file"), "{short}");
                assert!(short.contains("lint/complexity/noCommaOperator"), "{short}");
                assert!([1, 77, 199].iter().all(|line| short.contains(&format!("{line}:4"))), "{short}");
            }
        }
        // Findings, one on each line, don't make a log.
        let lines: String = findings.iter().map(|one| format!("{one}\n")).collect();
        let short = crate::native::json(&format!("{above}{lines}"), 24_000).expect("findings");
        assert!(short.starts_with(above) && short.contains("199 findings in 1 file"), "{short}");
        assert!([1, 77, 199].iter().all(|line| short.contains(&format!("{line}:4"))), "{short}");
        // Records one a line below something else are a log.
        let lines: String = (0..90).map(|n| format!("{{\"level\": \"info\", \"order\": {n}}}\n")).collect();
        assert_eq!(crate::native::json(&format!("listening on 8080\n{lines}"), 24_000), None);
        // Lines around it that fill half of the room aren't just a remark.
        let long = "x".repeat(13_000);
        assert_eq!(crate::native::json(&format!("{long}\n{report}\n"), 24_000), None);
    }

    #[test]
    fn a_report_below_what_its_tests_print_is_read() {
        let test = |n: usize| json!({"title": format!("{n}"), "fullTitle": format!("cart {n}"), "duration": 0, "currentRetry": 0, "err": {}});
        let failed = json!({"title": "pays", "fullTitle": "cart pays", "duration": 1, "currentRetry": 0,
            "err": {"message": "expected 7 to be 8", "stack": "Error: expected 7 to be 8\n    at Context.<anonymous> (test/cart.js:4:28)"}});
        let passes: Vec<Value> = (0..40).map(test).collect();
        let tests: Vec<Value> = passes.iter().cloned().chain([failed.clone()]).collect();
        let report = json!({"stats": {"suites": 1, "tests": 41, "passes": 40, "pending": 0, "failures": 1, "duration": 9},
            "tests": tests, "pending": [], "failures": [failed], "passes": passes});
        let printed: String = (0..30).map(|n| format!("{{\"order\": {n}}}\nsent {n}\n")).collect();
        for document in [report.to_string(), format!("{report:#}")] {
            let text = format!("{printed}{document}\n");
            let short = crate::native::json(&text, 24_000).expect("a report");
            assert!(short.starts_with(&printed) && short.len() < printed.len() + 600, "{short}");
            assert!(short.contains("stats.failures=1") && short.contains("  failed: cart pays\n"), "{short}");
            assert!(short.contains("test/cart.js:4:28"), "{short}");
            // Above anything else these lines are an output of their own.
            assert_eq!(crate::native::json(&format!("{text}{printed}"), 24_000), None);
        }
        let other =
            json!({"orders": (0..200).map(|n| json!({"id": n, "state": "sent"})).collect::<Vec<_>>()});
        assert_eq!(crate::native::json(&format!("{printed}{other}\n"), 24_000), None);
    }

    #[test]
    fn text_between_such_lines_that_is_not_json_is_left_alone() {
        let long = format!("> shop@1.0.0 test\n{{\"a\": 1}}\n{}", "done\n".repeat(20));
        for text in [
            "{\"a\": 1}\n",
            "\n{\"a\": 1}\n",
            "> shop@1.0.0 test\n",
            "> shop@1.0.0 test\n\nall passed\n",
            "",
            long.as_str(),
        ] {
            assert_eq!(amid_lines(text), None, "{text}");
        }
        let text = "> shop@1.0.0 test\n[1]\nüber\n";
        assert_eq!(amid_lines(text), Some(("> shop@1.0.0 test\n", "[1]\n", "über\n")));
    }
}
