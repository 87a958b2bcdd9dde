//! The clock, injected at the edge so that tests can fix it. Reads both of the computer's clocks: the one that
//! can be set, and the time since it started.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::pause::Moment;

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

/// Milliseconds since the computer started, with the time that it slept; 0 if that isn't known.
#[cfg(target_os = "linux")]
fn up_ms() -> i64 {
    let seconds = |text: String| text.split_whitespace().next()?.parse::<f64>().ok();
    let up = std::fs::read_to_string("/proc/uptime").ok().and_then(seconds).unwrap_or_default();
    let up = std::time::Duration::try_from_secs_f64(up).unwrap_or_default();
    i64::try_from(up.as_millis()).unwrap_or_default()
}

/// Milliseconds since the computer started; 0 if that isn't known.
#[cfg(not(target_os = "linux"))]
fn up_ms() -> i64 {
    i64::try_from(sysinfo::System::uptime()).unwrap_or_default().saturating_mul(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_computer_has_been_up_for_a_while() {
        let first = up_ms();
        assert!(first > 0 && up_ms() >= first);
    }

    #[test]
    fn a_fixed_clock_knows_only_the_time_that_it_was_given() {
        assert_eq!(Clock::fixed(7).moment(), Moment { ms: 7, up_ms: 0 });
        assert!(Clock::system().moment().up_ms > 0);
    }
}
