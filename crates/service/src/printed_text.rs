//! Programs' output as text to show or store: without colours, and with a mark in place of each NUL.

use std::borrow::Cow;

/// The mark in place of a NUL.
const NUL_MARK: &str = "\u{2400}";
/// The beginning of the mark in place of a secret.
const HIDDEN: &str = "[redacted:";
/// In a text one byte in so many may be a stray one: a test's name has a NUL, a compiler quotes a line in another encoding.
const STRAY: usize = 1_000;

/// Whether a complete output is text, but for a stray byte here and there.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    let nuls = bytes.iter().filter(|byte| **byte == 0).count();
    let broken = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
    (nuls + broken) * STRAY <= bytes.len()
}

/// An output as it's stored where it's kept as bytes: unchanged, unless a NUL could disguise a secret.
pub(crate) fn storable_bytes(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.contains(&0) {
        return Cow::Borrowed(bytes);
    }
    Cow::Owned(storable(&String::from_utf8_lossy(bytes)).into_owned().into_bytes())
}

/// Printed text as it's read: without terminal sequences, and with a mark where a NUL separates two things (`git ls-files -z`,
/// `find -print0`, `/proc/…/environ`), which would run together without it. Where every other byte is one, the text is UTF-16.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    let nuls = text.bytes().filter(|byte| *byte == 0).count();
    if nuls == 0 || nuls * 4 > text.len() {
        return text::strip_ansi(text);
    }
    Cow::Owned(text::strip_ansi(&text.replace('\0', NUL_MARK)).into_owned())
}

/// The same for text that is stored. Secrets are hidden in each part between NULs, so that one ends where the next part
/// begins, and in the text without NULs if that has more of them: a NUL inside a secret must not disguise it.
pub(crate) fn storable(text: &str) -> Cow<'_, str> {
    if !text.contains('\0') {
        return plain(text);
    }
    let parts: Vec<Cow<'_, str>> = text.split('\0').map(text::redact).collect();
    let without = text.replace('\0', "");
    let whole = text::redact(&without);
    let hidden = |text: &str| text.matches(HIDDEN).count();
    if hidden(&whole) > parts.iter().map(|part| hidden(part)).sum::<usize>() {
        return Cow::Owned(plain(&whole).into_owned());
    }
    Cow::Owned(plain(&parts.join("\0")).into_owned())
}

/// What an output is that isn't text; `None` for text. NULs alone only separate.
pub(crate) fn binary_description(text: &str) -> Option<String> {
    let description = filters::binary_description(text)?;
    let is_separated = text.contains('\0') && filters::binary_description(&text.replace('\0', " ")).is_none();
    (!is_separated).then_some(description)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stray_byte_leaves_a_text_a_text() {
        let lines = "a line of a report\n".repeat(120).into_bytes();
        for stray in [&b"\0"[..], b"\xe9"] {
            let with = |count: usize| [lines.clone(), stray.repeat(count)].concat();
            assert!(is_text(&with(0)) && is_text(&with(2)) && !is_text(&with(3)), "{stray:?}");
        }
        assert!(!is_text(b"a\0b") && !is_text(&b"src/cart.rs\0".repeat(900)));
        assert_eq!(storable_bytes(b"\x1b[31mred\n"), &b"\x1b[31mred\n"[..]);
        let split = b"token ghp_16C7e42F292c69\x0012E7710c838347Ae178B4a of dana\n";
        let stored = String::from_utf8(storable_bytes(split).into_owned()).unwrap();
        assert!(!stored.contains("16C7e42F292c69"), "{stored}");
    }

    #[test]
    fn nul_separated_text_stays_apart_and_hides_no_secret() {
        assert_eq!(plain("a.rs\0b.rs\0"), "a.rs␀b.rs␀");
        assert_eq!(plain("\u{1b}[31mred\u{1b}[0m\0\n"), "red␀\n");
        assert_eq!(plain("h\0e\0l\0l\0o\0\n\0"), "hello\n");
        assert_eq!(plain("plain\n"), "plain\n");
        assert!(binary_description(&"src/a.rs\0".repeat(900)).is_none());
        assert!(binary_description(&"\u{1f}\u{fffd}\u{8}\0\u{fffd}a".repeat(90)).is_some());
        let environ = "PATH=/usr/bin\0API_TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a\0HOME=/home/dana\0";
        let stored = text::redact(&storable(environ)).into_owned();
        assert!(stored.contains("HOME=/home/dana␀") && !stored.contains("16C7e42F292c"), "{stored}");
        let split = "token ghp_16C7e42F292c69\u{0}12E7710c838347Ae178B4a of dana\n";
        let stored = text::redact(&storable(split)).into_owned();
        assert!(!stored.contains("16C7e42F292c"), "{stored}");
    }
}
