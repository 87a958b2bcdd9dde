//! Why a model gave no usable answer.

use crate::wire::WireError;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// A setting is missing or unusable.
    #[error("{key} can't be used: {reason}")]
    Setting {
        /// Its key.
        key: &'static str,
        /// Why.
        reason: String,
    },
    /// The settings name the agent's own model, but the caller offers none.
    #[error(
        "memory.model.provider is agent, and whoever asks offers no model (MCP sampling); set another provider"
    )]
    NotOffered,
    /// The agent's model failed.
    #[error("the agent's model didn't answer: {0}")]
    Agent(String),
    /// The endpoint failed.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// The answer doesn't have the requested form.
    #[error("the model's answer can't be used: {0}")]
    Answer(&'static str),
}

/// Results with this module's error.
pub type Result<T, E = ModelError> = std::result::Result<T, E>;
