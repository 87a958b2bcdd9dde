//! Why a text has no vector, with the cause and the remedy.

use std::path::PathBuf;

use crate::wire::WireError;

/// Why there are no vectors.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EmbeddingError {
    /// A setting is missing or unusable.
    #[error("{key} can't be used: {reason}")]
    Setting {
        /// Its key.
        key: &'static str,
        /// Why.
        reason: String,
    },
    /// The model's folder is unusable.
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
    /// The endpoint's answer doesn't contain vectors.
    #[error("{place} answered no vectors: {reason}")]
    Answer {
        /// The endpoint.
        place: String,
        /// Why.
        reason: String,
    },
}

impl EmbeddingError {
    /// Whether the endpoint refused this text, so that others may work.
    pub(crate) fn is_text_error(&self) -> bool {
        matches!(self, Self::Wire(WireError::Status { status: 400 | 413 | 422, .. }))
    }
}

/// Results with this module's error.
pub type Result<T, E = EmbeddingError> = std::result::Result<T, E>;
