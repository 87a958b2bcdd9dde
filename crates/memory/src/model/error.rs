//! Why a model gave no answer that can be used.

use crate::wire::WireError;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The settings don't say enough, or something that can't be used.
    #[error("{key} can't be used: {reason}")]
    Setting {
        /// Which.
        key: &'static str,
        /// Why.
        reason: String,
    },
    /// The agent's own model was asked for, and whoever asks has none to offer.
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
    /// What was answered isn't what was asked for.
    #[error("the model's answer can't be used: {0}")]
    Answer(&'static str),
}

/// Shorthand of this module.
pub type Result<T, E = ModelError> = std::result::Result<T, E>;
