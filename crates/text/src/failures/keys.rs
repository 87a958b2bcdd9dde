//! When two lines mean the same: ignoring times, identities or all figures. Owns what may vary between two occurrences; `line`
//! interprets lines.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::patterns::{MOMENT, VARYING};

/// Equal for lines that differ only in times, addresses, identities and durations.
#[must_use]
pub fn same_key(line: &str) -> u64 {
    let head = line[..line.floor_char_boundary(4096)].trim();
    // Everything that varies contains a digit.
    if !head.bytes().any(|byte| byte.is_ascii_digit()) {
        return hash(head);
    }
    let head = without_identities(head);
    let plain = VARYING.as_ref().map_or(Cow::Borrowed(head.as_ref()), |p| p.replace_all(&head, "#"));
    hash(plain.as_ref())
}

/// `line` with each identity replaced by a sign: a UUID, an address, the start of a hash. A word of letters up to F without
/// digits isn't one, and a number alone may be a value.
fn without_identities(line: &str) -> Cow<'_, str> {
    let bytes = line.as_bytes();
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    while at < bytes.len() {
        if !bytes[at].is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let found = uuid(bytes, at);
        let word = || at + bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let end = found.unwrap_or_else(word);
        if found.is_some() || is_hash(&bytes[at..end]) {
            out.push_str(&line[copied..at]);
            out.push('#');
            copied = end;
        }
        at = end;
    }
    if copied == 0 {
        return Cow::Borrowed(line);
    }
    out.push_str(&line[copied..]);
    Cow::Owned(out)
}

/// Length of `0190b5a0-0000-7000-8000-00000000001a`.
const UUID: usize = 36;
/// The shortest start of a hash that differs from a number or a word.
const HASH: usize = 7;

/// Where the UUID that begins `at` ends.
fn uuid(bytes: &[u8], at: usize) -> Option<usize> {
    let end = at + UUID;
    let shape = bytes.get(at..end)?.iter().enumerate().all(|(nth, byte)| match nth {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    });
    let ends = bytes.get(end).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    (shape && ends).then_some(end)
}

fn is_hash(word: &[u8]) -> bool {
    let bare = word.strip_prefix(b"0x");
    let word = bare.unwrap_or(word);
    let figures = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    word.iter().all(u8::is_ascii_hexdigit)
        && (bare.is_some() && !word.is_empty()
            || (HASH..=64).contains(&word.len()) && figures > 0 && figures < word.len())
}

/// Equal for messages that differ only in times and durations; `None` for a line that isn't a message: with few words
/// beside its figures and identities, those are its content.
#[must_use]
pub fn message_key(line: &str) -> Option<u64> {
    if line.len() > 4096 || !line.bytes().any(|byte| byte.is_ascii_digit()) || !is_message(line) {
        return None;
    }
    Some(hash(MOMENT.as_ref()?.replace_all(line.trim(), "#").as_ref()))
}

/// Whether a line has at least two words, of two letters or more, besides what varies.
#[must_use]
pub fn is_message(line: &str) -> bool {
    let head = &line[..line.floor_char_boundary(4096)];
    let Some(varying) = VARYING.as_ref() else { return false };
    let words = varying.replace_all(head, " ");
    words.split(|c: char| !c.is_alphanumeric()).filter(|word| is_word(word)).nth(1).is_some()
}

fn is_word(word: &str) -> bool {
    word.chars().nth(1).is_some() && word.chars().all(char::is_alphabetic)
}

/// Whether [`same_key`] or [`message_key`] of two lines could be equal; quickly rules out most pairs.
#[must_use]
pub fn may_be_same(a: &str, b: &str) -> bool {
    // Only these letters and signs can be part of what varies; all other ASCII must be the same in both.
    let fixed = |byte: &u8| {
        byte.is_ascii()
            && !byte.is_ascii_hexdigit()
            && !byte.is_ascii_whitespace()
            && !b"xXtTzZ:.,+-mMsSeEcCoOnNdDuU#\x0b".contains(byte)
    };
    let head = |line: &'_ str| line.floor_char_boundary(4096);
    a[..head(a)].bytes().filter(fixed).eq(b[..head(b)].bytes().filter(fixed))
}

/// Equal for lines that differ only in figures and identities.
#[must_use]
pub fn kind_key(line: &str) -> u64 {
    let mut out = String::new();
    let mut in_number = false;
    for c in without_identities(line[..line.floor_char_boundary(512)].trim()).chars() {
        let digit = c.is_ascii_digit();
        if !digit {
            out.push(c);
        } else if !in_number {
            out.push('#');
        }
        in_number = digit;
    }
    hash(&out)
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{is_message, kind_key, message_key, same_key, without_identities};

    #[test]
    fn an_identifier_makes_no_difference() {
        for (a, b) in [
            ("ERROR order 3f2a9c1d refused", "ERROR order 90ab12cd refused"),
            (
                "cannot open 0190b5a0-dead-7000-beef-00000000001a.json",
                "cannot open f190b5a0-0a0d-4000-8eef-0000000000ff.json",
            ),
            ("panic at 0xdead", "panic at 0x1f00ff"),
            ("commit 4df1a79 could not be applied", "commit b8c0e12 could not be applied"),
        ] {
            assert_eq!(same_key(a), same_key(b), "{a} / {b}");
            assert_eq!(kind_key(a), kind_key(b), "{a} / {b}");
        }
        for (a, b) in [
            ("error at 3:7", "error at 3:8"),
            ("order 17 refused", "order 18 refused"),
            ("the cafe is decaded", "the facade is decaded"),
            ("error E0308 here", "error E0309 here"),
            ("src/a1b2.rs failed", "src/a1b3.rs failed"),
        ] {
            assert_ne!(same_key(a), same_key(b), "{a} / {b}");
        }
        assert_eq!(without_identities("é 3f2a9c1d-x 漢"), "é #-x 漢");
        assert_eq!(without_identities("1234567890 deadbeef g1234567"), "1234567890 deadbeef g1234567");
    }

    #[test]
    fn times_differ_between_messages_and_identities_do_not() {
        let same = |a: &str, b: &str| message_key(a).is_some() && message_key(a) == message_key(b);
        assert!(same("10:00:01 request served in 3 ms", "10:00:02 request served in 14 ms"));
        for (a, b) in [
            // Only the value differs, and the value is the answer.
            ("took 3 ms", "took 14 ms"),
            ("2026-11-20T10:00:00Z", "2026-11-20T10:00:01Z"),
            // They differ in their subject.
            (
                "order 0190b5a0-0000-7000-8000-00000000001a was sent",
                "order 0190b5a0-0000-7000-8000-00000000001b was sent",
            ),
            ("thread at 0x1f00 has ended", "thread at 0x1f01 has ended"),
            ("order 10000000001 was sent", "order 10000000002 was sent"),
            // Beyond the compared length.
            (
                &format!("served in 1 ms {}a", "x".repeat(5000)),
                &format!("served in 1 ms {}b", "x".repeat(5000)),
            ),
        ] {
            assert!(!same(a, b), "{a} / {b}");
        }
        assert!(!is_message("0190b5a0-dead-7000-beef-00000000001a") && !is_message("12:00:01 a 17"));
    }
}
