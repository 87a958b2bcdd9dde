//! The beginning of a long text, with a mark that counts what is missing. Owns when a cut pays: the mark is never longer than what
//! it replaces.

use std::borrow::Cow;

/// What a mark takes at least, with its two digits, in bytes: a text that is longer by less than this stays whole.
const MARK: usize = "… 17 bytes more".len();

/// `text`, or its first `most` bytes and the number of those that are missing.
pub(crate) fn clipped(text: &str, most: usize) -> Cow<'_, str> {
    match clip_at(text, most) {
        Some(cut) => Cow::Owned(format!("{}{}", &text[..cut], mark(text, cut))),
        None => Cow::Borrowed(text),
    }
}

/// Where a text that may take about `most` bytes is cut; `None` if it stays whole.
pub(crate) fn clip_at(text: &str, most: usize) -> Option<usize> {
    (text.len() >= most + MARK).then(|| text.floor_char_boundary(most))
}

/// The mark in place of what follows `cut`.
pub(crate) fn mark(text: &str, cut: usize) -> String {
    format!("… {} bytes more", text.len() - cut)
}

#[cfg(test)]
mod tests {
    use super::clipped;

    #[test]
    fn a_mark_is_never_longer_than_what_it_replaces() {
        for letter in ["x", "é", "…", "🦀"] {
            for most in [0, 1, 8, 120, 5_000] {
                for letters in (0..60).chain([99, 100, 101, 999, 1_000, 12_000]) {
                    let text = letter.repeat(most / letter.len() + letters);
                    let short = clipped(&text, most);
                    assert!(short.len() <= text.len(), "{} of {}: {short}", short.len(), text.len());
                    assert!(short.len() <= most + "… 48000 bytes more".len(), "{most}: {short}");
                    assert!(short == text || short.ends_with(" bytes more"), "{short}");
                }
            }
        }
    }

    #[test]
    fn one_byte_less_than_the_mark_replaces_stays() {
        assert_eq!(clipped(&"x".repeat(16), 0), "x".repeat(16));
        assert_eq!(clipped(&"x".repeat(17), 0), "… 17 bytes more");
    }
}
