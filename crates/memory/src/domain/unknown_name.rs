//! The error for a name that isn't one of the allowed ones.

/// The longest name or path that an error repeats as a whole, in characters.
const MAX_QUOTED: usize = 240;

/// A name that isn't one of the allowed ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} \"{given}\" is unknown; allowed: {allowed}")]
pub struct UnknownName {
    /// What the name should be.
    pub what: &'static str,
    /// The given name.
    pub given: String,
    /// The allowed names.
    pub allowed: String,
}

impl UnknownName {
    /// The beginning of a name that may be a whole text, without control characters: a repository's file has it, too.
    pub(crate) fn shortened(name: &str) -> String {
        beginning(name, 40)
    }
}

/// The beginning of a text that an error repeats, without control characters; `…` marks the cut. What is longer may be a
/// whole file, given in the wrong place.
pub(crate) fn quoted_beginning(text: &str) -> String {
    let mut shown = beginning(text, MAX_QUOTED);
    if text.chars().nth(MAX_QUOTED).is_some() {
        shown.push('…');
    }
    shown
}

fn beginning(text: &str, max: usize) -> String {
    text.chars().take(max).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
