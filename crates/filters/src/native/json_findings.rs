//! Reports of linters and type checkers in JSON: the findings become a list by file and rule, as in any other output.
//! Owns finding them in a report and naming omissions; a report with a record that isn't a finding is left to `json`.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::finding_record::{FILE, found, is_path, text_of};
use crate::counted::counted;
use crate::diagnostics::{Found, listed};

/// Fewer findings are as short as records.
const FEW: usize = 6;
/// Lists with these names contain results that a project has switched off.
const SUPPRESSED: &str = "suppressed";
/// How deep lists of findings may be.
const MAX_DEPTH: usize = 4;

/// A report's findings, the rest of the report, and what was left out of each record.
#[derive(Default)]
struct Report {
    found: Vec<Found>,
    /// Files without a finding.
    clean: usize,
    left_out: BTreeSet<String>,
    /// Its places count from 0, as in the protocol of language servers.
    from_zero: bool,
}

/// The findings of a report in at most `room` bytes or a little more, and what else it says.
pub(super) fn summary(
    values: &[Value],
    rest: impl Fn(&Value, usize) -> String,
    room: usize,
) -> Option<String> {
    let mut report = Report::default();
    let others: Vec<Value> = match values {
        [one] => report.take(one, 0).into_iter().collect(),
        // One record on each line.
        many => {
            report.records(many, "")?;
            Vec::new()
        }
    };
    if report.found.len() < FEW {
        return None;
    }
    let mut head = String::new();
    for other in &others {
        if !matches!(other, Value::Object(fields) if fields.is_empty()) {
            head.push_str(rest(other, room / 4).trim_end());
            head.push('\n');
        }
    }
    let files: BTreeSet<&str> = report.found.iter().map(|one| one.file.as_str()).collect();
    let (found, files) = (counted(report.found.len(), "findings"), counted(files.len(), "files"));
    head.push_str(&format!("{found} in {files}"));
    if report.clean > 0 {
        let others = if report.clean == 1 { "other" } else { "others" };
        head.push_str(&format!(", none in {} {others}", report.clean));
    }
    if !report.left_out.is_empty() {
        let names: Vec<&str> = report.left_out.iter().map(String::as_str).collect();
        head.push_str(&format!("; left out of each: {}", names.join(", ")));
    }
    if report.from_zero {
        head.push_str("; lines and columns count from 0");
    }
    head.push('\n');
    let list = listed(&report.found, room.saturating_sub(head.len()));
    Some(head + &list)
}

impl Report {
    /// Takes the findings out of a value and returns the rest.
    fn take(&mut self, value: &Value, depth: usize) -> Option<Value> {
        match value {
            Value::Array(items) if self.records(items, "").is_some() || self.files(items).is_some() => None,
            Value::Array(items) if depth < MAX_DEPTH => {
                let left: Vec<Value> = items.iter().filter_map(|item| self.take(item, depth + 1)).collect();
                (!left.is_empty()).then_some(Value::Array(left))
            }
            Value::Object(fields) if depth < MAX_DEPTH => {
                let left = fields
                    .iter()
                    .filter_map(|(key, value)| Some((key.clone(), self.take(value, depth + 1)?)));
                let left: Map<String, Value> = left.collect();
                (!left.is_empty()).then_some(Value::Object(left))
            }
            other => Some(other.clone()),
        }
    }

    /// A list of findings, each with its own file unless they share one.
    fn records(&mut self, items: &[Value], file: &str) -> Option<()> {
        if items.is_empty() {
            return None;
        }
        let (mut left_out, mut from_zero) = (BTreeSet::new(), false);
        let found: Vec<Found> = items
            .iter()
            .map(|item| {
                let fields = item.as_object()?;
                let (one, used) = found(fields, file)?;
                from_zero |= used.contains(&"character");
                let others =
                    fields.iter().filter(|(key, value)| !used.contains(&key.as_str()) && says(value));
                left_out.extend(others.map(|(key, _)| key.clone()));
                Some(one)
            })
            .collect::<Option<_>>()?;
        self.found.extend(found);
        self.left_out.extend(left_out);
        self.from_zero |= from_zero;
        Some(())
    }

    /// A list of files, each with its findings.
    fn files(&mut self, items: &[Value]) -> Option<()> {
        let mut report = Self::default();
        for item in items {
            let fields = item.as_object()?;
            let (_, file) = text_of(fields, FILE).filter(|(_, file)| is_path(file))?;
            let is_list = |key: &str, value: &Value| {
                let first = value.as_array().and_then(|list| list.first()).and_then(Value::as_object);
                // A result that the project has switched off isn't a finding.
                !key.starts_with(SUPPRESSED) && first.is_some_and(|one| found(one, file).is_some())
            };
            let lists: Vec<&Vec<Value>> = fields
                .iter()
                .filter(|(key, value)| is_list(key, value))
                .filter_map(|(_, value)| value.as_array())
                .collect();
            // A file's other fields (its source, suppressed results) are named; its sums are those of the list.
            let others = fields.iter().filter(|(key, value)| {
                !FILE.contains(&key.as_str()) && !value.is_number() && says(value) && !is_list(key, value)
            });
            report.left_out.extend(others.map(|(key, _)| key.clone()));
            for list in &lists {
                report.records(list, file)?;
            }
            report.clean += usize::from(lists.is_empty());
            // A file's other fields may be meaningful.
            let lost = lists.is_empty()
                && fields.iter().any(|(key, value)| {
                    !key.starts_with(SUPPRESSED) && value.as_array().is_some_and(|list| !list.is_empty())
                });
            if lost {
                return None;
            }
        }
        if report.found.is_empty() {
            return None;
        }
        self.found.append(&mut report.found);
        self.left_out.append(&mut report.left_out);
        self.from_zero |= report.from_zero;
        self.clean += report.clean;
        Some(())
    }
}

/// Whether leaving it out loses something.
fn says(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::summary;

    fn reports() -> Vec<Value> {
        let findings = |file: usize| -> Vec<Value> {
            (1..=file).map(|n| json!({"ruleId": "no-undef", "severity": 2, "message": format!("'x{n}' is not defined."), "line": n, "column": 1, "fix": {"text": ""}})).collect()
        };
        (0..6).map(|n| json!({"filePath": format!("/srv/shop/{n}.js"), "messages": findings(n), "errorCount": n})).collect()
    }

    #[test]
    fn every_place_stays_and_omissions_are_named() {
        let out = summary(
            &[json!({"version": "1.2", "results": reports(), "summary": {"errors": 15}})],
            |rest, _| rest.to_string(),
            20_000,
        )
        .unwrap();
        assert!(out.contains("15 findings in 5 files, none in 1 other; left out of each: fix\n"), "{out}");
        assert!(out.contains("\"errors\":15") && out.contains("\"version\":\"1.2\""), "{out}");
        for file in 1..6 {
            assert!(out.contains(&format!("/srv/shop/{file}.js")), "{out}");
        }
        let list = out.split_once("fix\n").unwrap().1;
        assert_eq!(list.matches(":1").count(), 15, "{out}");
    }

    #[test]
    fn a_suppressed_result_is_not_a_finding() {
        let mut all = reports();
        all[2]["suppressedMessages"] = json!([{"ruleId": "no-alert", "severity": 2, "message": "Unexpected alert.", "line": 9, "column": 1}]);
        all[4]["source"] = json!("let x1 = 1;");
        let out = summary(&[json!(all)], |_, _| String::new(), 20_000).unwrap();
        assert!(
            out.starts_with(
                "15 findings in 5 files, none in 1 other; left out of each: fix, suppressedMessages\n"
            ),
            "{out}"
        );
        assert!(!out.contains("no-alert"), "{out}");
    }

    #[test]
    fn other_json_reports_are_left_alone() {
        // One record without a place: nothing may be lost.
        let mut odd = reports();
        odd[3]["messages"][0] = json!({"message": "File ignored"});
        assert!(summary(&[json!(odd)], |_, _| String::new(), 20_000).is_none());
        // Another list beside the findings of a file.
        let mut odd = reports();
        odd[0]["notes"] = json!(["of another kind"]);
        assert!(summary(&[json!(odd)], |_, _| String::new(), 20_000).is_none());
        let logs: Vec<Value> =
            (0..40).map(|n| json!({"level": "info", "message": format!("order {n}")})).collect();
        assert!(summary(&logs, |_, _| String::new(), 20_000).is_none());
    }
}
