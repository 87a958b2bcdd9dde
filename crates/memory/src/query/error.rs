//! Errors of the filter grammar. Each names the position and what is allowed there.

/// A filter that couldn't be parsed; nothing was searched or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("filter, character {at}: {reason}")]
pub struct FilterError {
    /// The position of the error in characters, from 1.
    pub at: usize,
    /// The problem, and what is allowed.
    pub reason: String,
}
