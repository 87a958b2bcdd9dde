//! Words within a text, where they aren't part of others.

/// Whether `text` contains `words` as whole words.
pub(crate) fn contains_words(text: &str, words: &str) -> bool {
    find_words(text, words).is_some()
}

/// The place of `words` in `text` as whole words.
pub(crate) fn find_words(text: &str, words: &str) -> Option<usize> {
    // Hundreds are looked for in each sentence, and whether one is there is quicker to tell than where.
    let place = || text.match_indices(words).map(|(at, _)| at).find(|at| is_whole(text, *at, words));
    if text.contains(words) { place() } else { None }
}

/// Whether words at a place of a text are whole there.
pub(super) fn is_whole(text: &str, at: usize, words: &str) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    let after = text.get(at + words.len()..).and_then(|after| after.chars().next());
    // Words that begin or end with a mark (`, not`) may have a letter beside it.
    let is_mark = |c: char| !c.is_alphanumeric();
    (words.starts_with(is_mark) || !before.is_some_and(char::is_alphanumeric))
        && (words.ends_with(is_mark) || !after.is_some_and(char::is_alphanumeric))
}
