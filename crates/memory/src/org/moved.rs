//! What an exchange moved, step by step and in all.

/// What an exchange moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moved {
    /// Memories that were sent.
    pub sent: u64,
    /// Memories that came or changed.
    pub received: u64,
    /// Memories that were removed here or there because they were removed on the other side.
    pub removed: u64,
    /// There is more to do.
    pub more: bool,
}

impl Moved {
    /// Adds a step.
    pub fn add(&mut self, step: Self) {
        self.sent += step.sent;
        self.received += step.received;
        self.removed += step.removed;
        self.more = step.more;
    }
}
