//! The session's figures as tables and as JSON. Measures nothing.

use anyhow::Result;
use serde_json::json;

use super::drive::Sum;
use super::floor::Floor;
use super::script::Script;
use super::{FIXED_GOAL, GOAL, Pair};
use crate::table::{markdown, with_separators};
use crate::tokens;

/// `0.75`
#[expect(clippy::cast_precision_loss, reason = "bytes of a benchmark are far below 2^52")]
fn ratio(without: usize, with: usize) -> f64 {
    with as f64 / without.max(1) as f64
}

/// The ratio, and whether it misses the goal.
fn ratio_cell(without: usize, with: usize) -> String {
    let ratio = ratio(without, with);
    let missed = if ratio > GOAL { " (missed)" } else { "" };
    format!("{ratio:.2}{missed}")
}

fn facts(sum: &Sum) -> String {
    format!("{} of {}", sum.facts, sum.of)
}

/// A table of the requests, one of how far they could fall, and one of what each carries because of Plimsoll.
pub(super) fn table(pairs: &[Pair], script: &Script, lengths: &[usize]) -> String {
    let mut rows = Vec::new();
    let (mut floors, mut fixed) = (Vec::new(), Vec::new());
    for pair in pairs {
        for calls in lengths {
            let (without, with) = (pair.without.sum_after(*calls), pair.with.sum_after(*calls));
            rows.push(vec![
                pair.cli.id().to_owned(),
                calls.to_string(),
                with_separators(without.bytes),
                with_separators(with.bytes),
                ratio_cell(without.bytes, with.bytes),
                format!("{:.2}", ratio(without.tokens, with.tokens)),
                format!("{:.2}", ratio(without.chars, with.chars)),
                facts(&without),
                facts(&with),
                format!("{}, {}", without.requests, with.requests),
            ]);
            floors.push(floor_row(pair, script, *calls, ratio(without.bytes, with.bytes)));
        }
        let (all, tools) = pair.fixed_cost();
        let missed = if all > FIXED_GOAL { " (missed)" } else { "" };
        fixed.push(vec![
            pair.cli.id().to_owned(),
            with_separators(pair.without.first),
            format!("{}{missed}", with_separators(all)),
            with_separators(tools),
            with_separators(all.saturating_sub(tools)),
            format!("{:.0}, {:.0}", pair.without.seconds, pair.with.seconds),
        ]);
    }
    let mut out = String::from(
        "### One day's calls through the real agents: all requests to the model together, on the wire\n\n",
    );
    out += &markdown(
        &[
            "agent",
            "calls",
            "bytes without",
            "bytes with",
            &format!("with / without (goal ≤ {GOAL:.2})"),
            "the same in o200k tokens",
            "in Claude's, estimated",
            "facts without",
            "facts with",
            "requests",
        ],
        &rows,
    );
    out += &format!(
        "\nTokens are those of the texts in the requests: {}; {}.\n\n### How far it can fall at most\n\n",
        tokens::NAME,
        tokens::ESTIMATE
    );
    out += &markdown(
        &[
            "agent",
            "calls",
            "bytes without",
            "of those the agent's own prompts, tools and calls",
            "files that are read, whole",
            "outputs that may be shortened",
            "ratio if those cost nothing",
            "if they were their facts alone",
            "with what each request carries because of Plimsoll",
            "measured",
        ],
        &floors,
    );
    out += "\nThe facts alone are a short text with all of them, or what the agent shows by itself where that is shorter; an \
        output without written facts then counts as it is.\n\n\
        ### What each request carries because of Plimsoll, in bytes\n\n";
    out += &markdown(
        &[
            "agent",
            "first request without",
            &format!("more with (goal ≤ {})", with_separators(FIXED_GOAL)),
            "of that tools",
            "texts and frames",
            "seconds without, with",
        ],
        &fixed,
    );
    out
}

/// A row of the second table: the fixed part, and the floor of the rest.
fn floor_row(pair: &Pair, script: &Script, calls: usize, measured: f64) -> Vec<String> {
    let floor = Floor::of(&pair.without, script, calls);
    // A floor is rounded down, so that it promises no more than there is.
    let least = |left: usize| format!("{:.2}", (ratio(floor.all, left) * 100.0).floor() / 100.0);
    let fixed = pair.fixed_cost().0 * (calls + 1);
    vec![
        pair.cli.id().to_owned(),
        calls.to_string(),
        with_separators(floor.all),
        with_separators(floor.agents_own()),
        with_separators(floor.whole),
        with_separators(floor.outputs - floor.whole),
        least(floor.least_possible()),
        least(floor.with_facts()),
        least(floor.with_facts() + fixed),
        format!("{measured:.2}"),
    ]
}

/// Each call of a pair: what the model was shown, by how much the next request grew, and the facts.
pub(super) fn calls(pair: &Pair, script: &Script) -> String {
    let rows: Vec<Vec<String>> = script
        .calls
        .iter()
        .enumerate()
        .map(|(at, call)| {
            let (without, with) = (&pair.without.calls[at], &pair.with.calls[at]);
            vec![
                (at + 1).to_string(),
                call.name.chars().take(48).collect(),
                with_separators(without.bytes),
                with_separators(with.bytes),
                with_separators(without.growth),
                with_separators(with.growth),
                format!("{}, {} of {}", without.facts, with.facts, call.facts.len()),
                match call.is_held_out() {
                    true => "(held out)".into(),
                    false => {
                        with.lost.iter().take(3).cloned().collect::<Vec<_>>().join(" · ").replace('|', "¦")
                    }
                },
            ]
        })
        .collect();
    format!(
        "\n### {}, call by call\n\n{}",
        pair.cli.id(),
        markdown(
            &[
                "",
                "call",
                "shown without",
                "with",
                "request grew by",
                "with",
                "facts without, with",
                "missing with"
            ],
            &rows
        )
    )
}

pub(super) fn json(pairs: &[Pair], script: &Script, lengths: &[usize]) -> Result<String> {
    let sum = |sum: Sum| {
        json!({"requests": sum.requests, "bytes": sum.bytes, "last_request_bytes": sum.last, "o200k_tokens": sum.tokens,
            "claude_tokens_estimated": tokens::claude_estimate(sum.chars), "facts": sum.facts, "facts_in_all": sum.of})
    };
    let mut out = Vec::new();
    for pair in pairs {
        let (fixed, tools) = pair.fixed_cost();
        for calls in lengths {
            let (without, with) = (pair.without.sum_after(*calls), pair.with.sum_after(*calls));
            let floor = Floor::of(&pair.without, script, *calls);
            out.push(json!({"agent": pair.cli.id(), "calls": calls, "without": sum(without), "with": sum(with),
                "ratio": ratio(without.bytes, with.bytes), "fixed_bytes_a_request": fixed, "of_that_tools": tools,
                "of_the_agent_itself": floor.agents_own(), "files_read_whole": floor.whole,
                "ratio_if_other_outputs_cost_nothing": ratio(floor.all, floor.least_possible()),
                "ratio_if_they_were_their_facts": ratio(floor.all, floor.with_facts())}));
        }
    }
    Ok(serde_json::to_string_pretty(&out)?)
}
