//! When two lines say the same: all but times, all but identities, all but figures. Owns what counts as varying between
//! two occurrences; what a line says is `line`'s.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::patterns::{MOMENT, VARYING};

/// Equal for lines that differ only in times, addresses, identities and durations.
#[must_use]
pub fn same_key(line: &str) -> u64 {
    let head = line[..line.floor_char_boundary(4096)].trim();
    // Whatever varies has a figure in it.
    if !head.bytes().any(|byte| byte.is_ascii_digit()) {
        return hash(head);
    }
    let plain = VARYING.as_ref().map_or(std::borrow::Cow::Borrowed(head), |p| p.replace_all(head, "#"));
    hash(plain.as_ref())
}

/// Equal for messages that differ only in times and durations; `None` for a line that is no message: where few words
/// are left beside its figures and identities, those are what it says.
#[must_use]
pub fn message_key(line: &str) -> Option<u64> {
    if line.len() > 4096 || !line.bytes().any(|byte| byte.is_ascii_digit()) || !is_message(line) {
        return None;
    }
    Some(hash(MOMENT.as_ref()?.replace_all(line.trim(), "#").as_ref()))
}

/// Whether a line has words beside what varies in it: two at least, of two letters or more.
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

/// Whether [`same_key`] of two lines could be equal, or [`message_key`]; sees at a glance
/// that most are not.
#[must_use]
pub fn may_be_same(a: &str, b: &str) -> bool {
    // Of what varies only these letters and signs can be a part; whatever else is ASCII must be the same in both.
    let fixed = |byte: &u8| {
        byte.is_ascii()
            && !byte.is_ascii_hexdigit()
            && !byte.is_ascii_whitespace()
            && !b"xXtTzZ:.,+-mMsSeEcCoOnNdDuU#\x0b".contains(byte)
    };
    let head = |line: &'_ str| line.floor_char_boundary(4096);
    a[..head(a)].bytes().filter(fixed).eq(b[..head(b)].bytes().filter(fixed))
}

/// Equal for lines that differ only in figures.
#[must_use]
pub fn kind_key(line: &str) -> u64 {
    let mut out = String::new();
    let mut in_number = false;
    for c in line[..line.floor_char_boundary(512)].trim().chars() {
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
    use super::{is_message, message_key};

    #[test]
    fn times_differ_between_messages_and_identities_do_not() {
        let same = |a: &str, b: &str| message_key(a).is_some() && message_key(a) == message_key(b);
        assert!(same("10:00:01 request served in 3 ms", "10:00:02 request served in 14 ms"));
        for (a, b) in [
            // Nothing but the value: it is what was asked for.
            ("took 3 ms", "took 14 ms"),
            ("2026-11-20T10:00:00Z", "2026-11-20T10:00:01Z"),
            // Which one it is about.
            (
                "order 0190b5a0-0000-7000-8000-00000000001a was sent",
                "order 0190b5a0-0000-7000-8000-00000000001b was sent",
            ),
            ("thread at 0x1f00 has ended", "thread at 0x1f01 has ended"),
            ("order 10000000001 was sent", "order 10000000002 was sent"),
            // Beyond what is compared.
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
