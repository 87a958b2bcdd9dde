//! Totals over calls, as returned to callers.

use serde::{Deserialize, Serialize};

/// Totals over calls. All sizes are in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// The number of calls. Pure overhead (the tool list, a hook's text) isn't a call.
    pub calls: u64,
    /// How many failed; they save nothing.
    pub failed: u64,
    /// What the conversation would have got, measured or estimated.
    pub raw_bytes: u64,
    /// What it got.
    pub returned_bytes: u64,
    /// Measured savings; negative if replies were longer than what they replaced.
    pub measured_bytes: i64,
    /// Estimated savings. Never added to `measured_bytes`.
    pub estimated_bytes: i64,
    /// What Plimsoll itself added to the conversation.
    pub overhead_bytes: u64,
    /// `measured_bytes` less `overhead_bytes`.
    pub net_bytes: i64,
    /// How long the calls took, in microseconds.
    pub elapsed_us: u64,
    /// The tokens of `measured_bytes` that a model family's own tokenizer counted.
    pub measured_tokens: i64,
    /// The tokens of the rest of `measured_bytes`, estimated. Never added to `measured_tokens`.
    pub estimated_tokens: i64,
}
