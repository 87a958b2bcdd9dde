//! `session`: one day's calls (`tests/saving/session/day.toml`, or another day there) through the real agents with a
//! scripted model, once without and once with Plimsoll. The model's requests are counted as they come over the wire: all
//! of them together, what each carries because of Plimsoll, the facts in them, and how far they could fall at most. The
//! programs print captured output; agents, shells and files are real.
//!
//! A session of fewer calls is the beginning of a longer one, request for request, so one run covers every length.

mod drive;
mod floor;
mod print;
mod script;
mod stand_ins;

use anyhow::{Context, Result, bail};
use plimsoll_tests::{Cli, agents_dir};

use crate::{Options, Report};
use drive::Run;
use script::Script;

/// The lengths that are printed, in calls.
const LENGTHS: [usize; 2] = [20, 40];
/// The goal: with Plimsoll at most this much of the bytes without.
const GOAL: f64 = 0.75;
/// The goal for what each request carries because of Plimsoll, in bytes.
const FIXED_GOAL: usize = 5_000;

/// An agent's two runs.
struct Pair {
    cli: Cli,
    without: Run,
    with: Run,
}

pub(crate) fn measure(options: &Options) -> Result<Report> {
    let Some(agents) = agents_dir() else {
        let text = "The session was not measured: the agents are not installed (npm on Linux x64 is needed).";
        return Ok(Report { text: text.into(), ..Report::default() });
    };
    let hosts = hosts(options)?;
    let longest = options.calls.unwrap_or(LENGTHS[LENGTHS.len() - 1]);
    let day = options.day.as_deref().unwrap_or("day");
    let script = Script::load(&options.clone, day, longest)?;
    let mut lengths: Vec<usize> = LENGTHS.into_iter().filter(|calls| *calls < script.calls()).collect();
    lengths.push(script.calls());
    let mut pairs = Vec::new();
    for cli in hosts {
        let run = |ours| {
            drive::run(options, &agents, cli, &script, ours)
                .with_context(|| format!("{}, {} Plimsoll", cli.id(), if ours { "with" } else { "without" }))
        };
        pairs.push(Pair { cli, without: run(false)?, with: run(true)? });
    }
    let wrong = pairs.iter().flat_map(|pair| pair.violations(&script, &lengths)).collect();
    let mut text = if options.json {
        print::json(&pairs, &script, &lengths)?
    } else {
        print::table(&pairs, &script, &lengths)
    };
    if options.list && !options.json {
        pairs.iter().for_each(|pair| text += &print::calls(pair, &script));
    }
    Ok(Report { text, wrong })
}

/// Claude Code, or those that are named, or all.
fn hosts(options: &Options) -> Result<Vec<Cli>> {
    if options.all {
        return Ok(Cli::ALL.to_vec());
    }
    let Some(named) = &options.host else { return Ok(vec![Cli::Claude]) };
    let known = |id: &str| Cli::ALL.into_iter().find(|cli| cli.id() == id);
    named
        .split(',')
        .map(|id| match known(id) {
            Some(cli) => Ok(cli),
            None => bail!("no agent {id:?} is driven here; known are {}", Cli::ALL.map(Cli::id).join(", ")),
        })
        .collect()
}

impl Pair {
    /// The failures: more bytes than without Plimsoll, or fewer facts.
    fn violations(&self, script: &Script, lengths: &[usize]) -> Vec<String> {
        let name = self.cli.id();
        let mut wrong = Vec::new();
        for calls in lengths {
            let (without, with) = (self.without.sum_after(*calls), self.with.sum_after(*calls));
            if with.bytes > without.bytes {
                wrong.push(format!(
                    "{name}, {calls} calls: {} bytes with Plimsoll and {} without",
                    with.bytes, without.bytes
                ));
            }
        }
        for (at, call) in script.calls.iter().enumerate() {
            let (without, with) = (&self.without.calls[at], &self.with.calls[at]);
            if with.facts < without.facts {
                let lost = if call.is_held_out() { "(held out)".into() } else { with.lost.join(", ") };
                wrong.push(format!(
                    "{name}, call {} ({}): {} of {} facts reached the model, and {} without Plimsoll; lost: {lost}",
                    at + 1,
                    call.name,
                    with.facts,
                    call.facts.len(),
                    without.facts
                ));
            }
        }
        wrong
    }

    /// Plimsoll's bytes in each request: in all, and the tool list's part.
    fn fixed_cost(&self) -> (usize, usize) {
        let more = |with: usize, without: usize| with.saturating_sub(without);
        (more(self.with.first, self.without.first), more(self.with.tools, self.without.tools))
    }
}
