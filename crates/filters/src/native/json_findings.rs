//! Reports of linters and type checkers in JSON: the findings become a list by file and rule, as of any other output. Owns
//! the shapes in which tools write a finding as a record; a report in which one record has no place is left to `json`.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::diagnostics::{Found, listed};

/// Fewer findings are as short as records.
const FEW: usize = 6;
/// How deep lists of findings may lie.
const MAX_DEPTH: usize = 4;
/// The longest name of a file, in bytes.
const LONG_NAME: usize = 400;

const FILE: &[&str] =
    &["file", "filename", "filePath", "file_path", "fileName", "path", "source", "uri", "Filename"];
const LINE: &[&str] = &["line", "row", "lineno", "line_number", "start_line", "startLine", "Line", "begin"];
const COLUMN: &[&str] =
    &["column", "col", "col_offset", "start_column", "startColumn", "columnNumber", "Column"];
const MESSAGE: &[&str] = &["message", "text", "msg", "issue_text", "Text", "Message", "description"];
const RULE: &[&str] = &[
    "ruleId",
    "rule",
    "rule_id",
    "cop_name",
    "symbol",
    "check_id",
    "check_name",
    "test_id",
    "FromLinter",
    "code",
    "message-id",
];
const SEVERITY: &[&str] = &["severity", "issue_severity", "level", "type", "Severity"];
/// A record with one of these is a message of a log, of which order and time matter.
const TIME: &[&str] = &["time", "timestamp", "@timestamp", "ts", "asctime", "date", "datetime", "created"];
/// Objects in which a record may keep its place.
const PLACES: &[&str] = &[
    "location",
    "Pos",
    "loc",
    "start",
    "range",
    "region",
    "lines",
    "physicalLocation",
    "artifactLocation",
    "span",
];

/// What is found in a report, the rest of it, and what was left out of each record.
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
pub(super) fn shown(values: &[Value], rest: impl Fn(&Value, usize) -> String, room: usize) -> Option<String> {
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
    head.push_str(&format!("{} findings in {} files", report.found.len(), files.len()));
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
    /// Takes the findings out of a value; gives what is left of it.
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
            let lists: Vec<&Vec<Value>> = fields
                .values()
                .filter_map(Value::as_array)
                .filter(|list| {
                    list.first().and_then(Value::as_object).is_some_and(|one| found(one, file).is_some())
                })
                .collect();
            for list in &lists {
                report.records(list, file)?;
            }
            report.clean += usize::from(lists.is_empty());
            // What else a file has is not known to be nothing.
            let lost = lists.is_empty()
                && fields.values().any(|value| value.as_array().is_some_and(|list| !list.is_empty()));
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

/// A record as a finding, with the keys that say so.
fn found<'v>(fields: &'v Map<String, Value>, shared: &str) -> Option<(Found, Vec<&'v str>)> {
    if TIME.iter().any(|name| fields.contains_key(*name)) {
        return None;
    }
    let mut used = Vec::new();
    let mut all = vec![fields];
    // A place may lie in an object of its own, and there once more.
    let mut next = 0;
    while let Some(inner) = all.get(next).copied() {
        next += 1;
        for (key, value) in inner.iter().filter(|(key, _)| PLACES.contains(&key.as_str())) {
            // The first of several is where it begins.
            let value = value.as_array().and_then(|list| list.first()).unwrap_or(value);
            if let Some(deeper) = value.as_object().filter(|_| all.len() < 8) {
                all.push(deeper);
                if next == 1 {
                    used.push(key.as_str());
                }
            }
        }
        if next == 1
            && let Some(list) = inner.get("locations").and_then(Value::as_array)
        {
            all.extend(list.first().and_then(Value::as_object));
            used.push("locations");
        }
    }
    let file = match all.iter().find_map(|fields| text_of(fields, FILE).filter(|(_, file)| is_path(file))) {
        Some((key, file)) => {
            used.push(key);
            file
        }
        None if !shared.is_empty() => shared,
        None => return None,
    };
    let number = |names: &[&str]| {
        all.iter().find_map(|fields| {
            let (key, value) = names.iter().find_map(|name| fields.get_key_value(*name))?;
            Some((key.as_str(), value.as_u64()?))
        })
    };
    let (key, line) = number(LINE)?;
    used.push(key);
    let mut at = line.to_string();
    let character = || all.iter().find_map(|fields| Some(("character", fields.get("character")?.as_u64()?)));
    if let Some((key, column)) = number(COLUMN).or_else(character) {
        used.push(key);
        at = format!("{at}:{column}");
    }
    let (key, message) = MESSAGE.iter().find_map(|name| {
        let (key, value) = fields.get_key_value(*name)?;
        let value = value.get("text").unwrap_or(value);
        Some((key.as_str(), value.as_str().filter(|text| !text.trim().is_empty())?))
    })?;
    used.push(key);
    let mut word = |names: &[&str]| {
        let found = names.iter().find_map(|name| {
            let (key, value) = fields.get_key_value(*name)?;
            let word = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                Value::Object(inner) => {
                    inner.get("value").or_else(|| inner.get("code"))?.as_str()?.to_owned()
                }
                _ => return None,
            };
            (!word.is_empty() && word.len() < 100).then_some((key.as_str(), word))
        });
        found.map(|(key, word)| {
            used.push(key);
            word
        })
    };
    let rule = word(RULE).unwrap_or_default();
    let severity = match word(SEVERITY).unwrap_or_default().as_str() {
        "2" => "error".to_owned(),
        "1" => "warning".to_owned(),
        other => other.to_owned(),
    };
    // What has neither is a match of a search, or something else at a place.
    if rule.is_empty() && severity.is_empty() {
        return None;
    }
    Some((Found { file: file.to_owned(), at, severity, rule, message: message.to_owned() }, used))
}

fn text_of<'v>(fields: &'v Map<String, Value>, names: &[&str]) -> Option<(&'v str, &'v str)> {
    names.iter().find_map(|name| {
        let (key, value) = fields.get_key_value(*name)?;
        Some((key.as_str(), value.as_str()?))
    })
}

fn is_path(text: &str) -> bool {
    let line = !text.is_empty() && text.len() < LONG_NAME && !text.contains('\n');
    line && (text.contains(['/', '\\', '.']) && !text.contains(": "))
}

/// Whether leaving it out leaves something out.
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

    use super::{found, shown};

    /// One record of each tool, and how it reads.
    #[test]
    fn a_record_of_any_tool_is_a_finding() {
        let cases = [
            (
                "eslint",
                json!({"ruleId": "no-undef", "severity": 2, "message": "'x' is not defined.", "line": 3, "column": 9}),
                "shared.js 3:9 error no-undef 'x' is not defined.",
            ),
            (
                "ruff",
                json!({"code": "F401", "filename": "/srv/a.py", "location": {"column": 8, "row": 1},
                    "end_location": {"column": 10, "row": 1}, "message": "`os` imported but unused", "severity": "error"}),
                "/srv/a.py 1:8 error F401 `os` imported but unused",
            ),
            (
                "pyright",
                json!({"file": "/srv/a.py", "severity": "error", "message": "\"x\" is not defined",
                    "range": {"start": {"line": 11, "character": 4}, "end": {"line": 11, "character": 5}}, "rule": "reportUndefinedVariable"}),
                "/srv/a.py 11:4 error reportUndefinedVariable \"x\" is not defined",
            ),
            (
                "rubocop",
                json!({"severity": "convention", "message": "Line is too long.", "cop_name": "Layout/LineLength",
                    "location": {"start_line": 7, "start_column": 81, "last_line": 7, "line": 7, "column": 81}}),
                "shared.js 7:81 convention Layout/LineLength Line is too long.",
            ),
            (
                "golangci-lint",
                json!({"FromLinter": "errcheck", "Text": "Error return value is not checked", "Severity": "",
                    "Pos": {"Filename": "cmd/main.go", "Offset": 120, "Line": 9, "Column": 2}}),
                "cmd/main.go 9:2  errcheck Error return value is not checked",
            ),
            (
                "pylint",
                json!({"type": "warning", "module": "a", "obj": "", "line": 1, "column": 0, "path": "a.py",
                    "symbol": "unused-import", "message": "Unused import os", "message-id": "W0611"}),
                "a.py 1:0 warning unused-import Unused import os",
            ),
            (
                "bandit",
                json!({"filename": "./a.py", "line_number": 4, "col_offset": 0, "issue_severity": "LOW", "issue_confidence": "HIGH",
                    "issue_text": "Use of assert detected.", "test_id": "B101", "code": "4 assert x\n"}),
                "./a.py 4:0 LOW B101 Use of assert detected.",
            ),
            (
                "shellcheck",
                json!({"file": "run.sh", "line": 3, "endLine": 3, "column": 6, "endColumn": 8, "level": "info", "code": 2086,
                    "message": "Double quote to prevent globbing."}),
                "run.sh 3:6 info 2086 Double quote to prevent globbing.",
            ),
            (
                "semgrep",
                json!({"check_id": "py.exec", "path": "a.py", "start": {"line": 2, "col": 1, "offset": 9}, "end": {"line": 2, "col": 8},
                    "message": "exec", "severity": "ERROR"}),
                "a.py 2:1 ERROR py.exec exec",
            ),
            (
                "SARIF",
                json!({"ruleId": "js/xss", "level": "error", "message": {"text": "Cross-site scripting"},
                    "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/a.js"}, "region": {"startLine": 5, "startColumn": 3}}}]}),
                "src/a.js 5:3 error js/xss Cross-site scripting",
            ),
            (
                "stylelint",
                json!({"line": 3, "column": 2, "endLine": 3, "rule": "color-no-invalid-hex", "severity": "error", "text": "Unexpected hex"}),
                "shared.js 3:2 error color-no-invalid-hex Unexpected hex",
            ),
        ];
        for (tool, record, reads) in cases {
            let (one, _) =
                found(record.as_object().unwrap(), "shared.js").unwrap_or_else(|| panic!("{tool}: {record}"));
            let printed = format!("{} {} {} {} {}", one.file, one.at, one.severity, one.rule, one.message);
            assert_eq!(printed, reads, "{tool}");
        }
        for record in [
            json!({"file": "a.js", "message": "no line"}),
            json!({"line": 3, "message": "no file"}),
            json!({"file": "a.js", "line": 3}),
            // A match of a search.
            json!({"file": "a.js", "text": "foo()", "range": {"start": {"line": 3, "column": 1}}}),
            json!({"file": "a.py", "line": 3, "level": "info", "message": "x", "timestamp": "2026-11-20T10:00:00Z"}),
            json!({"file": "not a file: but a text", "line": 3, "message": "x"}),
        ] {
            assert!(found(record.as_object().unwrap(), "").is_none(), "{record}");
        }
    }

    fn reports() -> Vec<Value> {
        let findings = |file: usize| -> Vec<Value> {
            (1..=file).map(|n| json!({"ruleId": "no-undef", "severity": 2, "message": format!("'x{n}' is not defined."), "line": n, "column": 1, "fix": {"text": ""}})).collect()
        };
        (0..6).map(|n| json!({"filePath": format!("/srv/shop/{n}.js"), "messages": findings(n), "errorCount": n})).collect()
    }

    #[test]
    fn every_place_stays_and_what_is_left_out_is_named() {
        let out = shown(
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
    fn a_report_that_is_no_list_of_findings_is_left_alone() {
        // One record without a place: nothing may be lost.
        let mut odd = reports();
        odd[3]["messages"][0] = json!({"message": "File ignored"});
        assert!(shown(&[json!(odd)], |_, _| String::new(), 20_000).is_none());
        // Another list beside the findings of a file.
        let mut odd = reports();
        odd[0]["notes"] = json!(["of another kind"]);
        assert!(shown(&[json!(odd)], |_, _| String::new(), 20_000).is_none());
        let logs: Vec<Value> =
            (0..40).map(|n| json!({"level": "info", "message": format!("order {n}")})).collect();
        assert!(shown(&logs, |_, _| String::new(), 20_000).is_none());
    }
}
