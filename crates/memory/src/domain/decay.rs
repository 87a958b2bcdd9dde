//! A memory's confidence by its age: it halves after a time that depends on the namespace. Pure.

use super::{DAY_MS, Namespace};

/// Below this confidence a memory is stale.
pub const STALE_BELOW: f64 = 0.3;

/// The half-life in days; `None` for namespaces that don't age.
#[must_use]
pub fn half_life_days(namespace: Namespace) -> Option<u32> {
    match namespace {
        Namespace::Decisions => Some(180),
        Namespace::Learnings | Namespace::Blockers => Some(90),
        _ => None,
    }
}

/// The remaining confidence, from 1 to 0.
#[must_use]
pub fn confidence(namespace: Namespace, age_ms: i64) -> f64 {
    let Some(days) = half_life_days(namespace) else { return 1.0 };
    let half_lives = age_ms.max(0) as f64 / (DAY_MS as f64 * f64::from(days));
    (-half_lives).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_is_gone_after_a_half_life_and_what_recurs_does_not_age() {
        for (namespace, days, left) in [
            (Namespace::Patterns, 10_000, 1.0),
            (Namespace::Decisions, 0, 1.0),
            (Namespace::Decisions, 180, 0.5),
            (Namespace::Decisions, 360, 0.25),
            (Namespace::Learnings, 90, 0.5),
            (Namespace::Blockers, 180, 0.25),
            (Namespace::Context, 10_000, 1.0),
            // A clock that was set back.
            (Namespace::Blockers, -5, 1.0),
        ] {
            let is = confidence(namespace, days * DAY_MS);
            assert!((is - left).abs() < 1e-9, "{namespace} after {days} days: {is}");
        }
    }
}
