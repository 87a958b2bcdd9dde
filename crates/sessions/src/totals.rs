//! Sums over calls, as they are handed out.

use serde::{Deserialize, Serialize};

/// Sums over calls. All sizes in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// How many calls there were. What only costs (the tool list, a hook's words) is no call.
    pub calls: u64,
    /// How many of them failed; they save nothing.
    pub failed: u64,
    /// What the conversation would have got, as far as it was measured or estimated.
    pub raw_bytes: u64,
    /// What it got.
    pub returned_bytes: u64,
    /// What was kept out and counted; negative if replies were longer than what they stand for.
    pub measured_bytes: i64,
    /// What was kept out by a guess. Never added to `measured_bytes`.
    pub estimated_bytes: i64,
    /// What we put into the conversation ourselves.
    pub overhead_bytes: u64,
    /// `measured_bytes` less `overhead_bytes`.
    pub net_bytes: i64,
    /// Time that we took, in microseconds.
    pub elapsed_us: u64,
    /// Tokens of `measured_bytes` that a model family's own tokenizer counted.
    pub measured_tokens: i64,
    /// Tokens of the rest of `measured_bytes`, by an estimate. Never added to `measured_tokens`.
    pub estimated_tokens: i64,
}
