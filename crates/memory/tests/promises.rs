//! The table of promises: each has tests, and each of those is there and is run.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Table, Value};

/// The number of promises to keep.
const ROWS: i64 = 31;

fn repository() -> PathBuf {
    Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../..")
}

fn rows() -> Vec<Table> {
    let path = repository().join("crates/memory/tests/promises.toml");
    let table: DocumentMut = std::fs::read_to_string(path).unwrap().parse().unwrap();
    table["promise"].as_array_of_tables().unwrap().iter().cloned().collect()
}

fn tests(row: &Table) -> Vec<String> {
    let named = row["tests"].as_array().unwrap();
    named.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Whether a file has a test of this name: a function under `#[test]`, or a case of the contract that every store runs.
fn has_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let begins = format!("fn {name}(");
    lines.iter().enumerate().any(|(at, line)| {
        line.trim_start_matches("@changes ") == name
            || line.starts_with(&begins) && lines[at.saturating_sub(3)..at].contains(&"#[test]")
    })
}

#[test]
fn every_promise_has_its_tests() {
    let rows = rows();
    let numbers: Vec<i64> = rows.iter().map(|row| row["row"].as_integer().unwrap()).collect();
    assert_eq!(numbers, (1..=ROWS).collect::<Vec<_>>());
    let mut missing = Vec::new();
    for row in &rows {
        let (number, promise) = (&row["row"], row["promise"].as_str().unwrap());
        assert!(promise.len() > 20, "row {number} promises nothing");
        let tests = tests(row);
        assert!(!tests.is_empty(), "row {number} ({promise}) has no test");
        for test in tests {
            let (file, name) = test.split_once("::").unwrap();
            let source = std::fs::read_to_string(repository().join(file)).unwrap_or_default();
            if !has_test(&source, name) {
                missing.push(format!("row {number}: {test}"));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new(), "tests that are not there");
}

#[test]
fn text_that_only_looks_like_a_test_is_not_one() {
    let source =
        "fn helper() {}\n\n#[test]\nfn real() {}\n// fn commented()\nmod sqlite {\n    case_of_all\n}\n";
    for (name, is) in
        [("real", true), ("case_of_all", true), ("helper", false), ("commented", false), ("rea", false)]
    {
        assert_eq!(has_test(source, name), is, "{name}");
    }
}
