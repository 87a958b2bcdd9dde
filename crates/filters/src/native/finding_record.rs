//! A finding as a record of JSON. Owns the names under which tools write its file, place, message, rule and severity.

use serde_json::{Map, Value};

use crate::diagnostics::{Found, is_level};

/// The longest name of a file, in bytes.
const LONG_NAME: usize = 400;
/// The longest rule or severity, in bytes.
const LONG_WORD: usize = 100;
/// The number of objects of a record that are searched for its place.
const MAX_OBJECTS: usize = 8;

pub(super) const FILE: &[&str] =
    &["file", "filename", "filePath", "file_path", "fileName", "path", "source", "uri", "Filename"];
const LINE: &[&str] =
    &["line", "row", "lineno", "line_number", "lineNumber", "start_line", "startLine", "Line", "begin"];
const COLUMN: &[&str] =
    &["column", "col", "col_offset", "start_column", "startColumn", "columnNumber", "Column"];
const MESSAGE: &[&str] =
    &["message", "text", "msg", "issue_text", "Text", "Message", "description", "ruleDescription"];
/// A record's text about this place, if its message is the rule's.
const DETAIL: &str = "errorDetail";
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
    "ruleNames",
    "category",
];
const SEVERITY: &[&str] = &["severity", "issue_severity", "level", "type", "Severity"];
/// Types that alone identify a record as a finding.
const GRAVE: &[&str] = &["error", "fatal error", "fatal", "warning", "warn", "info", "information"];
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
    "labels",
    // GitLab's reports of code quality.
    "positions",
    "begin",
];

/// A record as a finding, with the keys that say so. One without a file of its own has the shared one.
pub(super) fn found<'v>(fields: &'v Map<String, Value>, shared: &str) -> Option<(Found, Vec<&'v str>)> {
    if TIME.iter().any(|name| fields.contains_key(*name)) {
        return None;
    }
    let (all, mut used) = with_places(fields);
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
    let mut message = message.to_owned();
    let detail = fields.get(DETAIL).and_then(Value::as_str).filter(|detail| !detail.is_empty());
    if let Some(detail) = detail {
        message.push_str(&format!(" [{detail}]"));
        used.push(DETAIL);
    }
    let mut word = |names: &[&str]| {
        let found = names.iter().find_map(|name| {
            let (key, value) = fields.get_key_value(*name)?;
            let word = match value {
                // A line of source, as a search has it.
                Value::String(text) if *name == "code" && text.contains(char::is_whitespace) => return None,
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                // The first of several names.
                Value::Array(names) => names.first()?.as_str()?.to_owned(),
                Value::Object(inner) => {
                    inner.get("value").or_else(|| inner.get("code"))?.as_str()?.to_owned()
                }
                _ => return None,
            };
            (!word.is_empty() && word.len() < LONG_WORD).then_some((key.as_str(), word))
        });
        found.map(|(key, word)| {
            used.push(key);
            word
        })
    };
    // The other fields of a rule object aren't shown: they count as left out.
    let of_rule = |names: &[&str]| {
        let (_, word) = text_of(fields.get("rule")?.as_object()?, names)?;
        (!word.is_empty() && word.len() < LONG_WORD).then(|| word.to_owned())
    };
    let rule = word(RULE).or_else(|| of_rule(&["id", "name"])).unwrap_or_default();
    let severity = word(SEVERITY).or_else(|| of_rule(&["severity"])).unwrap_or_default();
    let severity = severity_name(severity, used.contains(&"character"));
    // Goods, payments and texts to translate have a type and a category, too; and a note, a hint or a help without a
    // rule may be a user's data.
    let has_level = if used.contains(&"type") {
        let has_rule = !rule.is_empty() && !used.contains(&"category");
        is_level(&severity) && (has_rule || is_any_of(GRAVE, &severity))
    } else {
        !severity.is_empty()
    };
    // A record with neither is a match of a search, or something else at a place, such as a definition with a symbol and a type.
    let is_any =
        |name: &&str| *name == "category" || used.contains(&"type") && matches!(*name, "symbol" | "code");
    if !has_level && (rule.is_empty() || used.iter().any(is_any)) {
        return None;
    }
    Some((Found { file: file.to_owned(), at, severity, rule, message }, used))
}

/// The record and the objects in it that may have its place, and the keys of those that have nothing else.
fn with_places(fields: &Map<String, Value>) -> (Vec<&Map<String, Value>>, Vec<&str>) {
    let (mut all, mut used) = (vec![fields], Vec::new());
    // A place may be in a separate object, nested once more.
    let mut next = 0;
    while let Some(inner) = all.get(next).copied() {
        next += 1;
        for (key, value) in inner.iter().filter(|(key, _)| PLACES.contains(&key.as_str())) {
            // The first of several is its beginning.
            let value = value.as_array().and_then(|list| list.first()).unwrap_or(value);
            if let Some(deeper) = value.as_object().filter(|_| all.len() < MAX_OBJECTS) {
                all.push(deeper);
                // Labels contain more than their place.
                if next == 1 && key != "labels" {
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
    (all, used)
}

/// A severity in words, which ESLint and language servers give as a number: these begin at the other end.
fn severity_name(severity: String, of_language_server: bool) -> String {
    match (severity.as_str(), of_language_server) {
        ("2", false) | ("1", true) => "error".to_owned(),
        ("1", false) | ("2", true) => "warning".to_owned(),
        ("3", true) => "information".to_owned(),
        ("4", true) => "hint".to_owned(),
        _ => severity,
    }
}

fn is_any_of(words: &[&str], word: &str) -> bool {
    words.iter().any(|known| word.eq_ignore_ascii_case(known))
}

pub(super) fn text_of<'v>(fields: &'v Map<String, Value>, names: &[&str]) -> Option<(&'v str, &'v str)> {
    names.iter().find_map(|name| {
        let (key, value) = fields.get_key_value(*name)?;
        Some((key.as_str(), value.as_str()?))
    })
}

pub(super) fn is_path(text: &str) -> bool {
    let line = !text.is_empty() && text.len() < LONG_NAME && !text.contains('\n');
    line && (text.contains(['/', '\\', '.']) && !text.contains(": "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::found;

    /// One record of each tool, and its expected text.
    #[test]
    fn any_tools_record_is_a_finding() {
        let cases = [
            (
                "eslint",
                json!({"ruleId": "no-undef", "severity": 2, "message": "'x' is not defined.", "line": 3, "column": 9}),
                "shared.js 3:9 error no-undef 'x' is not defined.",
            ),
            (
                "gitlab",
                json!({"check_name": "D100", "description": "Missing docstring", "severity": "major", "fingerprint": "5fd",
                    "location": {"path": "a.py", "positions": {"begin": {"line": 1, "column": 4}, "end": {"line": 2, "column": 1}}}}),
                "a.py 1:4 major D100 Missing docstring",
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
            (
                "Biome",
                json!({"severity": "info", "message": "Use the node: protocol.", "category": "lint/style/useNodejsImportProtocol",
                    "location": {"path": "src/check.js", "start": {"line": 7, "column": 44}, "end": {"line": 7, "column": 50}}, "advices": []}),
                "src/check.js 7:44 info lint/style/useNodejsImportProtocol Use the node: protocol.",
            ),
            (
                "oxlint",
                json!({"message": "Use the 'u' flag.", "code": "eslint(require-unicode-regexp)", "severity": "warning",
                    "help": "Add the 'u' flag.", "filename": "utils/line.mjs",
                    "labels": [{"label": "here", "span": {"offset": 208, "length": 8, "line": 9, "column": 10}}, {"span": {"offset": 1, "length": 2, "line": 1, "column": 2}}]}),
                "utils/line.mjs 9:10 warning eslint(require-unicode-regexp) Use the 'u' flag.",
            ),
            (
                "markdownlint",
                json!({"fileName": "README.md", "lineNumber": 46, "ruleNames": ["MD013", "line-length"], "ruleDescription": "Line length",
                    "errorDetail": "Expected: 80; Actual: 131", "errorContext": null, "errorRange": [81, 51], "severity": "error"}),
                "README.md 46 error MD013 Line length [Expected: 80; Actual: 131]",
            ),
            (
                "HTMLHint",
                json!({"type": "error", "message": "Doctype must be declared first.", "raw": "<p>", "line": 1, "col": 1,
                    "rule": {"id": "doctype-first"}}),
                "shared.js 1:1 error doctype-first Doctype must be declared first.",
            ),
            (
                "TFLint",
                json!({"rule": {"name": "terraform_unused", "severity": "warning", "link": "https://example.org/unused"},
                    "message": "variable \"tax\" is declared but not used", "callers": [],
                    "range": {"filename": "main.tf", "start": {"line": 3, "column": 1}, "end": {"line": 3, "column": 9}}}),
                "main.tf 3:1 warning terraform_unused variable \"tax\" is declared but not used",
            ),
            (
                "Code Climate",
                json!({"type": "issue", "check_name": "unused-variable", "description": "Unused local variable `tax`",
                    "categories": ["Style"], "location": {"path": "lib/cart.rb", "lines": {"begin": 13, "end": 14}}}),
                "lib/cart.rb 13 issue unused-variable Unused local variable `tax`",
            ),
            (
                "a checker of HTML",
                json!({"type": "info", "url": "file:/srv/index.html", "file": "index.html", "line": 3, "column": 9,
                    "message": "Trailing slash on void elements has no effect"}),
                "index.html 3:9 info  Trailing slash on void elements has no effect",
            ),
            (
                "a language server",
                json!({"file": "a.rs", "severity": 1, "code": "E0308", "message": "mismatched types",
                    "range": {"start": {"line": 4, "character": 2}, "end": {"line": 4, "character": 9}}}),
                "a.rs 4:2 error E0308 mismatched types",
            ),
        ];
        for (tool, record, reads) in cases {
            let (one, used) =
                found(record.as_object().unwrap(), "shared.js").unwrap_or_else(|| panic!("{tool}: {record}"));
            // Labels have their own words, which are left out and therefore must be named.
            assert!(!used.contains(&"labels"), "{tool}");
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
            // A payment, and a text to translate.
            json!({"source": "bank.csv", "row": 3, "category": "food", "description": "Lunch", "amount": 12.5}),
            json!({"file": "src/app.po", "line": 3, "category": "ui", "text": "Hello"}),
            json!({"file": "src/app.po", "line": 3, "type": "ui", "text": "Hello"}),
            json!({"source": "bank.csv", "row": 3, "type": "debit", "category": "food", "description": "Lunch"}),
            json!({"source": "bank.csv", "row": 3, "type": "debit", "code": "N14", "description": "Lunch"}),
            // A user's note, and a text to translate.
            json!({"file": "docs/till.md", "line": 3, "type": "note", "text": "Count the coins twice"}),
            json!({"file": "ui/till.json", "line": 3, "type": "help", "text": "Put the coins in"}),
            json!({"file": "ui/till.json", "line": 3, "type": "hint", "category": "ui", "text": "Put the coins in"}),
            // A definition, the second one with its source.
            json!({"path": "src/cart.rs", "line": 3, "kind": "fn", "code": "fn total() {", "message": "total"}),
            json!({"path": "src/cart.rs", "line": 3, "type": "function", "symbol": "total", "description": "Adds up the cart"}),
        ] {
            assert!(found(record.as_object().unwrap(), "").is_none(), "{record}");
        }
    }
}
