//! Why a text has no vector, said so that the reader knows the thing and the way out.

use std::path::PathBuf;

use crate::wire::WireError;

/// Why there are no vectors.
#[derive(Debug, Clone, thiserror::Error)]
pub enum MeaningError {
    /// The settings don't say enough, or something that can't be used.
    #[error("{key} can't be used: {reason}")]
    Setting {
        /// Which.
        key: &'static str,
        /// Why.
        reason: String,
    },
    /// The model's folder can't be used.
    #[error("the embedding model {path} can't be used: {reason}")]
    Folder {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The endpoint failed.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// The endpoint answered something else than vectors.
    #[error("{place} answered no vectors: {reason}")]
    Answer {
        /// The endpoint.
        place: String,
        /// Why.
        reason: String,
    },
}

impl MeaningError {
    /// Whether the endpoint refused what was sent, so that other texts may do.
    pub(crate) fn is_about_a_text(&self) -> bool {
        matches!(self, Self::Wire(WireError::Status { status: 400 | 413 | 422, .. }))
    }
}

/// Shorthand of this module.
pub type Result<T, E = MeaningError> = std::result::Result<T, E>;
