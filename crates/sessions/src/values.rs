//! Values on their way into the record and back: counts as SQLite keeps them, texts without secrets.

/// So much of a text is looked at, in bytes, before a few hundred characters of it are kept.
const LOOKED_AT: usize = 4 * 1024 * 1024;

/// `text` without private spans and secrets, on one stretch of at most `max` characters.
#[must_use]
pub fn clean(text: &str, max: usize) -> String {
    let text = &*crate::private::without_private(text);
    // Secrets are looked for in all of it: one that was cut in half is not recognised. No prompt is longer than this.
    let redacted = text::redact(&text[..text.floor_char_boundary(LOOKED_AT)]);
    match redacted.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", redacted.get(..at).unwrap_or("")),
        None => redacted.into_owned(),
    }
}

/// A count as SQLite keeps it.
pub(crate) fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A count as it was kept.
#[must_use]
pub fn count(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}
