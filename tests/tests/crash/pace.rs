//! When to kill, and killing a server in the middle of its calls.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use plimsoll_tests::{Server, next_answer, said};
use serde_json::Value;

pub(crate) fn rounds() -> u32 {
    std::env::var("PLIMSOLL_CRASH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(15)
}

/// When to kill: moments spread over the time that the thing takes, which is corrected as the machine gets
/// busier or idler.
pub(crate) struct Pace(pub(crate) Duration);

impl Pace {
    /// The moment of a round's kill: steps of the golden section visit every part of the time, in no order.
    pub(crate) fn moment(&self, round: u32) -> Duration {
        self.0.mul_f64((f64::from(round) * 0.618_034).fract() * 1.2)
    }

    /// Learns from a round in which this many of so many things were done.
    pub(crate) fn learn(&mut self, done: usize, of: usize) {
        if done == 0 {
            self.0 = self.0.mul_f64(1.25);
        } else if done == of {
            self.0 = self.0.mul_f64(0.9);
        }
    }
}

/// Sends the calls without waiting, kills the server at the moment, and returns which calls were answered
/// (by their place) with what they said.
pub(crate) fn kill_during(
    mut server: Server,
    calls: &[(&str, Value)],
    after: Duration,
) -> BTreeMap<usize, Value> {
    let mut stdout = server.take_output().unwrap();
    let reader = std::thread::spawn(move || {
        let mut answers = Vec::new();
        while let Ok(Some(answer)) = next_answer(&mut stdout) {
            answers.push(answer);
        }
        answers
    });
    let mut places = BTreeMap::new();
    for (place, (tool, arguments)) in calls.iter().enumerate() {
        places.insert(server.send_call(tool, arguments.clone()).unwrap(), place);
    }
    std::thread::sleep(after);
    server.kill().unwrap();
    let answers = reader.join().unwrap();
    let answers = answers.into_iter().filter(|answer| answer.get("error").is_none());
    answers
        .filter_map(|answer| Some((*places.get(&answer["id"].as_u64()?)?, answer["result"].clone())))
        .collect()
}

/// How long the calls take when nobody interferes.
pub(crate) fn undisturbed(server: &mut Server, calls: &[(&str, Value)]) -> Duration {
    let since = Instant::now();
    for (tool, arguments) in calls {
        server.send_call(tool, arguments.clone()).unwrap();
    }
    for _ in calls {
        let answer = server.next_answer().unwrap().unwrap();
        assert!(!said(&answer["result"]).failed, "{answer}");
    }
    since.elapsed()
}
