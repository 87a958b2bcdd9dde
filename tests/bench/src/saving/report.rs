//! The measurements, as a table for people and as JSON. Owns the sums over scenarios and how they're laid out; does
//! not know how anything is measured.

use serde_json::{Value, json};

use super::{Cell, Overheads, Row};
use crate::table::{markdown, saved, share, with_separators};
use crate::tokens;

/// Sums over some rows of one way: raw bytes, returned bytes, facts kept, facts.
#[derive(Debug, Default, Clone, Copy)]
struct Sum {
    scenarios: usize,
    raw: usize,
    raw_tokens: usize,
    bytes: usize,
    tokens: usize,
    sent: usize,
    kept: usize,
    facts: usize,
}

fn sum<'r>(rows: impl Iterator<Item = &'r Row>, cell: impl Fn(&Row) -> Option<&Cell>) -> Sum {
    rows.fold(Sum::default(), |mut sum, row| {
        if let Some(cell) = cell(row) {
            sum.scenarios += 1;
            sum.raw += row.scenario.raw.len();
            sum.raw_tokens += row.raw_tokens;
            sum.bytes += cell.bytes;
            sum.tokens += cell.tokens;
            sum.sent += cell.sent;
            sum.kept += cell.kept;
            sum.facts += cell.facts;
        }
        sum
    })
}

type Way = (&'static str, fn(&Row) -> Option<&Cell>);

const WAYS: &[Way] = &[
    ("automatic", |row| Some(&row.automatic)),
    ("head/tail", |row| Some(&row.cut)),
    ("asked, Plimsoll", |row| row.found.as_ref()),
    ("asked, context-mode", |row| row.their_found.as_ref()),
    ("script, Plimsoll", |row| row.scripted.as_ref()),
    ("script, context-mode", |row| row.their_scripted.as_ref()),
];

/// For a scenario with a question, the shortest of a tool's ways that keeps every fact; otherwise the output itself.
fn best(ways: [Option<&Cell>; 2]) -> Option<&Cell> {
    ways.into_iter().flatten().filter(|cell| cell.lost.is_none()).min_by_key(|cell| cell.bytes)
}

fn totals(rows: &[Row]) -> Vec<Vec<String>> {
    let line = |name: &str, group: &str, sum: Sum| {
        vec![
            group.to_owned(),
            name.to_owned(),
            sum.scenarios.to_string(),
            with_separators(sum.raw),
            with_separators(sum.bytes),
            saved(sum.raw, sum.bytes),
            saved(sum.raw_tokens, sum.tokens),
            format!("{}/{}", sum.kept, sum.facts),
            with_separators(sum.sent),
        ]
    };
    let mut lines = Vec::new();
    for (group, rivals) in [("everyday commands", false), ("the rivals' kinds", true)] {
        let of = || rows.iter().filter(move |row| row.scenario.rivals == rivals);
        for (name, cell) in WAYS {
            let sum = sum(of(), cell);
            if sum.scenarios > 0 {
                lines.push(line(name, group, sum));
            }
        }
        if rivals {
            let ours = sum(of(), |row| best([row.found.as_ref(), row.scripted.as_ref()]));
            lines.push(line("best case with all facts, Plimsoll", group, ours));
            let theirs = sum(of(), |row| best([row.their_found.as_ref(), row.their_scripted.as_ref()]));
            if theirs.scenarios > 0 {
                lines.push(line("best case with all facts, context-mode", group, theirs));
            }
        }
    }
    lines
}

fn cell_text(cell: Option<&Cell>) -> String {
    cell.map_or("–".to_owned(), |cell| {
        let mark = if cell.lost.is_some() { " ✗" } else { "" };
        format!("{} ({}/{}{mark})", with_separators(cell.bytes), cell.kept, cell.facts)
    })
}

pub(super) fn as_text(rows: &[Row], overheads: &Overheads, run_line: &str, rival: bool) -> String {
    let listed = |rivals: bool| rows.iter().filter(move |row| row.scenario.rivals == rivals);
    let everyday: Vec<Vec<String>> = listed(false)
        .map(|row| {
            vec![
                row.scenario.name.clone(),
                row.scenario.kind.clone(),
                with_separators(row.scenario.raw.len()),
                with_separators(row.automatic.bytes),
                saved(row.scenario.raw.len(), row.automatic.bytes),
                format!("{} → {}", with_separators(row.raw_tokens), with_separators(row.automatic.tokens)),
                format!("{}/{}", row.automatic.kept, row.automatic.facts),
                format!("{:.2}", row.automatic.ms),
                cell_text(Some(&row.cut)),
            ]
        })
        .collect();
    let asked: Vec<Vec<String>> = listed(true)
        .map(|row| {
            vec![
                row.scenario.name.clone(),
                with_separators(row.scenario.raw.len()),
                cell_text(Some(&row.automatic)),
                cell_text(row.found.as_ref()),
                row.found.as_ref().map_or("–".into(), |cell| format!("{:.0}", cell.ms)),
                cell_text(row.scripted.as_ref()),
                cell_text(row.their_found.as_ref()),
                row.their_found.as_ref().map_or("–".into(), |cell| format!("{:.0}", cell.ms)),
                cell_text(row.their_scripted.as_ref()),
                cell_text(Some(&row.cut)),
            ]
        })
        .collect();
    let both = |(ours, theirs): (usize, Option<usize>)| {
        let theirs = theirs.map_or("–".to_owned(), |theirs| {
            #[expect(clippy::cast_precision_loss, reason = "a few kilobytes")]
            let ratio = theirs as f64 / ours.max(1) as f64;
            format!("{} ({ratio:.1}×)", with_separators(theirs))
        });
        [with_separators(ours), theirs]
    };
    let [tools, their_tools] = both(overheads.tools);
    let [start, their_start] = both(overheads.start);
    let mut out = format!(
        "### Everyday commands, automatically: nobody asked for anything\n\nBytes; tokens by {}. Facts: kept of those that must survive. head/tail: `head -n 50`, `tail -n 50`, with the facts it keeps.\n\n",
        tokens::NAME
    );
    out += &markdown(
        &["scenario", "kind", "raw", "returned", "saved", "tokens", "facts", "ms", "head/tail (facts)"],
        &everyday,
    );
    out += "\n### The rivals' own kinds, and the same output when somebody asks a question\n\nReturned bytes (facts kept). asked: run with the question as intent, or indexed and searched. script: a script written for the shape. ✗: a fact is missing.\n\n";
    out += &markdown(
        &[
            "scenario",
            "raw",
            "automatic",
            "asked, Plimsoll",
            "ms",
            "script, Plimsoll",
            "asked, context-mode",
            "ms",
            "script, context-mode",
            "head/tail",
        ],
        &asked,
    );
    out += "\n### Totals\n\nEverything that a tool returned; the arguments that the model writes are the last column. context-mode leaves everyday commands as they are.\n\n";
    out += &markdown(
        &["group", "way", "scenarios", "raw", "returned", "saved", "tokens saved", "facts", "arguments"],
        &totals(rows),
    );
    out += "\n### What it costs by itself, in bytes\n\n";
    out += &markdown(
        &["overhead", "Plimsoll", "context-mode"],
        &[
            vec!["tool list (`tools/list` result)".into(), tools, their_tools],
            vec!["text at the start of a session".into(), start, their_start],
            vec![
                "text after a compaction, of a session with 30 prompts and edits".into(),
                with_separators(overheads.note),
                "–".into(),
            ],
        ],
    );
    if !run_line.is_empty() {
        out += &format!("\n{run_line}\n");
    }
    if !rival {
        out += "\ncontext-mode was not measured: it is not installed (npm is needed).\n";
    }
    out
}

pub(super) fn as_json(rows: &[Row], overheads: &Overheads) -> Value {
    let cell = |cell: &Cell| json!({"bytes": cell.bytes, "tokens": cell.tokens, "arguments": cell.sent, "ms": cell.ms, "facts_kept": cell.kept, "facts": cell.facts});
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            let ways: serde_json::Map<String, Value> =
                WAYS.iter().filter_map(|(name, way)| Some(((*name).to_owned(), cell(way(row)?)))).collect();
            json!({
                "scenario": row.scenario.name, "kind": row.scenario.kind, "rivals": row.scenario.rivals,
                "raw_bytes": row.scenario.raw.len(), "raw_tokens": row.raw_tokens,
                "saved_percent": share(row.scenario.raw.len(), row.automatic.bytes), "ways": ways,
            })
        })
        .collect();
    json!({"tokenizer": tokens::NAME, "scenarios": rows, "overheads": {
        "tool_list": {"plimsoll": overheads.tools.0, "context_mode": overheads.tools.1},
        "session_start": {"plimsoll": overheads.start.0, "context_mode": overheads.start.1},
        "after_compaction": {"plimsoll": overheads.note},
    }})
}
