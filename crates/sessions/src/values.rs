//! Converts values for the record: counts to SQLite's integers and back, and text without secrets.

/// How much of a text is scanned, in bytes, before a few hundred characters are kept.
const SCANNED_BYTES: usize = 4 * 1024 * 1024;

/// `text` without private spans and secrets, cut to at most `max` characters.
#[must_use]
pub fn clean(text: &str, max: usize) -> String {
    let text = &*crate::private::without_private(text);
    // The whole text is searched for secrets, because half a secret isn't recognised. No prompt is longer than this.
    let redacted = text::redact(&text[..text.floor_char_boundary(SCANNED_BYTES)]);
    match redacted.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", redacted.get(..at).unwrap_or("")),
        None => redacted.into_owned(),
    }
}

/// A count as SQLite stores it.
pub(crate) fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A count as SQLite stored it.
#[must_use]
pub fn count(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}
