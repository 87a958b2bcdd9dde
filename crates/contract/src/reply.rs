//! The reply to a request: bounded text for a model or a user, the same as data for programs, and what it cost.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The reply to one request.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Reply {
    /// Bounded text, ready to be shown.
    pub text: String,
    /// The same as data, for `--json` and the desktop; never sent to a model.
    pub data: Value,
    /// Whether the requested work failed although the request itself succeeded (a program's non-zero exit, a page
    /// that couldn't be fetched).
    pub failed: bool,
    /// Whether a search found nothing; a command line says so by its exit code.
    #[serde(default)]
    pub nothing_found: bool,
    /// Bytes that would have entered the conversation without Plimsoll.
    pub raw_bytes: u64,
    /// How `raw_bytes` is known.
    pub measure: Measure,
}

/// How a size is known. Measured and estimated sizes are never added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Nothing was kept out of the conversation.
    #[default]
    None,
    /// Counted.
    Measured,
    /// Estimated from something that was counted.
    Estimated,
}

impl Reply {
    /// A reply that keeps nothing out of the conversation.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The same reply with data for programs.
    #[must_use]
    pub fn with_data(mut self, data: Value) -> Self {
        self.data = data;
        self
    }

    /// The same reply with the measured size that it replaces.
    #[must_use]
    pub fn measured(mut self, raw_bytes: u64) -> Self {
        self.raw_bytes = raw_bytes;
        self.measure = Measure::Measured;
        self
    }
}
