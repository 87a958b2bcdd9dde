//! Finds a name as a whole word in a text, and returns single lines. Pure.

/// The positions where `name` is a whole word.
pub(super) fn whole_words<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(part) && !after.is_some_and(part)
    })
}

/// The text of the line a place is on, cut.
pub(crate) fn line_text(text: &str, line: u32) -> String {
    let found = text.lines().nth(line.saturating_sub(1) as usize).unwrap_or("").trim();
    found[..found.floor_char_boundary(200)].to_owned()
}

/// Line and column of a place.
pub(super) fn place(text: &str, at: usize) -> (u32, u32) {
    let before = &text[..at];
    let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
    let column = at - before.rfind('\n').map_or(0, |i| i + 1) + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

/// Line and column of each occurrence of `name` as a whole word.
pub(super) fn plain<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = (u32, u32)> + 't {
    whole_words(text, name).map(|at| place(text, at))
}
