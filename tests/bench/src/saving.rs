//! `saving`: every scenario, both of Plimsoll's ways, both rivals, and their fixed costs.

mod report;

use std::path::Path;

use anyhow::{Context, Result};
use plimsoll_tests::{Scratch, Server};
use serde_json::{Value, json};

use crate::ours::{self, Names, OURS, THEIRS, WayResult};
use crate::rivals::{self, Rival};
use crate::scenario::{self, Scenario, count_kept};
use crate::table::with_separators;
use crate::tokens::Tokens;
use crate::{Options, Report};
use report::{as_json, as_text};

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

/// The fixed cost of Plimsoll, and of the rival if it is installed.
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

/// One captured failing test run through the real `plimsoll run`, which must print the filter's result.
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
        with_separators(row.scenario.raw.len()),
        with_separators(cell.bytes),
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
    // The server must be alive, or there is nothing to report.
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
