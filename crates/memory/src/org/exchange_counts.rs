//! The counts of an exchange.

/// The counts of an exchange or one of its steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExchangeCounts {
    /// Memories sent.
    pub sent: u64,
    /// Memories received or updated.
    pub received: u64,
    /// Memories removed on one side because they were removed on the other.
    pub removed: u64,
    /// Whether there is more to do.
    pub more: bool,
}

impl ExchangeCounts {
    /// Adds a step's counts.
    pub fn add(&mut self, step: Self) {
        self.sent += step.sent;
        self.received += step.received;
        self.removed += step.removed;
        self.more = step.more;
    }
}
