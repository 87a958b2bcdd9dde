//! Errors of the filter grammar. Each says where it is and what would be allowed there.

/// A filter that was not understood; nothing was searched or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("filter, character {at}: {reason}")]
pub struct FilterError {
    /// The first character that is meant, from 1.
    pub at: usize,
    /// What is wrong, and what is allowed.
    pub reason: String,
}
