//! What calls add up to: in the tray, on Home, beside a session.

use serde::{Deserialize, Serialize};

/// Sums over calls. All sizes in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Sums {
    /// How many calls there were.
    pub calls: u64,
    /// How many of them failed; they save nothing.
    pub failed: u64,
    /// What the conversation would have got, as far as it was measured or estimated.
    pub raw_bytes: u64,
    /// What it got.
    pub returned_bytes: u64,
    /// What was kept out and counted.
    pub measured_bytes: i64,
    /// What was kept out by a guess; never part of another figure.
    pub estimated_bytes: i64,
    /// What Plimsoll put into the conversation itself.
    pub overhead_bytes: u64,
    /// `measured_bytes` less `overhead_bytes`; may be negative.
    pub net_bytes: i64,
    /// Time that calls took, in microseconds.
    pub elapsed_us: u64,
}
