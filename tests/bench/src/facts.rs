//! `facts`: the facts that a developer needs from the outputs of real projects, and which tool lets them reach the
//! model. Every tool is measured over the whole path of one shell call: a hook, the command, a second hook, and what
//! the host then shows.
//!
//! The corpus (`tests/facts/`) has two halves. The development half is listed with what is lost; of the held-out half only
//! sums are printed, so that no filter is tuned on it.

pub(crate) mod corpus;
mod drive;
pub(crate) mod half;
mod hosts;
pub(crate) mod kept;
mod law;
pub(crate) mod least;
mod sums;

use anyhow::{Result, ensure};

use crate::table::{markdown, with_separators};
use crate::{Options, Report};
use corpus::Scenario;
pub(crate) use drive::Rival;
use drive::{Bench, Way};
use sums::Cell;

/// One scenario with a cell for each tool, in their order; a tool that couldn't run it has none.
struct Row {
    scenario: Scenario,
    cells: Vec<Option<Cell>>,
}

pub(crate) fn measure(options: &Options) -> Result<Report> {
    let mut loaded = corpus::all(&options.clone, &options.packages)?;
    if let Some(only) = &options.only {
        // A held-out scenario is never named, because reading its name counts as looking at it.
        loaded.scenarios.retain(|one| !half::held_out(&one.name) && one.name.contains(only.as_str()));
        ensure!(!loaded.scenarios.is_empty(), "no scenario of the development half has {only:?} in its name");
    }
    let mut ways = Way::ours();
    ways.extend(options.hooks.iter().map(|rival| Way::Rival(rival.clone())));
    let bench = Bench::new()?;
    let mut rows = Vec::new();
    for scenario in loaded.scenarios {
        let mut cells = Vec::new();
        for way in &ways {
            let shown = bench.model_text(way, &scenario)?;
            if let Some(folder) = options.show.as_ref().filter(|_| !half::held_out(&scenario.name)) {
                std::fs::create_dir_all(folder)?;
                std::fs::write(folder.join(format!("{}.{}.txt", scenario.name, way.name())), &shown.text)?;
            }
            cells.push(Some(Cell::of(&scenario, &shown)));
        }
        rows.push(Row { scenario, cells });
    }
    let names: Vec<&str> = ways.iter().map(Way::name).collect();
    let wrong = law::broken_laws(&names, &rows);
    let mut text = if options.json { sums::as_json(&names, &rows)? } else { tables(&names, &rows) };
    if !options.json {
        text += &hosts::table(&rows);
        if options.list {
            text += &listed(&rows);
        }
        for message in loaded.messages.iter().chain(&options.missing) {
            text += &format!("\n{message}\n");
        }
    }
    Ok(Report { text, wrong })
}

fn tables(names: &[&str], rows: &[Row]) -> String {
    let mut out = String::new();
    for (title, held_out) in [("Development half", false), ("Held-out half", true)] {
        let half: Vec<&Row> =
            rows.iter().filter(|row| half::held_out(&row.scenario.name) == held_out).collect();
        if half.is_empty() {
            continue;
        }
        let facts: usize = half.iter().map(|row| row.scenario.facts.len()).sum();
        let bytes: usize = half.iter().map(|row| row.scenario.raw.len()).sum();
        out += &format!(
            "### {title}: {} commands, {} bytes, {} facts\n\n",
            half.len(),
            with_separators(bytes),
            with_separators(facts)
        );
        let lines: Vec<Vec<String>> =
            names.iter().enumerate().map(|(at, name)| sums::line(name, at, &half)).collect();
        out += &markdown(
            &[
                "way",
                "bytes fewer, all / mean of scenarios",
                "facts kept",
                "all facts kept in",
                "wrong exit codes",
                "whole retrievable",
                "ms, median / p90",
            ],
            &lines,
        );
        out.push('\n');
    }
    out
}

/// The lost facts of the development half, by scenario.
fn listed(rows: &[Row]) -> String {
    let mut lines = Vec::new();
    for row in rows.iter().filter(|row| !half::held_out(&row.scenario.name)) {
        let Some(cell) = row.cells.first().and_then(Option::as_ref) else { continue };
        let lost: Vec<String> =
            cell.lost.iter().map(|fact| format!("`{}`", fact.replace('|', "\\|"))).collect();
        lines.push(vec![
            row.scenario.name.clone(),
            row.scenario.kind.clone(),
            with_separators(row.scenario.raw.len()),
            with_separators(cell.bytes),
            format!("{}/{}", cell.kept, cell.facts),
            lost.join(", "),
        ]);
    }
    let head = ["scenario", "kind", "raw", "shown", "facts", "lost"];
    format!("### Development half, through Plimsoll\n\n{}", markdown(&head, &lines))
}
