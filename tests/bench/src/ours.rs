//! Plimsoll's two ways: automatic, as a hook or `plimsoll run` shortens an output, and on demand, over MCP. Owns how
//! each is driven and timed; the scenario owns the facts that must survive.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use filters::FilterSet;
use plimsoll_tests::{Scratch, Server};
use serde_json::json;

use crate::scenario::{Ask, Scenario};

/// From this size on an answer of another tool is shortened, in bytes: the setting's default.
const OTHER_TOOLS_FROM: usize = 16_000;
/// How often the automatic way is timed.
const TIMES: usize = 9;

/// One way's reply.
#[derive(Debug, Clone)]
pub(crate) struct WayResult {
    /// What the model reads.
    pub(crate) text: String,
    /// Bytes of the call's own arguments, which the model wrote.
    pub(crate) sent: usize,
    /// Milliseconds.
    pub(crate) ms: f64,
}

/// The shortened output without a question; the output itself if it's left alone.
pub(crate) fn automatic(set: &FilterSet, scenario: &Scenario) -> WayResult {
    let mut times = Vec::with_capacity(TIMES);
    let mut left = None;
    for _ in 0..TIMES {
        let started = Instant::now();
        left = match &scenario.command {
            Some(command) => filters::shorten(set, command, scenario.exit, &scenario.raw),
            None if scenario.raw.len() >= OTHER_TOOLS_FROM => filters::shorten_text(set, &scenario.raw),
            None => None,
        };
        times.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    let text =
        left.map_or_else(|| scenario.raw.clone(), |left| left.with_address(Some(filters::check::ADDRESS)));
    WayResult { text, sent: 0, ms: median(&mut times) }
}

/// The middle value.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The tools of one server, by name and by the form of their arguments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Names {
    pub(crate) run: &'static str,
    pub(crate) file: &'static str,
    pub(crate) index: &'static str,
    pub(crate) search: &'static str,
}

pub(crate) const OURS: Names = Names { run: "execute", file: "execute", index: "index", search: "search" };
pub(crate) const THEIRS: Names =
    Names { run: "ctx_execute", file: "ctx_execute_file", index: "ctx_index", search: "ctx_search" };

/// Asks without knowing the shape: an output is run with the question as intent, a document indexed and searched.
pub(crate) fn ask_blindly(server: &mut Server, names: Names, file: &Path, ask: &Ask) -> Result<WayResult> {
    let file = file.to_str().context("the fixture's path is no Unicode")?;
    let calls = if ask.queries.is_empty() {
        vec![(names.run, json!({"language": "shell", "code": format!("cat {file}"), "intent": ask.question}))]
    } else {
        let source = "page";
        vec![
            (names.index, json!({"path": file, "source": source})),
            (names.search, json!({"queries": ask.queries, "source": source})),
        ]
    };
    all(server, calls)
}

/// Asks with a script by an author who knows the output's shape.
pub(crate) fn scripted(server: &mut Server, names: Names, file: &Path, script: &str) -> Result<WayResult> {
    let file = file.to_str().context("the fixture's path is no Unicode")?;
    all(server, vec![(names.file, json!({"path": file, "language": "javascript", "code": script}))])
}

fn all(server: &mut Server, calls: Vec<(&str, serde_json::Value)>) -> Result<WayResult> {
    let mut given = WayResult { text: String::new(), sent: 0, ms: 0.0 };
    for (tool, arguments) in calls {
        given.sent += arguments.to_string().len();
        let started = Instant::now();
        let printed = server.call(tool, arguments)?;
        given.ms += started.elapsed().as_secs_f64() * 1000.0;
        given.text.push_str(&printed.text);
        given.text.push('\n');
    }
    Ok(given)
}

/// The real `plimsoll run` over a stand-in for the program, which prints the fixture and ends with its code.
///
/// # Errors
/// When the exit code is not the program's.
pub(crate) fn run(scratch: &Scratch, scenario: &Scenario) -> Result<WayResult> {
    let command = scenario.command.as_deref().context("a command")?;
    let words: Vec<&str> = command.split_whitespace().collect();
    let program = words.first().context("a program")?;
    let bin = scratch.home.join("stand-ins");
    std::fs::create_dir_all(&bin)?;
    let fixture = scratch.home.join("printed.txt");
    std::fs::write(&fixture, &scenario.raw)?;
    let exit = scenario.exit.unwrap_or(0);
    script(&bin.join(program), &format!("#!/bin/sh\ncat '{}'\nexit {exit}\n", fixture.display()))?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut dirs = vec![bin];
    dirs.extend(std::env::split_paths(&path));
    let mut run = scratch.command(plimsoll_tests::sidecar());
    run.args(["run", "--"]).args(&words).env("PATH", std::env::join_paths(dirs)?);
    let started = Instant::now();
    let output = run.output().context("starting the sidecar")?;
    let ms = started.elapsed().as_secs_f64() * 1000.0;
    ensure!(
        output.status.code() == Some(exit),
        "`plimsoll run` ended with {} instead of {exit}",
        output.status
    );
    Ok(WayResult { text: String::from_utf8_lossy(&output.stdout).into_owned(), sent: 0, ms })
}

/// Writes a program.
pub(crate) fn script(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}
