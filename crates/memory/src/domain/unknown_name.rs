//! The error for a name that isn't one of the allowed ones.

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
        name.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect()
    }
}
