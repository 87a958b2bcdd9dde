//! Decodes a file's or a page's bytes: byte order marks, declared and likely encodings, and the detection of binary data.
//! Pure.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How many leading bytes decide whether a file is text.
pub(crate) const HEAD_BYTES: usize = 8_192;

/// How documents and archives begin that have more text-like bytes than others.
const NEVER_TEXT: [&[u8]; 3] = [b"%PDF-", b"PK\x03\x04", b"\xd0\xcf\x11\xe0"];

/// Whether bytes that begin like this are binary.
pub(crate) fn is_binary(head: &[u8]) -> bool {
    if Encoding::for_bom(head).is_some() {
        return false;
    }
    if NEVER_TEXT.iter().any(|start| head.starts_with(start)) {
        return true;
    }
    let head = &head[..head.len().min(HEAD_BYTES)];
    if head.contains(&0) {
        return wide_without_mark(head).is_none();
    }
    let odd = head.iter().filter(|byte| is_control(**byte)).count();
    odd * 100 > head.len()
}

/// Control characters that text files don't have, or less than one in a hundred.
fn is_control(byte: u8) -> bool {
    matches!(byte, 1..=6 | 14..=26 | 28..=31)
}

/// The text of `bytes`. A byte order mark decides; else the bytes themselves, if they are unambiguous (UTF-8 with non-ASCII
/// letters, UTF-16 without a mark), whatever was declared; then the declared encoding, then Windows-1252. Undecodable bytes
/// become U+FFFD.
pub(crate) fn text_of(bytes: &[u8], declared: Option<&str>) -> String {
    let named = declared.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
    if Encoding::for_bom(bytes).is_some() {
        return UTF_8.decode(bytes).0.into_owned();
    }
    if let Some(wide) = wide_without_mark(bytes) {
        return wide.decode_without_bom_handling(bytes).0.into_owned();
    }
    let says_utf8 = named.is_none_or(|encoding| encoding == UTF_8);
    let says_wide = named.is_some_and(|encoding| encoding == UTF_16LE || encoding == UTF_16BE);
    let encoding = match named {
        // Other encodings are never valid UTF-8 by chance, and ISO-2022-JP's only letters are escapes.
        _ if !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok() => UTF_8,
        // UTF-8 with a few broken places is still UTF-8; another encoding breaks everywhere.
        _ if says_utf8 => {
            if bytes.is_ascii() || mostly_utf8(bytes) {
                UTF_8
            } else {
                WINDOWS_1252
            }
        }
        // Otherwise it would become letters of another script throughout.
        Some(wide) if says_wide && !bytes.is_ascii() && looks_wide(bytes, wide) => wide,
        _ if says_wide => {
            if bytes.is_ascii() {
                UTF_8
            } else {
                WINDOWS_1252
            }
        }
        Some(encoding) => encoding,
        None => UTF_8,
    };
    encoding.decode(bytes).0.into_owned()
}

/// UTF-16 of mostly European letters: every other byte is zero, and the ones between are letters. Tables of small numbers have
/// the zeros, too.
fn wide_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(HEAD_BYTES) & !1];
    let pairs = head.len() / 2;
    if pairs < 2 {
        return None;
    }
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    // A letter's zero is its other half; other scripts have small numbers there.
    let controls = head
        .chunks_exact(2)
        .filter(|pair| matches!(pair, [0, letter] | [letter, 0] if is_control(*letter)))
        .count();
    if controls * 100 > pairs {
        return None;
    }
    match (even, odd) {
        (0, odd) if odd * 10 >= pairs * 7 => Some(UTF_16LE),
        (even, 0) if even * 10 >= pairs * 7 => Some(UTF_16BE),
        _ => None,
    }
}

/// Whether bytes declared as UTF-16 decode to plausible text: few control or unassigned characters.
fn looks_wide(bytes: &[u8], encoding: &'static Encoding) -> bool {
    let head = &bytes[..bytes.len().min(HEAD_BYTES) & !1];
    let (text, broken) = encoding.decode_without_bom_handling(head);
    let blanks = text
        .chars()
        .filter(|c| c.is_whitespace() || c.is_ascii_punctuation() || ('\u{3000}'..'\u{303f}').contains(c))
        .count();
    !broken && blanks * 60 > text.chars().count()
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
    fn a_wrong_charset_is_corrected() {
        let wide = |text: &str, big: bool| -> Vec<u8> {
            text.encode_utf16()
                .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                .collect()
        };
        let utf8 = "naïve café, 日本".as_bytes();
        for label in [
            "iso-8859-1",
            "windows-1252",
            "latin1",
            "Shift_JIS",
            "gbk",
            "euc-kr",
            "utf-16le",
            "koi8-r",
            "ascii",
            "no-such",
        ] {
            assert_eq!(text_of(utf8, Some(label)), "naïve café, 日本", "{label}");
        }
        // A mark outweighs any declaration.
        assert_eq!(text_of(b"\xEF\xBB\xBFna\xC3\xAFve", Some("iso-8859-1")), "naïve");
        assert_eq!(text_of(b"\xFF\xFEa\0\xEF\0", Some("utf-8")), "aï");
        assert_eq!(text_of(b"\xFE\xFF\0a\0\xEF", Some("iso-8859-1")), "aï");
        // UTF-16 without a mark, declared or not, or as something else.
        for label in [None, Some("utf-8"), Some("iso-8859-1"), Some("utf-16")] {
            assert_eq!(text_of(&wide("Hello, wörld.\n", false), label), "Hello, wörld.\n", "{label:?}");
            assert_eq!(text_of(&wide("Hello, wörld.\n", true), label), "Hello, wörld.\n", "{label:?}");
        }
        assert!(!is_binary(&wide("<!doctype html><p>Hello</p>", false)));
        assert_eq!(text_of(&wide("Hello, world and мир.\n", false), None), "Hello, world and мир.\n");
        // Latin-1 declared as UTF-8 or UTF-16, and plain ASCII declared as UTF-16.
        assert_eq!(text_of(b"caf\xE9 cr\xE8me", Some("utf-8")), "café crème");
        assert_eq!(text_of(b"caf\xE9 cr\xE8me br\xFBl\xE9e", Some("utf-16le")), "café crème brûlée");
        assert_eq!(text_of(b"plain text", Some("utf-16")), "plain text");
        // A correct declaration is used.
        assert_eq!(text_of(b"\x93\xFA\x96\x7B", Some("Shift_JIS")), "日本");
        assert_eq!(text_of(b"\xCF\xF0\xE8\xE2\xE5\xF2", Some("windows-1251")), "Привет");
        assert_eq!(text_of(b"\x1b$BF|K\\\x1b(B", Some("iso-2022-jp")), "日本");
        let long = format!("{}\u{fffd}", "naïve ".repeat(40)).replace('\u{fffd}', "x").into_bytes();
        assert_eq!(text_of(&[&long[..], b"\xff"].concat(), Some("utf-8")).matches("naïve").count(), 40);
    }

    #[test]
    fn text_and_binary_are_distinguished() {
        assert!(is_binary(b"\x7fELF\x02\x01\x01\0\0"));
        assert!(is_binary(b"%PDF-1.7 text"));
        assert!(is_binary(b"PK\x03\x04 text"));
        // Numbers of 16 bits each.
        let numbers: Vec<u8> = (0u16..600).flat_map(|n| (n % 40).to_le_bytes()).collect();
        assert!(is_binary(&numbers));
        assert!(!is_binary(b"\xFF\xFEa\0b\0"));
        assert!(!is_binary("\u{1b}[31mred\u{1b}[0m\n日本".as_bytes()));
        assert!(!is_binary(b""));
    }
}
