//! The clock, injected at the edge so that tests can fix it.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::pause::{Moment, up_ms};

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

    /// The time now by both clocks. A fixed clock doesn't know since when the computer is up.
    pub fn moment(self) -> Moment {
        Moment { ms: self.now_ms(), up_ms: if self.0.is_some() { 0 } else { up_ms() } }
    }
}
