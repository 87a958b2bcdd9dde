//! Other spellings of words with letters that a keyboard may lack, or that an input method writes in full width: `Strasse` for
//! `Straße`, `loeschen` for `löschen`. The index removes accents and knows none of these, so it's given both. An accent may also
//! be a character of its own, as in the names of files on a Mac: what is compared is composed first, and stored as it was written.

use std::borrow::Cow;
use std::collections::HashSet;

use ranking::words::is_cjk;
use unicode_normalization::{UnicodeNormalization as _, is_nfc};

/// Letters that aren't another letter with an accent, and what is written for them.
const LETTERS: &[(char, &str)] =
    &[('ß', "ss"), ('ı', "i"), ('\u{307}', ""), ('æ', "ae"), ('œ', "oe"), ('ø', "o"), ('ł', "l"), ('đ', "d")];
/// Letters that lose their accent in the index, and are also written as two.
const UMLAUTS: &[(char, &str)] = &[('ä', "ae"), ('ö', "oe"), ('ü', "ue")];
/// Longer words are encodings, which nobody spells.
const MAX_WORD_BYTES: usize = 80;

/// A text with each accent in its letter (NFC), so that what looks the same is the same.
pub(crate) fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}

/// The other spellings of a text's words, in small letters; none for most texts.
pub(crate) fn other_spellings(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    if text.is_ascii() {
        return out;
    }
    let whole = composed(text);
    let is_decomposed = matches!(whole, Cow::Owned(_));
    let mut seen: HashSet<&str> = HashSet::new();
    for word in whole.split(|c: char| !c.is_alphanumeric() || is_cjk(c)) {
        if word.is_ascii() || word.len() > MAX_WORD_BYTES || !seen.insert(word) {
            continue;
        }
        let usual = word.to_lowercase();
        let plain = respelled(word, LETTERS);
        let spelled_out = respelled(&plain, UMLAUTS);
        if spelled_out != plain {
            out.push(spelled_out);
        }
        if plain != usual {
            out.push(plain);
        }
        // The index drops an accent of its own, but keeps some that are in a letter, such as those of `й`.
        if is_decomposed && !text.contains(word) {
            out.push(usual);
        }
    }
    out
}

fn respelled(word: &str, letters: &[(char, &str)]) -> String {
    let mut out = String::with_capacity(word.len());
    for small in word.chars().map(half_width).flat_map(char::to_lowercase) {
        match letters.iter().find(|(letter, _)| *letter == small) {
            Some((_, others)) => out.push_str(others),
            None => out.push(small),
        }
    }
    out
}

/// The ASCII character that a full-width one is.
fn half_width(c: char) -> char {
    match u32::from(c) {
        code @ 0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0).unwrap_or(c),
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_letters_are_spelled_out() {
        for (text, expected) in [
            ("Straße", vec!["strasse"]),
            ("STRAẞE", vec!["strasse"]),
            ("Größe", vec!["groesse", "grösse"]),
            ("löschen, löschen", vec!["loeschen"]),
            ("ＡＰＩの鍵", vec!["api"]),
            ("ışık İzmir", vec!["işik", "izmir"]),
            ("Œuvre, Søren", vec!["oeuvre", "soren"]),
            ("plain words, déjà vu, 数据库, ключ", vec![]),
        ] {
            assert_eq!(other_spellings(text), expected, "{text}");
        }
        assert!(other_spellings(&"ß".repeat(200)).is_empty());
    }

    #[test]
    fn a_separate_accent_changes_no_word() {
        for (text, expected) in [
            ("lo\u{308}schen", vec!["loeschen", "löschen"]),
            ("e\u{301}cole", vec!["école"]),
            ("и\u{306}од", vec!["йод"]),
        ] {
            assert_eq!(other_spellings(text), expected, "{text}");
            assert!(composed(text).chars().count() < text.chars().count(), "{text}");
        }
        assert_eq!(composed("\u{1112}\u{1161}\u{11ab}글"), "한글");
        for text in ["école", "löschen 한글", "plain", "データベース"] {
            assert!(matches!(composed(text), Cow::Borrowed(_)), "{text}");
        }
    }
}
