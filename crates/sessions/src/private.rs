//! `<private>…</private>`: text that the user marks in this way is never recorded.
//!
//! Doesn't know secrets, which `text` finds on its own. An unclosed span extends to the end, because recording too
//! little is harmless.

use std::borrow::Cow;

/// The tag's name, in any case and with or without attributes.
const NAME: &str = "private";

/// `text` without its private spans. Borrows if there are none; linear in the length of the text.
///
/// ```
/// assert_eq!(plimsoll_sessions::without_private("ask <private>Ana</private> first"), "ask  first");
/// assert_eq!(plimsoll_sessions::without_private("the rest <PRIVATE note> is mine"), "the rest ");
/// ```
#[must_use]
pub fn without_private(text: &str) -> Cow<'_, str> {
    let mut kept = String::new();
    let mut from = 0; // where the text that is kept goes on
    let mut depth = 0_usize;
    let mut found = false;
    let mut at = 0;
    while let Some(step) = text.get(at..).and_then(|rest| rest.find('<')) {
        let start = at + step;
        at = start + 1;
        let Some((closing, length)) = text.get(start..).and_then(tag) else { continue };
        if depth == 0 {
            kept.push_str(text.get(from..start).unwrap_or_default());
        }
        found = true;
        at = start + length;
        depth = if closing { depth.saturating_sub(1) } else { depth + 1 };
        from = at;
    }
    if !found {
        return Cow::Borrowed(text);
    }
    if depth == 0 {
        kept.push_str(text.get(from..).unwrap_or_default());
    }
    Cow::Owned(kept)
}

/// If `rest` begins with such a tag: whether it closes, and its length in bytes. A truncated opening tag counts.
fn tag(rest: &str) -> Option<(bool, usize)> {
    let inner = rest.strip_prefix('<')?.trim_start();
    let (closing, inner) = match inner.strip_prefix('/') {
        Some(inner) => (true, inner.trim_start()),
        None => (false, inner),
    };
    let name = inner.get(..NAME.len())?;
    let after = inner.get(NAME.len()..)?;
    if !name.eq_ignore_ascii_case(NAME) {
        return None;
    }
    let used = rest.len() - after.len();
    if after.chars().next().is_some_and(|next| next != '>' && next != '/' && !next.is_whitespace()) {
        return None;
    }
    match after.find(['>', '<']) {
        Some(end) if after.as_bytes().get(end) == Some(&b'>') => {
            // `<private/>` is empty.
            let empty = after.get(..end).is_some_and(|inside| inside.trim_end().ends_with('/'));
            Some((closing || empty, used + end + 1))
        }
        _ => Some((closing, used)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_marked_text_is_removed() {
        for (text, kept) in [
            ("nothing here", "nothing here"),
            ("a<private>b</private>c", "ac"),
            ("a<Private>b</PRIVATE>c", "ac"),
            ("a< private reason=\"x\" >b< / private >c", "ac"),
            ("a<private>b<private>c</private>d</private>e", "ae"),
            ("a<private>b", "a"),
            ("a<private", "a"),
            ("a<private>b</private", "a"),
            ("a</private>b", "ab"),
            ("a<private/>b", "ab"),
            ("a<privateer>b</privateer>c", "a<privateer>b</privateer>c"),
            ("x < y and y > private", "x < y and y > private"),
            ("ä<private>ö</private>ü", "äü"),
            ("<private>a</private>b<private>c</private>d", "bd"),
        ] {
            assert_eq!(without_private(text), kept, "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_between_the_marks_is_left(before in "[a-z <]{0,10}", inside in "[A-Z </>]{0,20}", after in "[a-z >]{0,10}") {
            let text = format!("{before}<private>{inside}</private>{after}");
            let left = without_private(&text);
            prop_assert!(!left.chars().any(|c| c.is_ascii_uppercase()), "{text} -> {left}");
            prop_assert_eq!(without_private(&left), left.clone());
        }

        #[test]
        fn any_text_is_read(text in "\\PC{0,60}") {
            let _ = without_private(&text);
        }
    }
}
