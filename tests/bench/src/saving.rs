//! `saving`: every scenario, both of Plimsoll's ways, both rivals, and what it all costs by itself.

use std::path::Path;

use anyhow::{Context, Result};
use plimsoll_tests::{Scratch, Server};
use serde_json::{Value, json};

use crate::ours::{self, Names, OURS, THEIRS, WayResult};
use crate::rivals::{self, Rival};
use crate::scenario::{self, Scenario, count_kept};
use crate::table::{grouped, markdown, saved, share};
use crate::tokens::{self, Tokens};
use crate::{Options, Report};

/// One way's result for one scenario.
#[derive(Debug, Clone)]
struct Cell {
    bytes: usize,
    tokens: usize,
    sent: usize,
    ms: f64,
    kept: usize,
    facts: usize,
    lost: Option<String>,
}

/// One scenario's results; ways that it does not have are absent.
struct Row {
    scenario: Scenario,
    raw_tokens: usize,
    automatic: Cell,
    cut: Cell,
    found: Option<Cell>,
    scripted: Option<Cell>,
    their_found: Option<Cell>,
    their_scripted: Option<Cell>,
}

struct Bench<'a> {
    tokens: Tokens,
    options: &'a Options,
}

impl Bench<'_> {
    fn cell(&self, name: &str, way: &str, given: &WayResult, facts: &[String]) -> Result<Cell> {
        if let Some(folder) = &self.options.show {
            std::fs::create_dir_all(folder)?;
            std::fs::write(folder.join(format!("{}.{way}.txt", name.replace([' ', '/'], "-"))), &given.text)?;
        }
        let (count, lost) = count_kept(&given.text, facts);
        Ok(Cell {
            bytes: given.text.len(),
            tokens: self.tokens.count(&given.text),
            sent: given.sent,
            ms: given.ms,
            kept: count,
            facts: facts.len(),
            lost: lost.map(str::to_owned),
        })
    }

    /// Both ways of asking of one server, or `None` where the scenario has no such way.
    fn asked(
        &self,
        server: &mut dyn FnMut() -> Result<Server>,
        names: Names,
        file: &Path,
        scenario: &Scenario,
        who: &str,
    ) -> Result<(Option<Cell>, Option<Cell>)> {
        let Some(ask) = &scenario.ask else { return Ok((None, None)) };
        let given = ours::ask_blindly(&mut server()?, names, file, ask)?;
        let found = self.cell(&scenario.name, &format!("{who}-found"), &given, &ask.facts)?;
        let Some(script) = &ask.script else { return Ok((Some(found), None)) };
        let given = ours::scripted(&mut server()?, names, file, script)?;
        let scripted = self.cell(&scenario.name, &format!("{who}-scripted"), &given, &ask.answers)?;
        Ok((Some(found), Some(scripted)))
    }
}

/// What Plimsoll's own presence costs, and the rival's where it is there.
struct Overheads {
    tools: (usize, Option<usize>),
    start: (usize, Option<usize>),
    /// The note after a compaction of a session that filled it.
    note: usize,
}

pub(crate) fn measure(options: &Options) -> Result<Report> {
    let scratch = Scratch::new()?;
    let bench = Bench { tokens: Tokens::new()?, options };
    let set = scenario::filter_set();
    let rival = options.rival.as_ref().map(|(node, cli)| {
        let home = scratch.tmp.join("rival");
        Rival { node: node.clone(), cli: cli.clone(), home, project: scratch.project.clone() }
    });
    if let Some(rival) = &rival {
        std::fs::create_dir_all(&rival.home)?;
    }
    let mut report = Report::default();
    let mut rows = Vec::new();
    for scenario in scenario::all(&options.clone)? {
        if options.only.as_ref().is_some_and(|only| !scenario.name.contains(only.as_str())) {
            continue;
        }
        let row = measure_scenario(&bench, &scratch, &set, rival.as_ref(), scenario)?;
        report.wrong.extend(violations(&row));
        rows.push(row);
    }
    let (run_line, run_wrong) = through_run(&bench, &scratch, &rows)?;
    report.wrong.extend(run_wrong);
    let overheads = overheads(&scratch, rival.as_ref())?;
    report.text = if options.json {
        serde_json::to_string_pretty(&as_json(&rows, &overheads))?
    } else {
        as_text(&rows, &overheads, &run_line, rival.is_some())
    };
    Ok(report)
}

fn measure_scenario(
    bench: &Bench<'_>,
    scratch: &Scratch,
    set: &filters::FilterSet,
    rival: Option<&Rival>,
    scenario: Scenario,
) -> Result<Row> {
    let name = scenario.name.clone();
    let automatic = bench.cell(&name, "automatic", &ours::automatic(set, &scenario), &scenario.facts)?;
    let cut = bench.cell(&name, "cut", &rivals::cut(&scenario.raw), &scenario.facts)?;
    let extension =
        if scenario.ask.as_ref().is_some_and(|ask| !ask.queries.is_empty()) { "md" } else { "txt" };
    let file = scratch.project.join(format!("fixture.{extension}"));
    std::fs::write(&file, &scenario.raw)?;
    let mut start = || Server::start(scratch);
    let (found, scripted) = bench.asked(&mut start, OURS, &file, &scenario, "ours")?;
    let (their_found, their_scripted) = match rival {
        Some(rival) => {
            let mut start = || rival.server();
            bench.asked(&mut start, THEIRS, &file, &scenario, "theirs").context("asking the rival")?
        }
        None => (None, None),
    };
    let raw_tokens = bench.tokens.count(&scenario.raw);
    Ok(Row { scenario, raw_tokens, automatic, cut, found, scripted, their_found, their_scripted })
}

/// Facts that Plimsoll lost, and changes where nothing should change.
fn violations(row: &Row) -> Vec<String> {
    let name = &row.scenario.name;
    let ways = [
        ("automatic", Some(&row.automatic)),
        ("asked", row.found.as_ref()),
        ("script", row.scripted.as_ref()),
    ];
    let mut wrong: Vec<String> = ways
        .into_iter()
        .filter_map(|(way, cell)| {
            Some(format!("{name} ({way}): the fact {:?} is lost", cell?.lost.as_ref()?))
        })
        .collect();
    if row.scenario.unchanged && row.automatic.bytes != row.scenario.raw.len() {
        wrong.push(format!("{name}: must stay as it is, and has {} bytes", row.automatic.bytes));
    }
    if row.automatic.bytes > row.scenario.raw.len() {
        wrong.push(format!("{name}: became longer"));
    }
    wrong
}

/// One captured failing test run through the real `plimsoll run`, which must say what the filter says.
fn through_run(bench: &Bench<'_>, scratch: &Scratch, rows: &[Row]) -> Result<(String, Vec<String>)> {
    let failing = |row: &&Row| {
        let simple = row.scenario.command.as_deref().is_some_and(|command| command.starts_with("pytest "));
        simple && row.scenario.exit.is_some_and(|exit| exit != 0)
    };
    let Some(row) = rows.iter().find(failing) else { return Ok((String::new(), Vec::new())) };
    let given = ours::run(scratch, &row.scenario)?;
    let cell = bench.cell(&row.scenario.name, "run", &given, &row.scenario.facts)?;
    let mut wrong: Vec<String> =
        cell.lost.iter().map(|lost| format!("plimsoll run: the fact {lost:?} is lost")).collect();
    // Addresses may differ in length by a few bytes.
    if cell.bytes.abs_diff(row.automatic.bytes) > 64 {
        wrong.push(format!("plimsoll run gives {} bytes, the filter {}", cell.bytes, row.automatic.bytes));
    }
    let line = format!(
        "The real `plimsoll run -- {}`: {} → {} bytes, {}/{} facts, exit code {} kept, {:.1} ms as a whole process.",
        row.scenario.command.as_deref().unwrap_or_default(),
        grouped(row.scenario.raw.len()),
        grouped(cell.bytes),
        cell.kept,
        cell.facts,
        row.scenario.exit.unwrap_or(0),
        cell.ms
    );
    Ok((line, wrong))
}

fn overheads(scratch: &Scratch, rival: Option<&Rival>) -> Result<Overheads> {
    let list =
        |server: &mut Server| -> Result<usize> { Ok(server.ask("tools/list", json!({}))?.to_string().len()) };
    let tools = list(&mut Server::start(scratch)?)?;
    let event = |kind: &str, more: Value| {
        let mut event = json!({"session_id": "bench", "cwd": scratch.project, "hook_event_name": kind,
            "transcript_path": scratch.home.join(".claude/projects/shop/bench.jsonl"), "permission_mode": "default"});
        if let (Some(event), Value::Object(more)) = (event.as_object_mut(), more) {
            event.extend(more);
        }
        event
    };
    // The server must be alive, or there is nothing to tell of.
    let _alive = Server::start(scratch)?;
    let start = hook_text(&ours_hook(scratch, &event("SessionStart", json!({"source": "startup"})))?);
    for at in 0..30 {
        let prompt = format!(
            "Step {at}: use integers for money, not floats; the rounding in order {at} must not change"
        );
        ours_hook(scratch, &event("UserPromptSubmit", json!({ "prompt": prompt })))?;
        let file = scratch.project.join(format!("shop/part{at}/orders.py"));
        let edit = json!({"tool_name": "Edit", "tool_use_id": format!("edit{at}"),
            "tool_input": {"file_path": file, "old_string": "float", "new_string": "int"}, "tool_response": {"filePath": file}});
        ours_hook(scratch, &event("PostToolUse", edit))?;
    }
    let compacted = hook_text(&ours_hook(scratch, &event("SessionStart", json!({"source": "compact"})))?);
    let (mut their_tools, mut their_start) = (None, None);
    if let Some(rival) = rival {
        let mut server = rival.server()?;
        their_tools = Some(list(&mut server)?);
        their_start = Some(hook_text(&rival.session_start()?));
    }
    Ok(Overheads { tools: (tools, their_tools), start: (start, their_start), note: compacted })
}

/// Bytes of the text that a hook's answer puts before the model.
fn hook_text(answer: &str) -> usize {
    let parsed: Value = serde_json::from_str(answer.trim()).unwrap_or(Value::Null);
    parsed["hookSpecificOutput"]["additionalContext"].as_str().map_or(answer.trim().len(), str::len)
}

fn ours_hook(scratch: &Scratch, event: &Value) -> Result<String> {
    use std::io::Write as _;
    use std::process::Stdio;
    let mut command = scratch.command(plimsoll_tests::sidecar());
    command.args(["hook", "claude-code"]).env("CLAUDECODE", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().context("starting the hook")?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(event.to_string().as_bytes())?;
    }
    Ok(String::from_utf8_lossy(&child.wait_with_output()?.stdout).into_owned())
}

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
            grouped(sum.raw),
            grouped(sum.bytes),
            saved(sum.raw, sum.bytes),
            saved(sum.raw_tokens, sum.tokens),
            format!("{}/{}", sum.kept, sum.facts),
            grouped(sum.sent),
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

fn shown(cell: Option<&Cell>) -> String {
    cell.map_or("–".to_owned(), |cell| {
        let mark = if cell.lost.is_some() { " ✗" } else { "" };
        format!("{} ({}/{}{mark})", grouped(cell.bytes), cell.kept, cell.facts)
    })
}

fn as_text(rows: &[Row], overheads: &Overheads, run_line: &str, rival: bool) -> String {
    let listed = |rivals: bool| rows.iter().filter(move |row| row.scenario.rivals == rivals);
    let everyday: Vec<Vec<String>> = listed(false)
        .map(|row| {
            vec![
                row.scenario.name.clone(),
                row.scenario.kind.clone(),
                grouped(row.scenario.raw.len()),
                grouped(row.automatic.bytes),
                saved(row.scenario.raw.len(), row.automatic.bytes),
                format!("{} → {}", grouped(row.raw_tokens), grouped(row.automatic.tokens)),
                format!("{}/{}", row.automatic.kept, row.automatic.facts),
                format!("{:.2}", row.automatic.ms),
                shown(Some(&row.cut)),
            ]
        })
        .collect();
    let asked: Vec<Vec<String>> = listed(true)
        .map(|row| {
            vec![
                row.scenario.name.clone(),
                grouped(row.scenario.raw.len()),
                shown(Some(&row.automatic)),
                shown(row.found.as_ref()),
                row.found.as_ref().map_or("–".into(), |cell| format!("{:.0}", cell.ms)),
                shown(row.scripted.as_ref()),
                shown(row.their_found.as_ref()),
                row.their_found.as_ref().map_or("–".into(), |cell| format!("{:.0}", cell.ms)),
                shown(row.their_scripted.as_ref()),
                shown(Some(&row.cut)),
            ]
        })
        .collect();
    let both = |(ours, theirs): (usize, Option<usize>)| {
        let theirs = theirs.map_or("–".to_owned(), |theirs| {
            #[expect(clippy::cast_precision_loss, reason = "a few kilobytes")]
            let ratio = theirs as f64 / ours.max(1) as f64;
            format!("{} ({ratio:.1}×)", grouped(theirs))
        });
        [grouped(ours), theirs]
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
                grouped(overheads.note),
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

fn as_json(rows: &[Row], overheads: &Overheads) -> Value {
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
