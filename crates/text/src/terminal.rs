//! Makes foreign text safe for a terminal: nothing in it moves the cursor, sets a title, queries the terminal or
//! reverses the order of letters. Owns what is shown in place of such a character.

use std::borrow::Cow;

use crate::strip_ansi;

/// `text` without anything that controls a terminal: escape sequences are removed, other controls are shown as signs
/// (`␍`, `⟨202E⟩`), and line feeds and tabs stay. Borrows when there is nothing to change.
#[must_use]
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    let obeys = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || is_unseen(c);
    if !text.contains(obeys) {
        return Cow::Borrowed(text);
    }
    let plain = strip_ansi(text);
    let mut out = String::with_capacity(plain.len());
    let mut rest = plain.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' if rest.peek() == Some(&'\n') => {}
            '\n' | '\t' => out.push(c),
            c if c.is_ascii_control() => {
                out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'));
            }
            c if obeys(c) => out.push_str(&format!("⟨{:X}⟩", u32::from(c))),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Invisible characters that change how others are read: direction marks, Unicode's line separators, and tag letters.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::for_terminal;

    #[test]
    fn terminal_controls_are_shown_or_removed() {
        for (given, shown) in [
            ("plain\ttext\n", "plain\ttext\n"),
            ("\u{1b}]0;title\u{7}after", "after"),
            ("\u{1b}[2J\u{1b}[1;1Hgone", "gone"),
            ("\u{9b}31mred", "red"),
            ("\u{1b}P+q544e\u{1b}\\x", "x"),
            ("one\rtwo\r\n", "one␍two\n"),
            ("\u{202e}gpj.exe", "⟨202E⟩gpj.exe"),
            ("form\u{c}feed", "form␌feed"),
            ("naïve 日本 👍🏽 é", "naïve 日本 👍🏽 é"),
        ] {
            assert_eq!(for_terminal(given), shown, "{given:?}");
        }
    }

    proptest! {
        #[test]
        fn no_terminal_control_is_left(text in "(\\PC|[\u{0}-\u{1f}]|[\u{7f}-\u{9f}]|\u{1b}\\[|\u{1b}\\]|[\u{202a}-\u{202e}]|[0-9;]){0,60}") {
            let shown = for_terminal(&text).into_owned();
            prop_assert!(!shown.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{shown:?}");
            prop_assert_eq!(for_terminal(&shown).into_owned(), shown.clone());
        }
    }
}
