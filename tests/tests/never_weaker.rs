//! Plimsoll never makes an agent weaker than it is alone: generated commands × rule sets × settings layers × `cd` histories are
//! played to the real agents, without Plimsoll and with it, through the agent's own shell and through Plimsoll's tools. A command
//! that does more with Plimsoll fails the test, and is reported as the shortest one that still does.
//!
//! A sample runs each time. `PLIMSOLL_DIFFERENTIAL=2000` plays that many commands in total, `PLIMSOLL_DIFFERENTIAL_SEED` other ones,
//! `PLIMSOLL_DIFFERENTIAL_ONLY` only scenarios with this in their name, and `PLIMSOLL_DIFFERENTIAL_ALL` prints what every command
//! did on both sides.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use plimsoll_tests::differential::{Grammar, Mode, Random, Route, Scenario, WeakerCase, compare, scenarios};
use plimsoll_tests::{Cli, agents_dir, newer_agents_dir};

/// Commands of a default run, over all agents.
const SAMPLE: usize = 240;
/// The least commands worth a session.
const LEAST: usize = 10;
/// How many weaker cases of a scenario are shrunk.
const SHRUNK: usize = 2;

fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}

fn never_weaker(cli: Cli, agents: Option<std::path::PathBuf>, label: &str, share: usize) {
    let Some(agents) = agents else {
        skipped::without(
            "agents",
            &format!("{label} is not installed; `cargo xtask test` installs it on Linux x64"),
        );
        return;
    };
    let all = number("PLIMSOLL_DIFFERENTIAL").unwrap_or(SAMPLE);
    let seed = number("PLIMSOLL_DIFFERENTIAL_SEED").unwrap_or(11);
    let only = std::env::var("PLIMSOLL_DIFFERENTIAL_ONLY").unwrap_or_default();
    let grammar = Grammar::read().unwrap();
    let mut plays: Vec<(Scenario, Mode)> = Vec::new();
    for scenario in scenarios(cli).unwrap() {
        if scenario.name.contains(&only) {
            plays.extend(scenario.modes.iter().map(|mode| (scenario.clone(), *mode)));
        }
    }
    assert!(!plays.is_empty(), "no scenario has {only:?} in its name");
    // A session takes seconds to start: a small number of commands goes to some of the scenarios.
    let wanted = (all * share).div_ceil(100);
    let step = (plays.len() * LEAST).div_ceil(wanted.max(1)).max(1);
    let first = seed % step.min(plays.len());
    let plays: Vec<_> = plays.into_iter().skip(first).step_by(step).collect();
    let each = wanted.div_ceil(plays.len());
    let mut report = String::new();
    let (mut played, mut ran_alone, mut ran_with, mut weaker) = (0, 0, 0, 0);
    let since = Instant::now();
    for (number, (scenario, mode)) in plays.iter().enumerate() {
        let mut random = Random::new((seed as u64) << 16 | number as u64);
        let mut cases = grammar.cases(&mut random, &scenario.payloads, &scenario.histories, each);
        // Gemini CLI's shell refuses every substitution, whatever its policy says, so it is an oracle for its shell alone.
        if cli == Cli::Gemini {
            cases
                .iter_mut()
                .filter(|case| case.route.uses_plimsoll_tool())
                .for_each(|case| case.route = Route::Shell);
        }
        let compared = compare(cli, Path::new(&agents), scenario, *mode, &cases, SHRUNK).unwrap();
        played += compared.played;
        ran_alone += compared.ran_alone;
        ran_with += compared.ran_with;
        weaker += compared.weaker.len();
        eprintln!(
            "{label}: {} ({mode:?}): {} played, {} did something alone, {} with, {} weaker",
            scenario.name,
            compared.played,
            compared.ran_alone,
            compared.ran_with,
            compared.weaker.len()
        );
        assert!(
            compared.played * 10 >= cases.len() * 9,
            "{} of {} were played",
            compared.played,
            cases.len()
        );
        if std::env::var_os("PLIMSOLL_DIFFERENTIAL_ALL").is_some() {
            for (case, without, with) in &compared.all {
                eprintln!("{case:?}\n  without {without:?}\n  with    {with:?}");
            }
        }
        for found in &compared.weaker {
            let told = answer_to(scenario, *mode, found);
            eprint!("{told}");
            report.push_str(&told);
        }
    }
    let seconds = since.elapsed().as_secs_f64();
    eprintln!(
        "{label}: {played} commands on both sides in {seconds:.0} s ({:.1} calls a second), seed {seed}: {ran_alone} did something alone, {ran_with} with, {weaker} weaker",
        2.0 * played as f64 / seconds
    );
    assert!(ran_alone > 0, "nothing ran at all: the harness is silent");
    assert!(ran_alone < played, "nothing was refused: the rules were not read");
    assert!(weaker == 0, "{weaker} of {played} commands do more with Plimsoll than without:\n{report}");
}

fn answer_to(scenario: &Scenario, mode: Mode, found: &WeakerCase) -> String {
    let mut out = String::new();
    let line = |text: &str| text.chars().take(300).collect::<String>();
    let _ = writeln!(out, "\n[{}] {mode:?} {:?} {:?}", scenario.name, found.case.route, found.case.history);
    let _ = writeln!(out, "  command  {:?}", found.case.command);
    let _ = writeln!(out, "  only with Plimsoll: {:?}", found.only_with);
    let _ = writeln!(out, "  without  {:?} {:?}", found.without.effects, line(&found.without.told));
    let _ = writeln!(out, "  with     {:?} {:?}", found.with.effects, line(&found.with.told));
    out
}

#[test]
fn claude_code() {
    never_weaker(Cli::Claude, agents_dir(), "Claude Code", 45);
}

#[test]
fn claude_code_newer() {
    never_weaker(Cli::Claude, newer_agents_dir(), "the newer Claude Code", 15);
}

#[test]
fn codex() {
    never_weaker(Cli::Codex, agents_dir(), "Codex", 20);
}

#[test]
fn copilot_cli() {
    never_weaker(Cli::Copilot, agents_dir(), "Copilot CLI", 20);
}

/// Its policy's decision about a command, and about the rewritten one.
#[test]
fn gemini_cli() {
    never_weaker(Cli::Gemini, agents_dir(), "Gemini CLI", 20);
}
