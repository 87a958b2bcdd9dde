//! The filters beside every agent that is driven here, without starting any: each agent's view of an output, and the
//! replacement in at most as many bytes. Owns that comparison; nothing is sent over a network, so it is the same in
//! every run.

use std::borrow::Cow;

use agents::OutputKind;
use filters::{Answer, FilterSet};
use plimsoll_tests::Cli;

use super::corpus::Scenario;
use super::kept::Text;
use super::{Row, half};
use crate::table::{markdown, share, with_separators};

/// An address as long as any.
const ADDRESS: &str = "plimsoll://task/t000000000000";

/// An agent's view of a scenario, without Plimsoll and with it.
pub(crate) struct HostComparison<'s> {
    /// Bytes that the agent shows, with its own words.
    pub(crate) most: usize,
    /// The shown text, without them.
    pub(crate) host: Cow<'s, str>,
    /// The replacement; none if the output is left to the agent.
    pub(crate) ours: Option<String>,
}

impl<'s> HostComparison<'s> {
    pub(crate) fn of(set: &FilterSet, cli: Cli, scenario: &Scenario, raw: &'s str) -> Option<Self> {
        let (most, host) = Self::shows(cli, scenario, raw)?;
        let answer = Answer::of_command(set, &scenario.command, Some(scenario.exit), raw, most, ADDRESS);
        Some(Self { most, host, ours: answer.map(|answer| answer.with_address(ADDRESS)) })
    }

    /// The agent's view: how many bytes with its own words, and the text without them.
    pub(crate) fn shows(cli: Cli, scenario: &Scenario, raw: &'s str) -> Option<(usize, Cow<'s, str>)> {
        let limits = agents::by_id(cli.id())?.output_limits(OutputKind::Shell { failed: scenario.exit != 0 });
        Some((limits.visible_bytes(raw), limits.visible_part(raw)))
    }

    /// The model's view with Plimsoll.
    pub(crate) fn seen(&self) -> &str {
        self.ours.as_deref().unwrap_or(&self.host)
    }

    fn bytes(&self) -> usize {
        self.ours.as_ref().map_or(self.most, String::len)
    }
}

/// One agent's sums over some scenarios.
#[derive(Default)]
struct Sum {
    without: usize,
    with: usize,
    mean: f64,
    host: usize,
    ours: usize,
    fewer: usize,
}

/// A table of all agents for both halves.
pub(crate) fn table(rows: &[Row]) -> String {
    let set = crate::scenario::filter_set();
    let mut out = String::new();
    for (title, held_out) in [("development half", false), ("held-out half", true)] {
        let half: Vec<&Row> =
            rows.iter().filter(|row| half::held_out(&row.scenario.name) == held_out).collect();
        if half.is_empty() {
            continue;
        }
        let facts: usize = half.iter().map(|row| row.scenario.facts.len()).sum();
        let lines: Vec<Vec<String>> = Cli::ALL.iter().map(|cli| line(&set, *cli, &half, facts)).collect();
        out += &format!("\n### Beside what each agent shows by itself, {title}, in process\n\n");
        let head =
            ["agent", "bytes without → with", "fewer, all / mean", "facts without", "with", "fewer facts in"];
        out += &markdown(&head, &lines);
    }
    out
}

#[expect(clippy::cast_precision_loss, reason = "some hundred scenarios")]
fn line(set: &FilterSet, cli: Cli, half: &[&Row], facts: usize) -> Vec<String> {
    let mut sum = Sum::default();
    for row in half {
        let raw = String::from_utf8_lossy(&row.scenario.raw);
        let Some(beside) = HostComparison::of(set, cli, &row.scenario, &raw) else { continue };
        let count = |text: &str| {
            let text = Text::new(text);
            row.scenario.facts.iter().filter(|fact| text.has(fact, &row.scenario.files)).count()
        };
        let (host, ours) = (count(&beside.host), count(beside.seen()));
        sum.without += beside.most;
        sum.with += beside.bytes();
        sum.mean += share(beside.most, beside.bytes());
        sum.host += host;
        sum.ours += ours;
        sum.fewer += usize::from(ours < host);
    }
    vec![
        cli.id().to_owned(),
        format!("{} → {}", with_separators(sum.without), with_separators(sum.with)),
        format!("{:.1} % / {:.1} %", share(sum.without, sum.with), sum.mean / half.len().max(1) as f64),
        format!("{} of {facts}", sum.host),
        format!("{} of {facts}", sum.ours),
        sum.fewer.to_string(),
    ]
}
