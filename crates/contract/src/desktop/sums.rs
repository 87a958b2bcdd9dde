//! Totals over calls, for the tray, the home screen and sessions.

use serde::{Deserialize, Serialize};

/// Totals over calls. All sizes are in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Sums {
    /// The number of calls.
    pub calls: u64,
    /// How many failed; they save nothing.
    pub failed: u64,
    /// What the conversation would have got, measured or estimated.
    pub raw_bytes: u64,
    /// What it got.
    pub returned_bytes: u64,
    /// Measured savings.
    pub measured_bytes: i64,
    /// Estimated savings; never part of another figure.
    pub estimated_bytes: i64,
    /// What Plimsoll itself added to the conversation.
    pub overhead_bytes: u64,
    /// `measured_bytes` less `overhead_bytes`; may be negative.
    pub net_bytes: i64,
    /// The time that calls took, in microseconds.
    pub elapsed_us: u64,
}
