//! A circuit breaker: after five failures in a row an endpoint isn't called for thirty seconds; then a single request
//! tests it. Shared by all processes of a home through a file in its cache folder, so that a new process doesn't wait
//! for an endpoint that others found dead. Whatever is wrong with the file, the endpoint is called.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use home::{Clock, Home};
use serde::{Deserialize, Serialize};

/// The number of failures in a row that opens it.
const FAILURES: u32 = 5;
/// How long it stays open, in milliseconds.
const PAUSE_MS: i64 = 30_000;
/// Older failures don't count: the endpoint may have been repaired since.
const FORGET_AFTER_MS: i64 = 600_000;
/// How long a process waits for its turn to change the file.
const LOCK_WAIT: Duration = Duration::from_millis(200);
/// Plimsoll writes no larger files.
const MAX_FILE: u64 = 64 << 10;

/// An endpoint's failures since its last success.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Failures {
    count: u32,
    /// When the last one happened, or when the endpoint was last tested.
    last_ms: i64,
}

impl Failures {
    /// The remaining pause at `now_ms`; `None` if the endpoint may be called.
    fn remaining(self, now_ms: i64) -> Option<Duration> {
        let left = PAUSE_MS - self.age_ms(now_ms)?;
        let left = u64::try_from(left).ok().filter(|left| *left > 0)?;
        (self.count >= FAILURES).then(|| Duration::from_millis(left))
    }

    /// `None` for a failure in the future: the clock was set back, so nothing is known about its age.
    fn age_ms(self, now_ms: i64) -> Option<i64> {
        now_ms.checked_sub(self.last_ms).filter(|age| *age >= 0)
    }

    fn counts(self, now_ms: i64) -> bool {
        self.age_ms(now_ms).is_some_and(|age| age < FORGET_AFTER_MS)
    }
}

type Endpoints = HashMap<String, Failures>;

/// What couldn't be written, by file, so that a full disk or a read-only home doesn't disable the breaker within a
/// process.
static UNWRITTEN: Mutex<Option<HashMap<PathBuf, Endpoints>>> = Mutex::new(None);

/// The breaker of one home's endpoints.
#[derive(Debug, Clone)]
pub(super) struct Breaker {
    home: Home,
    clock: Clock,
}

impl Breaker {
    pub(super) fn of(home: &Home) -> Self {
        Self { home: home.clone(), clock: Clock::system() }
    }

    /// The remaining pause, for a status. Changes nothing.
    pub(super) fn remaining(&self, place: &str) -> Option<Duration> {
        self.load().get(place)?.remaining(self.clock.now_ms())
    }

    /// The pause before the next request; `None` if the endpoint may be called now. After the pause only one caller
    /// of all processes gets `None`.
    pub(super) fn pause(&self, place: &str) -> Option<Duration> {
        let now_ms = self.clock.now_ms();
        let is_open = |all: &Endpoints| {
            all.get(place).copied().filter(|one| one.count >= FAILURES && one.counts(now_ms))
        };
        let known = is_open(&self.load())?;
        if let Some(left) = known.remaining(now_ms) {
            return Some(left);
        }
        self.change(|all| match is_open(all)?.remaining(now_ms) {
            // Another process tests it.
            Some(left) => Some(left),
            None => {
                all.entry(place.to_owned()).and_modify(|one| one.last_ms = now_ms);
                None
            }
        })
    }

    /// Records a request's result.
    pub(super) fn record(&self, place: &str, failed: bool) {
        let now_ms = self.clock.now_ms();
        if !failed && !self.load().contains_key(place) {
            return;
        }
        self.change(|all| {
            all.retain(|_, one| one.counts(now_ms));
            if failed {
                let one = all.entry(place.to_owned()).or_insert(Failures { count: 0, last_ms: now_ms });
                *one = Failures { count: one.count.saturating_add(1), last_ms: now_ms };
            } else {
                all.remove(place);
            }
        });
    }

    fn file(&self) -> PathBuf {
        self.home.cache_dir().join("endpoint-failures.json")
    }

    /// The known failures. An unreadable file counts as none.
    fn load(&self) -> Endpoints {
        let unwritten = UNWRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(all) = unwritten.as_ref().and_then(|files| files.get(&self.file())) {
            return all.clone();
        }
        let text = home::read_regular_text(&self.file(), MAX_FILE).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Changes the failures, one process at a time.
    fn change<T>(&self, change: impl FnOnce(&mut Endpoints) -> T) -> T {
        // A process that doesn't get its turn in time goes on: at worst, a failure is counted once instead of twice.
        let turn = home::lock(&self.home, "endpoint-failures", LOCK_WAIT);
        let mut all = self.load();
        let out = change(&mut all);
        let written = serde_json::to_string(&all)
            .map_err(std::io::Error::from)
            .and_then(|text| home::write_private(&self.file(), text.as_bytes()));
        drop(turn);
        let mut unwritten = UNWRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
        let unwritten = unwritten.get_or_insert_default();
        match written {
            Ok(()) => unwritten.remove(&self.file()),
            Err(_) => unwritten.insert(self.file(), all),
        };
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(home: &Home, seconds: i64) -> Breaker {
        Breaker { home: home.clone(), clock: Clock::fixed(1_800_000_000_000 + seconds * 1_000) }
    }

    fn fail(home: &Home, count: usize) {
        (0..count).for_each(|_| at(home, 0).record("a", true));
    }

    fn seconds(left: u64) -> Option<Duration> {
        Some(Duration::from_secs(left))
    }

    #[test]
    fn it_opens_after_five_failures_in_a_row_and_lets_one_through_after_thirty_seconds() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        fail(&home, 4);
        at(&home, 0).record("a", false);
        fail(&home, 4);
        assert_eq!(at(&home, 1).pause("a"), None);
        at(&home, 1).record("a", true);
        assert_eq!((at(&home, 2).pause("a"), at(&home, 2).pause("b")), (seconds(29), None));
        assert_eq!(at(&home, 31).pause("a"), None);
        assert_eq!(at(&home, 31).pause("a"), seconds(30), "only one tests it");
        at(&home, 32).record("a", true);
        assert_eq!((at(&home, 33).pause("a"), at(&home, 33).remaining("a")), (seconds(29), seconds(29)));
        assert_eq!(at(&home, 62).pause("a"), None);
        at(&home, 63).record("a", false);
        assert_eq!(at(&home, 63).pause("a"), None);
    }

    #[test]
    fn a_damaged_file_old_failures_and_a_clock_set_back_do_not_stop_a_call() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        fail(&home, 6);
        assert_eq!(at(&home, 1).pause("a"), seconds(29));
        assert_eq!((at(&home, -5).pause("a"), at(&home, 601).pause("a")), (None, None));
        at(&home, 700).record("a", true);
        assert_eq!(at(&home, 701).pause("a"), None, "one new failure after long ones ago");
        for damaged in ["", "{\"a\": {\"count\": 9", "[]", "{\"a\": {\"count\": -1, \"last_ms\": 0}}"] {
            std::fs::write(at(&home, 0).file(), damaged).unwrap();
            assert_eq!(at(&home, 1).pause("a"), None, "{damaged}");
            fail(&home, 5);
            assert_eq!(at(&home, 1).pause("a"), seconds(29), "{damaged}");
        }
    }

    #[test]
    fn it_works_within_the_process_where_nothing_can_be_written() {
        let dir = tempfile::tempdir().unwrap();
        // No folder can be created below a file.
        let root = dir.path().join("home");
        std::fs::write(&root, "").unwrap();
        let home = Home::at(&root);
        fail(&home, 5);
        assert_eq!(at(&home, 1).pause("a"), seconds(29));
    }
}
