//! What npm and pnpm print around the output of a script: its name and its command above, that it failed below. Owns telling
//! these lines from JSON between them.

/// More lines below are the script's own.
const BELOW: usize = 12;

/// The lines above a script's JSON, the JSON, and the lines below it.
pub(super) fn of_script(text: &str) -> Option<(&str, &str, &str)> {
    let is_above = |line: &&str| line.trim().is_empty() || line.starts_with("> ");
    let start: usize = text.split_inclusive('\n').take_while(is_above).map(str::len).sum();
    let (above, rest) = text.split_at(start);
    if above.trim().is_empty() || !rest.starts_with(['{', '[']) {
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
    (below <= BELOW).then_some((above, json, tail))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::of_script;

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
    fn what_is_not_json_between_such_lines_is_left_alone() {
        let long = format!("> shop@1.0.0 test\n{{\"a\": 1}}\n{}", "done\n".repeat(20));
        for text in [
            "{\"a\": 1}\n",
            "\n{\"a\": 1}\n",
            "> shop@1.0.0 test\n",
            "> shop@1.0.0 test\n\nall passed\n",
            "",
            long.as_str(),
        ] {
            assert_eq!(of_script(text), None, "{text}");
        }
        let text = "> shop@1.0.0 test\n[1]\nüber\n";
        assert_eq!(of_script(text), Some(("> shop@1.0.0 test\n", "[1]\n", "über\n")));
    }
}
