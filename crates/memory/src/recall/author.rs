//! The author whom a question names. Speakers rarely say their own name: a name in a question asks for the author, not for
//! texts that contain the name.

use crate::domain::Memory;

/// Whether a word is the author's first name or full name.
pub(super) fn is_called(author: Option<&str>, word: &str) -> bool {
    let Some(author) = author else { return false };
    let first = author.split(|c: char| !c.is_alphanumeric()).find(|name| !name.is_empty());
    author.eq_ignore_ascii_case(word) || first.is_some_and(|first| first.eq_ignore_ascii_case(word))
}

/// The author of a match, if the question names one and no other.
pub(super) fn named_author<'a>(read: impl Iterator<Item = &'a Memory>, question: &str) -> Option<String> {
    let words: Vec<&str> = question.split(|c: char| !c.is_alphanumeric()).collect();
    let mut named: Vec<&str> = Vec::new();
    for author in read.filter_map(|memory| memory.author.as_deref()) {
        if !named.contains(&author) && words.iter().any(|word| is_called(Some(author), word)) {
            named.push(author);
        }
    }
    match named.as_slice() {
        [one] => Some((*one).to_owned()),
        _ => None,
    }
}
