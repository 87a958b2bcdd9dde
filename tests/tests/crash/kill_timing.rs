//! When to kill, and killing a server in the middle of its calls.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use plimsoll_tests::{Server, next_answer, printed};
use serde_json::Value;

/// How many kills must hit all kinds of work midway.
fn wanted() -> u32 {
    std::env::var("PLIMSOLL_CRASH_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

/// A kill's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hit {
    /// Nothing was done yet.
    Early,
    /// The work was midway.
    Middle,
    /// Everything was done.
    Late,
}

impl Hit {
    /// Of this many things, this many were done; `begun`: the first of them had begun.
    pub(crate) fn of(done: usize, all: usize, begun: bool) -> Self {
        match done {
            done if done == all => Self::Late,
            0 if !begun => Self::Early,
            _ => Self::Middle,
        }
    }
}

/// When to kill, and whether that was often enough: moments spread over the time that the work takes, adjusted as the machine gets
/// busier or idler.
pub(crate) struct Pace {
    takes: Duration,
    wanted: u32,
    round: u32,
    middle: u32,
    early: u32,
    late: u32,
}

impl Pace {
    /// For work that takes this long undisturbed, and gets this share of the kills.
    pub(crate) fn new(takes: Duration, share: f64) -> Self {
        let wanted = (f64::from(wanted()) * share).ceil() as u32;
        Self { takes, wanted, round: 0, middle: 0, early: 0, late: 0 }
    }

    /// The next round's number and the moment of its kill, until enough kills have hit midway: steps of the golden section visit
    /// every part of the time, in no order.
    pub(crate) fn next(&mut self) -> Option<(u32, Duration)> {
        if self.middle >= self.wanted {
            return None;
        }
        // Four misses for each hit mean that the moments have nothing to do with the work.
        assert!(self.round < 20 + 5 * self.wanted, "too few kills hit the middle of the work: {self}");
        self.round += 1;
        Some((self.round, self.takes.mul_f64((f64::from(self.round) * 0.618_034).fract())))
    }

    /// Learns from a round.
    pub(crate) fn learn(&mut self, hit: Hit) {
        let (count, factor) = match hit {
            Hit::Early => (&mut self.early, 1.1),
            Hit::Middle => (&mut self.middle, 1.0),
            Hit::Late => (&mut self.late, 0.93),
        };
        *count += 1;
        self.takes = self.takes.mul_f64(factor);
    }
}

impl std::fmt::Display for Pace {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { takes, middle, early, late, .. } = self;
        write!(
            out,
            "{middle} kills in the middle of the work, {early} before and {late} after it, over {takes:?}"
        )
    }
}

/// Sends the calls without waiting, kills the server at the moment after `begun` became true, and returns which calls were answered
/// (by index) and their answers. `begun` gets the number of answers so far; the last call's answer begins it as
/// well.
pub(crate) fn kill_during(
    mut server: Server,
    calls: &[(&str, Value)],
    begun: impl Fn(usize) -> bool,
    after: Duration,
) -> BTreeMap<usize, Value> {
    let mut stdout = server.take_output().unwrap();
    let there = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&there);
    let reader = std::thread::spawn(move || {
        let mut answers = Vec::new();
        while let Ok(Some(answer)) = next_answer(&mut stdout) {
            answers.push(answer);
            count.store(answers.len(), Ordering::Release);
        }
        answers
    });
    let mut places = BTreeMap::new();
    for (place, (tool, arguments)) in calls.iter().enumerate() {
        places.insert(server.send_call(tool, arguments.clone()).unwrap(), place);
    }
    let answered = || there.load(Ordering::Acquire);
    while answered() < calls.len() && !begun(answered()) {
        std::hint::spin_loop();
    }
    // Sleeping would overshoot what takes a fraction of a millisecond.
    let since = Instant::now();
    while since.elapsed() < after {
        std::hint::spin_loop();
    }
    server.kill().unwrap();
    let answers = reader.join().unwrap();
    let answers = answers.into_iter().filter(|answer| answer.get("error").is_none());
    answers
        .filter_map(|answer| Some((*places.get(&answer["id"].as_u64()?)?, answer["result"].clone())))
        .collect()
}

/// How long the calls take undisturbed.
pub(crate) fn undisturbed(server: &mut Server, calls: &[(&str, Value)]) -> Duration {
    let since = Instant::now();
    for (tool, arguments) in calls {
        server.send_call(tool, arguments.clone()).unwrap();
    }
    for _ in calls {
        let answer = server.next_answer().unwrap().unwrap();
        assert!(!printed(&answer["result"]).failed, "{answer}");
    }
    since.elapsed()
}
