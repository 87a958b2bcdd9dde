//! When a pause is over, also after the computer's clock was set. Owns that decision, from moments that it's given;
//! doesn't know where pauses are kept.

use serde::{Deserialize, Serialize};

/// A moment by both of the computer's clocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Moment {
    /// Milliseconds since 1970, by the clock that can be set; 0 if it wasn't noted.
    pub ms: i64,
    /// Milliseconds since the computer started, which nobody sets; 0 if that isn't known.
    pub up_ms: i64,
}

/// Whether a pause that began `since` and ends at `until_ms` is still running at `now`.
///
/// It never lasts longer than was asked for, by either clock. What the second clock counts begins again when the computer
/// restarts; then the first one decides, and a time before the pause began ends it.
pub(crate) fn is_active(since: Moment, until_ms: i64, now: Moment) -> bool {
    if now.ms >= until_ms {
        return false;
    }
    // Written by hand or by an earlier version: only its end is known.
    if since.ms == 0 {
        return true;
    }
    if since.up_ms > 0 && now.up_ms >= since.up_ms {
        return now.up_ms.saturating_sub(since.up_ms) < until_ms.saturating_sub(since.ms);
    }
    now.ms >= since.ms
}

/// A clock is corrected by less than this all the time; the end that was asked for is then the one that's told.
const CORRECTED_MS: i64 = 60_000;

/// When such a pause ends, by the clock as it is set now; `None` if it's over.
pub(crate) fn ends_ms(since: Moment, until_ms: i64, now: Moment) -> Option<i64> {
    if !is_active(since, until_ms, now) {
        return None;
    }
    if since.ms > 0 && since.up_ms > 0 && now.up_ms >= since.up_ms {
        let passed = now.up_ms.saturating_sub(since.up_ms);
        let left = until_ms.saturating_sub(since.ms).saturating_sub(passed);
        let ends = now.ms.saturating_add(left);
        if ends.saturating_add(CORRECTED_MS) < until_ms {
            return Some(ends);
        }
    }
    Some(until_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000;
    const START: Moment = Moment { ms: 1_000 * HOUR, up_ms: 10 * HOUR };

    /// What happens after the start: time passes, the clock is set, the computer restarts.
    enum Step {
        Pass(i64),
        Set(i64),
        Restart,
    }
    use Step::{Pass, Restart, Set};

    #[test]
    fn a_pause_never_outlasts_its_length_whatever_the_clock_says() {
        let until = START.ms + HOUR;
        for (name, steps, lasts_then) in [
            ("it begins", vec![], true),
            ("half its length", vec![Pass(HOUR / 2)], true),
            ("its length", vec![Pass(HOUR)], false),
            ("a small correction", vec![Set(-2_000)], true),
            ("set back at once", vec![Set(-24 * HOUR)], true),
            ("set back at once, then its length", vec![Set(-24 * HOUR), Pass(HOUR)], false),
            (
                "set back in the middle, then the rest",
                vec![Pass(HOUR / 2), Set(-HOUR / 2), Pass(HOUR / 2)],
                false,
            ),
            (
                "set back again and again",
                vec![Pass(HOUR / 2), Set(-HOUR), Pass(HOUR / 4), Set(-HOUR), Pass(HOUR / 4)],
                false,
            ),
            ("set to 1970", vec![Set(1 - START.ms), Pass(HOUR)], false),
            ("set forward", vec![Set(2 * HOUR)], false),
            ("a restart in the middle", vec![Pass(HOUR / 2), Restart], true),
            ("a restart, then the rest", vec![Pass(HOUR / 2), Restart, Pass(HOUR / 2)], false),
            (
                "a restart with an empty battery",
                vec![Pass(HOUR / 2), Restart, Set(1 - START.ms - HOUR / 2)],
                false,
            ),
            (
                "a restart, set back, long up",
                vec![Restart, Set(-HOUR / 2), Pass(11 * HOUR), Set(-11 * HOUR)],
                false,
            ),
        ] {
            let mut now = START;
            for step in steps {
                match step {
                    Pass(ms) => now = Moment { ms: now.ms + ms, up_ms: now.up_ms + ms },
                    Set(by) => now.ms += by,
                    Restart => now.up_ms = 1,
                }
            }
            assert_eq!(is_active(START, until, now), lasts_then, "{name}");
        }
    }

    #[test]
    fn the_reported_end_is_when_the_pause_really_ends() {
        let until = START.ms + HOUR;
        let after = |ms: i64, set: i64| Moment { ms: START.ms + ms + set, up_ms: START.up_ms + ms };
        assert_eq!(ends_ms(START, until, after(HOUR / 2, 0)), Some(until));
        assert_eq!(ends_ms(START, until, after(HOUR / 2, -2_000)), Some(until));
        assert_eq!(ends_ms(START, until, after(HOUR / 2, -24 * HOUR)), Some(until - 24 * HOUR));
        assert_eq!(ends_ms(START, until, after(HOUR, -24 * HOUR)), None);
        assert_eq!(ends_ms(Moment::default(), until, after(0, 0)), Some(until));
    }

    #[test]
    fn without_the_second_clock_a_time_before_the_start_ends_it() {
        let since = Moment { up_ms: 0, ..START };
        let at = |ms: i64| Moment { ms, up_ms: 0 };
        assert!(is_active(since, START.ms + HOUR, at(START.ms)));
        assert!(!is_active(since, START.ms + HOUR, at(START.ms - 1)));
        assert!(!is_active(since, START.ms + HOUR, at(START.ms + HOUR)));
        // One without a start ends when it says.
        assert!(is_active(Moment::default(), START.ms, at(5)));
        assert!(!is_active(Moment::default(), START.ms, at(START.ms)));
    }
}
