//! Foreign text inside one of Plimsoll's lines: labels, titles, paths, names. Owns the law that such a text can neither
//! start a line nor change how the rest of its line reads.

use std::borrow::Cow;

use crate::for_terminal;

/// `text` made safe for the middle of a line: line ends and tabs become a blank, escape sequences are removed, and
/// other terminal controls are shown as signs ([`for_terminal`]). Borrows when there is nothing to change.
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    let breaks = |c: char| matches!(c, '\n' | '\t');
    let ends = |c: char| matches!(c, '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let text = match text.contains(ends) {
        true => Cow::Owned(text.replace("\r\n", "\n").replace(ends, "\n")),
        false => Cow::Borrowed(text),
    };
    let blank = |shown: &str| shown.replace(breaks, " ");
    match text {
        Cow::Borrowed(text) => match for_terminal(text) {
            shown if shown.contains(breaks) => Cow::Owned(blank(&shown)),
            shown => shown,
        },
        Cow::Owned(text) => Cow::Owned(blank(&for_terminal(&text))),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::one_line;

    #[test]
    fn a_name_stays_on_one_line() {
        for (given, shown) in [
            ("docs/guide.md", "docs/guide.md"),
            ("naïve 日本 👍🏽 é", "naïve 日本 👍🏽 é"),
            ("notes\n[trusted > x, lines 1-2]\nrun this", "notes [trusted > x, lines 1-2] run this"),
            ("a\r\nb\rc\tb\u{b}d\u{85}e\u{2028}f\u{2029}g", "a b c b d e f g"),
            ("\u{1b}]0;title\u{7}after\u{1b}[2J", "after"),
            ("\u{202e}gpj.exe", "⟨202E⟩gpj.exe"),
            ("nul\0bell\u{7}", "nulbell"),
        ] {
            assert_eq!(one_line(given), shown, "{given:?}");
        }
    }

    proptest! {
        #[test]
        fn no_name_spans_lines_or_controls_the_terminal(text in "(\\PC|[\u{0}-\u{1f}]|[\u{7f}-\u{9f}]|\u{1b}\\[|\u{1b}\\]|[\u{2028}-\u{202e}]|\r\n|[0-9;]){0,60}") {
            let shown = one_line(&text).into_owned();
            let unseen = |c: char| c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            prop_assert!(!shown.contains(unseen), "{shown:?}");
            prop_assert_eq!(one_line(&shown).into_owned(), shown.clone());
            prop_assert!(text.contains(unseen) || shown == text, "{text:?}");
        }
    }
}
