//! Lists the uses that the index finds: `uses --root FOLDER [--sample N]`. Prints one JSON object: evenly sampled definitions with
//! their uses at each confidence. `cargo xtask bench references` compares it with a language server.
#![expect(clippy::print_stdout, reason = "its output is its purpose")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a measurement that cannot run has nothing to report"
)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use plimsoll_code::refs::{Confidence, Definition, references};
use plimsoll_code::search::Reader;
use plimsoll_code::{Options, Store, update};
use serde_json::{Value, json};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| args.iter().position(|a| a == name).and_then(|i| args.get(i + 1)).cloned();
    let root = PathBuf::from(option("--root").expect("--root FOLDER"));
    let sample: usize = option("--sample").and_then(|n| n.parse().ok()).unwrap_or(400);
    let only = option("--name");
    let scratch = tempfile::tempdir().unwrap();
    let database = scratch.path().join("code.db");
    let mut store = Store::open(&database).unwrap();
    update(&mut store, &root, &Options::default()).unwrap();
    let reader = Reader::open(&store).unwrap();
    let all = names(&database);
    let step = (all.len() as f64 / sample as f64).max(1.0);
    let mut chosen: BTreeMap<&str, Vec<(&str, u32)>> = BTreeMap::new();
    let mut at = 0.0;
    while (at as usize) < all.len() {
        let (name, path, line) = &all[at as usize];
        if only.as_ref().is_none_or(|only| only == name) {
            chosen.entry(name).or_default().push((path, *line));
        }
        at += if only.is_some() { 1.0 } else { step };
    }
    let mut out = Vec::new();
    let mut times = Vec::new();
    for (name, places) in chosen {
        let began = Instant::now();
        let found = references(&store, &reader, &root, name).unwrap();
        times.push(began.elapsed().as_secs_f64() * 1e3);
        for (i, d) in found.definitions.iter().enumerate() {
            if !places.contains(&(d.path.as_str(), d.line)) {
                continue;
            }
            let at = |confidence: Confidence| -> Vec<Value> {
                let mine = found.uses.iter().filter(|u| u.confidence == confidence && u.of.contains(&i));
                mine.map(|u| json!([u.path, u.line, u.column])).collect()
            };
            out.push(json!({
                "name": name, "fulfils": fulfils(&root, d), "path": d.path, "line": d.line, "kind": d.kind, "container": d.container,
                "resolved": at(Confidence::Resolved), "in_scope": at(Confidence::InScope),
                // Other definitions of this name never count as uses.
                "definitions": found.definitions.iter().map(|d: &Definition| json!([d.path, d.line])).collect::<Vec<_>>(),
            }));
        }
    }
    times.sort_by(f64::total_cmp);
    let p95 = times.get(times.len() * 95 / 100).copied().unwrap_or(0.0);
    let stats = store.stats().unwrap();
    println!(
        "{}",
        json!({"files": stats.files, "lines": stats.lines, "names": times.len(), "p95_ms": p95, "uses": out})
    );
}

/// Whether a definition of Rust is in an `impl` of a trait.
fn fulfils(root: &std::path::Path, d: &Definition) -> bool {
    let text = std::fs::read_to_string(root.join(&d.path)).unwrap_or_default();
    let before: Vec<&str> = text.lines().take(d.line as usize).collect();
    let own = before.last().map_or(0, |line| line.len() - line.trim_start().len());
    let around = |line: &&&str| !line.trim().is_empty() && line.len() - line.trim_start().len() < own;
    let heads: String = before.iter().rev().filter(around).take(3).copied().collect::<Vec<_>>().join(" ");
    d.path.ends_with(".rs") && own > 0 && heads.contains("impl") && heads.contains(" for ")
}

/// Every definition with a name of at least two letters that isn't inside a function, by place.
fn names(database: &std::path::Path) -> Vec<(String, String, u32)> {
    let db = rusqlite::Connection::open(database).unwrap();
    let mut statement = db
        .prepare(
            "SELECT s.name, f.path, s.line FROM symbols s JOIN files f ON f.id = s.file
             WHERE length(s.name) > 1 AND NOT EXISTS (
                 SELECT 1 FROM symbols o WHERE o.file = s.file AND o.kind IN ('function', 'method') AND o.id <> s.id
                 AND o.start_line <= s.line AND o.end_line >= s.end_line AND o.end_line > o.start_line
                 AND (o.start_line < s.start_line OR o.end_line > s.end_line))
             ORDER BY f.path, s.line, s.name",
        )
        .unwrap();
    let rows = statement.query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?))).unwrap();
    rows.map(Result::unwrap).collect()
}
