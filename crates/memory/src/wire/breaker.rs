//! A circuit breaker: after five failures in a row an endpoint isn't called for thirty seconds; then a single request
//! tests it. Per process, by the endpoint's address.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The number of failures in a row that opens it.
const FAILURES: u32 = 5;
/// How long it stays open.
const PAUSE: Duration = Duration::from_secs(30);

#[derive(Default)]
pub(super) struct Breaker(Mutex<Option<HashMap<String, (u32, Instant)>>>);

/// The process's breaker.
pub(super) static BREAKER: Breaker = Breaker(Mutex::new(None));

impl Breaker {
    /// The remaining pause at `now`, for a status. Changes nothing.
    pub(super) fn remaining(&self, place: &str, now: Instant) -> Option<Duration> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (failures, last) = all.as_ref()?.get(place)?;
        let left = PAUSE.checked_sub(now.saturating_duration_since(*last)).filter(|left| !left.is_zero())?;
        (*failures >= FAILURES).then_some(left)
    }

    /// The pause at `now`; `None` if the endpoint may be called.
    pub(super) fn pause(&self, place: &str, now: Instant) -> Option<Duration> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (failures, last) = all.get_or_insert_default().get_mut(place)?;
        if *failures < FAILURES {
            return None;
        }
        let left = PAUSE.checked_sub(now.saturating_duration_since(*last)).filter(|left| !left.is_zero());
        if left.is_none() {
            // This request tests the endpoint; the others wait for its result.
            *last = now;
        }
        left
    }

    /// Records a request's result.
    pub(super) fn record(&self, place: &str, failed: bool, now: Instant) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = all.get_or_insert_default();
        if failed {
            let one = all.entry(place.to_owned()).or_insert((0, now));
            *one = (one.0.saturating_add(1), now);
        } else {
            all.remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens_after_five_failures_in_a_row_and_lets_one_through_after_thirty_seconds() {
        let breaker = Breaker::default();
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        (0..4).for_each(|_| breaker.record("a", true, at(0)));
        breaker.record("a", false, at(0));
        (0..4).for_each(|_| breaker.record("a", true, at(0)));
        assert_eq!(breaker.pause("a", at(1)), None);
        breaker.record("a", true, at(1));
        assert_eq!(breaker.pause("a", at(2)), Some(Duration::from_secs(29)));
        assert_eq!(breaker.pause("b", at(2)), None);
        assert_eq!(breaker.pause("a", at(31)), None);
        assert_eq!(breaker.pause("a", at(31)), Some(Duration::from_secs(30)), "only one finds out");
        breaker.record("a", true, at(32));
        assert_eq!(breaker.pause("a", at(33)), Some(Duration::from_secs(29)));
        assert_eq!(breaker.pause("a", at(62)), None);
        breaker.record("a", false, at(63));
        assert_eq!(breaker.pause("a", at(63)), None);
    }
}
