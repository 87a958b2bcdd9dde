//! The clock, injected at the edge so that tests can fix it.

use std::time::{SystemTime, UNIX_EPOCH};

/// A source of the current time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock(Option<i64>);

impl Clock {
    /// The computer's clock.
    pub fn system() -> Self {
        Self(None)
    }

    /// A clock fixed at `ms` since 1970.
    pub fn fixed(ms: i64) -> Self {
        Self(Some(ms))
    }

    /// Milliseconds since 1970; 0 for a clock set before that.
    pub fn now_ms(self) -> i64 {
        self.0.unwrap_or_else(|| {
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
        })
    }
}
