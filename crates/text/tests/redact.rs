//! What is a secret and what is not, as fixture files: one case per line.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use plimsoll_text::redact;
use std::path::Path;

fn fixture(name: &str) -> String {
    std::fs::read_to_string(
        Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
            .join("tests/fixtures/redact")
            .join(name),
    )
    .unwrap()
}

/// The fixture holds secrets in halves joined by `~`, so that no scanner takes this repository for leaking.
fn joined(text: &str) -> String {
    text.replace('~', "")
}

#[test]
fn secrets_are_replaced() {
    for line in fixture("secrets.txt").lines() {
        let line = joined(line);
        let clean = redact(&line);
        assert!(clean.contains("[redacted:"), "left alone: {line}");
    }
    insta::assert_snapshot!(redact(&joined(&fixture("secrets.txt"))));
}

#[test]
fn ordinary_text_is_left_alone() {
    for line in fixture("ordinary.txt").lines() {
        assert_eq!(redact(line), line);
    }
    let whole = fixture("ordinary.txt");
    assert_eq!(redact(&whole), whole);
}

#[test]
fn private_keys_over_several_lines() {
    let key = "before\n-----BEGIN RSA PRIV~ATE KEY-----\nMIIEowIBAAKCAQEAx\nyz0123456789abcdef\n-----END RSA PRIV~ATE KEY-----\nafter";
    assert_eq!(redact(&joined(key)), "before\n[redacted:private-key]\nafter");
    let cut = "-----BEGIN OPENSSH PRIV~ATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\nAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2g";
    assert!(!redact(&joined(cut)).contains("b3Blbn"));
}

#[test]
fn a_megabyte_of_code_has_no_secret() {
    let source = include_str!("../src/redact/assignment.rs");
    let clean = redact(source);
    assert_eq!(clean, source, "own source has no secrets");
    let big = "let token = lexer.next_token(); // key: value, pass it on\n".repeat(20_000);
    assert_eq!(redact(&big).len(), big.len());
}
