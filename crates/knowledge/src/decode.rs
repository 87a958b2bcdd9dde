//! From the bytes of a file or a page to text: byte-order marks, declared and likely encodings, and the
//! judgement that something is not text at all. Pure.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// How many bytes at the beginning decide whether a file is text.
pub(crate) const HEAD_BYTES: usize = 8_192;

/// Whether bytes that begin like this are something else than text.
pub(crate) fn is_binary(head: &[u8]) -> bool {
    if Encoding::for_bom(head).is_some() {
        return false;
    }
    if head.starts_with(b"%PDF-") {
        return true;
    }
    let head = &head[..head.len().min(HEAD_BYTES)];
    if head.contains(&0) {
        return true;
    }
    // Control characters that no text file has, more than a stray one in a hundred.
    let odd = head.iter().filter(|b| matches!(b, 1..=6 | 14..=26 | 28..=31)).count();
    odd * 100 > head.len()
}

/// The text of `bytes`: by byte-order mark, then by the declared encoding, then UTF-8, then Windows-1252.
/// What cannot be decoded becomes U+FFFD.
pub(crate) fn text_of(bytes: &[u8], declared: Option<&str>) -> String {
    let named = declared.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
    let encoding = match named {
        Some(encoding) => encoding,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        // A long UTF-8 text with one broken place is still UTF-8; text in another encoding breaks everywhere.
        None if mostly_utf8(bytes) => UTF_8,
        None => WINDOWS_1252,
    };
    encoding.decode(bytes).0.into_owned()
}

fn mostly_utf8(bytes: &[u8]) -> bool {
    let high = bytes.iter().filter(|b| **b >= 0x80).count();
    let broken = bytes.utf8_chunks().filter(|c| !c.invalid().is_empty()).count();
    broken * 10 < high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_recognised() {
        assert_eq!(text_of(b"\xEF\xBB\xBFabc", None), "abc");
        assert_eq!(text_of(b"\xFF\xFEa\0b\0", None), "ab");
        assert_eq!(text_of(b"caf\xE9", None), "café");
        assert_eq!(text_of("naïve 日本".as_bytes(), None), "naïve 日本");
        assert_eq!(text_of(b"\x93\xFA\x96\x7B", Some("Shift_JIS")), "日本");
        assert_eq!(text_of(b"abc", Some("no-such-encoding")), "abc");
    }

    #[test]
    fn text_and_binary_are_told_apart() {
        assert!(is_binary(b"\x7fELF\x02\x01\x01\0\0"));
        assert!(is_binary(b"%PDF-1.7 text"));
        assert!(!is_binary(b"\xFF\xFEa\0b\0"));
        assert!(!is_binary("\u{1b}[31mred\u{1b}[0m\n日本".as_bytes()));
        assert!(!is_binary(b""));
    }
}
