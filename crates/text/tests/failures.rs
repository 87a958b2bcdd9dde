//! Which lines state a failure, line by line, and extracts of real outputs.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use plimsoll_text as text;
use std::path::Path;
use text::failures::{Failures, Mention, extract, mention, scan};

fn lines(name: &str) -> Vec<String> {
    let path = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
        .join("tests/fixtures/outputs")
        .join(name);
    std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn failures_are_seen() {
    let missed: Vec<String> = lines("lines-failure.txt")
        .into_iter()
        .filter(|l| !matches!(mention(l), Mention::Failure | Mention::Total { failed: true }))
        .map(|l| format!("{:?} {l}", mention(&l)))
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn harmless_lines_are_not_failures() {
    let wrong: Vec<String> = lines("lines-harmless.txt")
        .into_iter()
        .filter(|l| !matches!(mention(l), Mention::Nothing | Mention::Total { failed: false }))
        .map(|l| format!("{:?} {l}", mention(&l)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn doubtful_lines_are_shown_after_certain_ones() {
    for line in lines("lines-doubtful.txt") {
        assert_eq!(mention(&line), Mention::Doubtful, "{line}");
        assert!(scan(&line));
    }
}

#[test]
fn one_error_among_a_hundred_thousand_lines() {
    let mut output = String::new();
    for i in 0..100_000 {
        if i == 61_234 {
            output.push_str("2024-05-01T10:00:00Z ERROR payment 991 rejected\n");
        }
        output.push_str(&format!("2024-05-01T10:00:00Z INFO request {i} served\n"));
    }
    insta::assert_snapshot!(extract(&output, 2, 4000).text);
}

#[test]
fn an_error_is_found_behind_thousands_of_doubtful_lines() {
    let mut output = String::new();
    for i in 0..6_000 {
        output.push_str(&format!("INFO worker {} retry after error {}\n", i % 7, ["a", "b", "c"][i % 3]));
    }
    output.push_str("ERROR: disk 7 is gone\n");
    for i in 0..6_000 {
        output.push_str(&format!("INFO item-{i:x} failed once\n"));
    }
    let extract = extract(&output, 2, 3000);
    assert!(extract.text.contains("> 6001| ERROR: disk 7 is gone"), "{}", extract.text);
    let missed: Vec<&str> = output
        .lines()
        .filter(|l| !scan(l) && !matches!(mention(l), Mention::Total { failed: true }))
        .take(5)
        .collect();
    assert_eq!(extract.failures, 12_001, "{missed:?}");
    assert!(extract.text.len() <= 3000);
}

#[test]
fn thousands_of_different_failures_are_grouped_and_counted() {
    let mut output = String::from("start\n");
    for i in 0..5000 {
        output.push_str(&format!("src/file{i}.rs:{i}:1: error: unused thing {i}\n"));
    }
    output.push_str("src/odd.rs:1:1: error: something else entirely\nend\n");
    let extract = extract(&output, 1, 1500);
    assert_eq!(extract.failures, 5001);
    assert!(
        extract.text.contains("> 5002| src/odd.rs:1:1: error: something else entirely"),
        "{}",
        extract.text
    );
    insta::assert_snapshot!(extract.text);
}

#[test]
fn repeated_lines_are_counted_once_shown() {
    let output: String = (0..50)
        .map(|i| {
            format!("2024-05-01T10:00:{:02}Z ERROR db connection lost (took {i} ms)\nINFO next\n", i % 60)
        })
        .collect();
    let extract = extract(&output, 0, 2000);
    assert_eq!((extract.failures, extract.shown), (50, 50));
    insta::assert_snapshot!(extract.text);
}

#[test]
fn outputs_of_test_runners() {
    for name in ["cargo-test", "pytest", "jest", "go-test", "maven", "tsc", "eslint", "all-passed"] {
        let output = lines(&format!("{name}.txt")).join("\n");
        insta::assert_snapshot!(name, extract(&output, 2, 3000).text);
    }
}

#[test]
fn a_scan_in_parts_is_a_scan_of_the_whole() {
    let output = lines("pytest.txt").join("\n");
    let whole = extract(&output, 2, 5000);
    let mut parts = Failures::new(2);
    let mut rest = output.as_str();
    while !rest.is_empty() {
        let (part, more) = rest.split_at(rest.floor_char_boundary(7.min(rest.len())).max(1));
        parts.text(part);
        rest = more;
    }
    assert_eq!(parts.finish(5000), whole);
}

#[test]
fn megabytes_in_one_line() {
    let mut output = "x".repeat(3 << 20);
    output.push_str(" ERROR at the end");
    let extract = extract(&output, 2, 2000);
    assert!(extract.text.contains("ERROR at the end"), "{}", extract.text);
}
