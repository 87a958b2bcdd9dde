//! One tool's results: a cell for each scenario, sums over a half, and the lines that are printed.

use anyhow::Result;
use serde_json::{Value, json};

use super::Row;
use super::corpus::Scenario;
use super::drive::Shown;
use super::half;
use super::kept::Text;
use crate::ours::median;
use crate::table::share;

/// One tool's result for one scenario.
#[derive(Debug)]
pub(crate) struct Cell {
    pub(crate) bytes: usize,
    pub(crate) kept: usize,
    pub(crate) facts: usize,
    /// The facts that the model does not see.
    pub(crate) lost: Vec<String>,
    pub(crate) exit_right: bool,
    /// Its statements that mislead about the output.
    pub(crate) misleading: Vec<String>,
    /// Whether the whole output can be read again without running the command a second time.
    pub(crate) whole: bool,
    /// The tool's time beyond the command itself.
    pub(crate) ms: f64,
}

impl Cell {
    pub(crate) fn of(scenario: &Scenario, shown: &Shown) -> Self {
        let text = Text::new(&shown.text);
        let lost: Vec<String> = scenario
            .facts
            .iter()
            .filter(|fact| !text.has(fact, &scenario.files))
            .map(super::kept::Fact::describe)
            .collect();
        let facts = scenario.facts.len();
        Self {
            bytes: shown.text.len(),
            kept: facts - lost.len(),
            facts,
            lost,
            exit_right: shown.exit == Some(scenario.exit),
            // A host's own cut makes no claim about the rest.
            misleading: if shown.text.contains("plimsoll://") {
                filters::misleading(&String::from_utf8_lossy(&scenario.raw), &shown.text)
            } else {
                Vec::new()
            },
            whole: shown.whole,
            ms: shown.ms,
        }
    }
}

/// Sums of one tool over some rows.
#[derive(Debug, Default)]
struct Sum {
    scenarios: usize,
    raw: usize,
    bytes: usize,
    mean: f64,
    kept: usize,
    facts: usize,
    complete: usize,
    wrong_exits: usize,
    whole: usize,
    ms: Vec<f64>,
}

#[expect(clippy::cast_precision_loss, reason = "some hundred scenarios")]
fn sum(at: usize, rows: &[&Row]) -> Sum {
    let mut sum = Sum::default();
    for row in rows {
        let Some(cell) = row.cells.get(at).and_then(Option::as_ref) else { continue };
        sum.scenarios += 1;
        sum.raw += row.scenario.raw.len();
        sum.bytes += cell.bytes;
        sum.mean += share(row.scenario.raw.len(), cell.bytes);
        sum.kept += cell.kept;
        sum.facts += cell.facts;
        sum.complete += usize::from(cell.lost.is_empty());
        sum.wrong_exits += usize::from(!cell.exit_right);
        sum.whole += usize::from(cell.whole);
        sum.ms.push(cell.ms);
    }
    sum.mean /= sum.scenarios.max(1) as f64;
    sum.ms.sort_by(f64::total_cmp);
    sum
}

/// The line of one way.
pub(crate) fn line(name: &str, at: usize, rows: &[&Row]) -> Vec<String> {
    let mut sum = sum(at, rows);
    let p90 = sum.ms.get(sum.ms.len() * 9 / 10).copied().unwrap_or(f64::NAN);
    vec![
        name.to_owned(),
        format!("{:.1} % / {:.1} %", share(sum.raw, sum.bytes), sum.mean),
        format!("{:.1} % ({}/{})", 100.0 - share(sum.facts, sum.kept), sum.kept, sum.facts),
        format!("{} of {}", sum.complete, sum.scenarios),
        sum.wrong_exits.to_string(),
        format!("{} of {}", sum.whole, sum.scenarios),
        format!("{:.0} / {p90:.0}", median(&mut sum.ms)),
    ]
}

/// Everything of the development half, and the sums of the held-out one.
pub(crate) fn as_json(names: &[&str], rows: &[Row]) -> Result<String> {
    let sums = |held_out: bool| -> Value {
        let half: Vec<&Row> =
            rows.iter().filter(|row| half::held_out(&row.scenario.name) == held_out).collect();
        names
            .iter()
            .enumerate()
            .map(|(at, name)| {
                let mut sum = sum(at, &half);
                let of = json!({"scenarios": sum.scenarios, "raw_bytes": sum.raw, "bytes": sum.bytes,
                    "saved_percent": share(sum.raw, sum.bytes), "saved_percent_mean": sum.mean,
                    "facts_kept": sum.kept, "facts": sum.facts, "complete": sum.complete,
                    "wrong_exit_codes": sum.wrong_exits, "whole": sum.whole, "ms": median(&mut sum.ms)});
                ((*name).to_owned(), of)
            })
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let listed: Vec<Value> = rows
        .iter()
        .filter(|row| !half::held_out(&row.scenario.name))
        .map(|row| {
            let ways: serde_json::Map<String, Value> = names
                .iter()
                .zip(&row.cells)
                .filter_map(|(name, cell)| {
                    let cell = cell.as_ref()?;
                    let of = json!({"bytes": cell.bytes, "facts_kept": cell.kept, "lost": cell.lost,
                        "exit_right": cell.exit_right, "whole": cell.whole, "ms": cell.ms});
                    Some(((*name).to_owned(), of))
                })
                .collect();
            json!({"scenario": row.scenario.name, "kind": row.scenario.kind,
                "raw_bytes": row.scenario.raw.len(), "facts": row.scenario.facts.len(), "ways": ways})
        })
        .collect();
    Ok(serde_json::to_string_pretty(
        &json!({"development": sums(false), "held_out": sums(true), "scenarios": listed}),
    )?)
}
