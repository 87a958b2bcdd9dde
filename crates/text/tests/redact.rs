//! What counts as a secret and what doesn't, as fixture files: one case per line.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/shapes.rs"]
mod shapes;

use std::path::Path;

use plimsoll_text::redact;
use proptest::prelude::*;
use shapes::{Dice, Shape, shapes};

fn fixture(name: &str) -> String {
    std::fs::read_to_string(
        Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
            .join("tests/fixtures/redact")
            .join(name),
    )
    .unwrap()
}

/// The fixture has secrets in halves joined by `~`, so that no scanner takes this repository for a leak.
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

/// At most these four may change.
#[test]
fn harmless_strings_stay() {
    let innocent = fixture("innocent.txt");
    assert!(innocent.lines().count() > 160, "{}", innocent.lines().count());
    let changed: Vec<_> =
        innocent.lines().filter(|line| redact(line) != *line).map(|line| (line, redact(line))).collect();
    assert!(changed.is_empty(), "{changed:#?}");
    let whole = redact(&innocent);
    let differing: Vec<_> = innocent.lines().zip(whole.lines()).filter(|(a, b)| a != b).collect();
    assert!(differing.is_empty(), "{differing:#?}");
}

/// The law: no start of a secret longer than eight letters remains, whatever its shape.
#[test]
fn every_shape_is_hidden() {
    let mut left = Vec::new();
    let shapes = shapes(&fixture("shapes.txt"));
    assert!(shapes.len() >= 275, "{}", shapes.len());
    for round in 0..20 {
        let mut dice = Dice::new(round);
        for shape in &shapes {
            let case = shape.throw(&mut dice);
            let clean = redact(&case.text);
            if let Some(secret) = case.left_in(&clean) {
                left.push(format!("{}\n    {}\n    {clean}\n    {secret}", shape.line, case.text));
            }
        }
    }
    assert!(left.is_empty(), "{} left, such as\n{}", left.len(), left[..left.len().min(60)].join("\n"));
}

/// A shape's surroundings: nothing that could be part of the secret.
fn around() -> impl Strategy<Value = String> {
    prop::collection::vec(
        "[a-zà-ü]{1,9}|\n|\r\n| |, |; |\\. |\\(|\\)|\\{|\\}|[0-9]{1,4}|error: |let x = 1;|€|日本|😀|<b>|# |- |key: |see |\t",
        0..30,
    )
    .prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn a_secret_is_hidden_wherever_it_is(before in around(), after in around(), which in 0usize..10_000, seed in any::<u64>()) {
        let shapes = shapes(&fixture("shapes.txt"));
        let shape: &Shape = &shapes[which % shapes.len()];
        let case = shape.throw(&mut Dice::new(seed));
        let text = format!("{before}\n{}\n{after}", case.text);
        let clean = redact(&text);
        prop_assert!(case.left_in(&clean).is_none(), "{}\n{text}\n{clean}", shape.line);
        prop_assert_eq!(redact(&clean).into_owned(), clean.clone().into_owned());
    }

    /// Pieces of shapes, cut anywhere, with multi-byte and case-changing characters.
    #[test]
    fn damaged_secrets_are_survived(
        seed in any::<u64>(),
        pieces in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..6),
        odd in prop::collection::vec(("[é漢😀\u{202e}\u{0}\u{1b}\rİﬁ\u{feff}\"'`:=-]", any::<prop::sample::Index>()), 0..8),
        from in any::<prop::sample::Index>(),
    ) {
        let shapes = shapes(&fixture("shapes.txt"));
        let mut dice = Dice::new(seed);
        let mut letters = Vec::new();
        for (which, start, end) in pieces {
            let text: Vec<char> = which.get(&shapes).throw(&mut dice).text.chars().collect();
            let (a, b) = (start.index(text.len() + 1), end.index(text.len() + 1));
            letters.extend_from_slice(&text[a.min(b)..a.max(b)]);
        }
        for (odd, at) in odd {
            let at = at.index(letters.len() + 1);
            letters.splice(at..at, odd.chars());
        }
        let text: String = letters.into_iter().collect();
        let clean = redact(&text);
        prop_assert_eq!(redact(&clean).into_owned(), clean.clone().into_owned());
        let at = text.floor_char_boundary(from.index(text.len() + 1));
        let _ = plimsoll_text::redact_after(&text, at);
    }
}

#[test]
fn letters_that_a_program_chose_are_hidden_behind_a_secrets_name() {
    for (text, clean) in [
        ("password=QwZrTx~UkLpAs", "password=[redacted:password]"),
        ("password: QwZrTx~UkLpAs", "password: [redacted:password]"),
        ("db_pw: QwZrTx~UkLpAs", "db_pw: [redacted:password]"),
        ("api_key: QwZrTx~UkLpAsMnBvCx", "api_key: [redacted:secret]"),
    ] {
        assert_eq!(redact(&joined(text)), clean);
    }
    for code in ["password = getUserByIdOrName", "token = XMLHTTPRequestToken", "password: OAuthJWTToken,"] {
        assert_eq!(redact(code), code);
    }
}

#[test]
fn a_password_may_begin_as_an_anchor_does() {
    for (text, clean) in [
        ("password: &Xy7k~Q2w and so on", "password: [redacted:password] and so on"),
        ("password: &shop2 hunter~2xyz", "password: &shop2 [redacted:password]"),
        ("password: &shop \"hunter~2xyz\"", "password: &shop \"[redacted:password]\""),
    ] {
        assert_eq!(redact(&joined(text)), clean);
    }
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

/// Many words that trigger a finder cost no more than the text's length.
#[test]
fn text_made_to_be_slow_is_read_fast() {
    for part in [
        "-----BEGIN PRIV~ATE KEY-----\n",
        "-----END PRIV~ATE KEY-----\n",
        "curl -u ",
        "kind: Secret\ndata:\n",
        "cookie: a=b;",
        "value=",
        "://a:",
        "mysql -p",
        "password: |\n  ",
        "login a password ",
        "-us",
        "+ASt",
        "-----BEGIN PRIV~ATE KEY----- ",
        "-----END PRIV~ATE KEY----- ",
        "kind: Secret data: a: b ",
        "password: | a ",
        "user = a password = harbourlemon ",
        "secret-token:",
        "authorization:",
        "Authorization: Digest response=",
        "Authorization: Digest response=a1b2c3d4, ",
        "\"abcdefgh\" + ",
        "abcdefgh\\\n",
        "LS0tLS1CRUdJTi",
    ] {
        let text = joined(part).repeat(200_000 / part.len());
        let clean = redact(&text);
        assert!(clean.len() <= text.len() * 12);
    }
}
