//! `plimsoll-bench soak`: one server under thousands of calls, hook events and large outputs, and its memory, handles
//! and disk meanwhile. A figure over its bound fails the run.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use plimsoll_tests::{Scratch, Server, process, sidecar};
use serde_json::json;

use super::{Options, Report};

const MB: u64 = 1 << 20;
/// The limit for stored outputs in this run, small enough to be reached many times.
const BUDGET: u64 = 128 * MB;
/// Memory of the server's own (not shared with its file) a minute after the last call.
const AFTER: u64 = 30 * MB;
/// The same under load, where single outputs are larger than that.
const UNDER_LOAD: u64 = 160 * MB;
/// Handles beyond those it had at its start.
const HANDLES: usize = 24;

/// One look at the server and its folder.
#[derive(Debug, Clone, Copy)]
struct Observation {
    own: u64,
    resident: u64,
    handles: usize,
    /// Everything below the Plimsoll folder.
    disk: u64,
}

pub(crate) fn measure(options: &Options) -> Result<Report> {
    let scratch = Scratch::new()?;
    let settings = scratch.home.join(".plimsoll/settings.toml");
    std::fs::create_dir_all(settings.parent().context("a folder")?)?;
    std::fs::write(&settings, format!("[retention]\nkept_bytes = {BUDGET}\n"))?;
    let mut server = Server::start(&scratch)?;
    server.call("execute", json!({"language": "shell", "code": "true"}))?;
    let first = observe(&scratch, server.pid());
    let mut report = Report::default();
    let lasting = Duration::from_secs(options.minutes * 60);
    let (since, mut printed, mut calls) = (Instant::now(), Instant::now(), 0u64);
    let mut most = first;
    let line = |minute: u64, calls: u64, look: Observation| {
        let text = format!(
            "{minute} min, {calls} calls and events: {} MB of its own ({} MB resident), {} handles, {} MB on the disk",
            look.own / MB,
            look.resident / MB,
            look.handles,
            look.disk / MB
        );
        let _ = writeln!(std::io::stdout(), "{text}");
    };
    line(0, calls, first);
    while since.elapsed() < lasting {
        calls += round(&scratch, &mut server, calls)?;
        let now = observe(&scratch, server.pid());
        most = Observation {
            own: most.own.max(now.own),
            resident: most.resident.max(now.resident),
            handles: most.handles.max(now.handles),
            disk: most.disk.max(now.disk),
        };
        if printed.elapsed().as_secs() >= 60 {
            printed = Instant::now();
            line(since.elapsed().as_secs() / 60, calls, now);
        }
        std::thread::sleep(Duration::from_millis(options.pause_ms));
    }
    // No more questions from here on; the memory in use must shrink back within a minute.
    let quiet = Instant::now();
    let mut last = observe(&scratch, server.pid());
    while quiet.elapsed().as_secs() < 60 {
        std::thread::sleep(Duration::from_secs(5));
        last = observe(&scratch, server.pid());
    }
    line(since.elapsed().as_secs() / 60, calls, last);
    let mut bound = |what: &str, found: u64, most: u64| {
        if found > most {
            report.wrong.push(format!("{what}: {found}, and {most} were allowed"));
        }
    };
    bound("memory a minute later, in bytes", last.own, AFTER);
    bound("memory under load, in bytes", most.own, UNDER_LOAD);
    bound("handles", most.handles as u64, (first.handles + HANDLES) as u64);
    // Between two looks a sixteenth is written, and one output of a quarter; the event log isn't included.
    bound("disk, in bytes", most.disk, BUDGET + BUDGET / 2 + 64 * MB);
    report.text = format!(
        "{calls} calls and events in {} min; at most {} MB of its own, {} handles, {} MB on the disk; a minute later {} MB of its own ({} MB resident)",
        since.elapsed().as_secs() / 60,
        most.own / MB,
        most.handles,
        most.disk / MB,
        last.own / MB,
        last.resident / MB
    );
    Ok(report)
}

/// One round of everything; how many calls and events it was.
fn round(scratch: &Scratch, server: &mut Server, done: u64) -> Result<u64> {
    let mut count = 0;
    let mut call = |tool: &str, arguments| -> Result<()> {
        count += 1;
        server.call(tool, arguments).map(drop)
    };
    let lines = |n: u64| {
        format!(
            "i=0; while [ $i -lt {n} ]; do echo \"line $i of round {done}: request took $((i * 7919 % 1000)) ms\"; i=$((i+1)); done"
        )
    };
    for n in 0..6 {
        call("execute", json!({"language": "shell", "code": format!("echo {n} {done}")}))?;
    }
    call("execute", json!({"language": "shell", "code": lines(3_000)}))?;
    call("execute", json!({"language": "shell", "code": lines(1_500), "intent": "request 77"}))?;
    let commands = json!([{"label": "a", "command": lines(500)}, {"label": "b", "command": "git status"}]);
    call("batch", json!({"commands": commands, "queries": ["line 44"]}))?;
    call("search", json!({"queries": ["request took"]}))?;
    call(
        "index",
        json!({"content": format!("Note {done}. The load line is painted on both sides."), "source": format!("note {}", done % 50)}),
    )?;
    if done.is_multiple_of(13) {
        call("execute", json!({"language": "shell", "code": "seq 1 200000", "background": true}))?;
    }
    if done.is_multiple_of(29) {
        // Larger than the limit in memory, and than one output's limit.
        let flood = "yes 'information about nothing in particular' | head -c 60000000";
        call("execute", json!({"language": "shell", "code": flood}))?;
    }
    for kind in ["PreToolUse", "PostToolUse"] {
        let output = "src/cart.rs:12: the total\n".repeat(if kind == "PostToolUse" { 2_000 } else { 0 });
        let event = json!({"session_id": "soak", "transcript_path": scratch.home.join("soak.jsonl"),
            "cwd": scratch.project, "permission_mode": "default", "hook_event_name": kind, "tool_name": "Bash",
            "tool_input": {"command": "grep -rn total ."}, "tool_use_id": format!("t{done}"),
            "tool_response": {"stdout": output, "stderr": "", "interrupted": false, "isImage": false}});
        hook(scratch, &event.to_string())?;
        count += 1;
    }
    let mut run = scratch.command(sidecar());
    run.args(["run", "--agent", "claude-code", "--session", "soak", "--", "seq", "1", "60000"]);
    run.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    Ok(count + 1)
}

fn hook(scratch: &Scratch, payload: &str) -> Result<()> {
    let mut command: Command = scratch.command(sidecar());
    command.args(["hook", "claude-code"]).env("CLAUDECODE", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(payload.as_bytes())?;
    }
    child.wait()?;
    Ok(())
}

fn observe(scratch: &Scratch, pid: u32) -> Observation {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let own = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let own = own.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024;
    Observation {
        own,
        resident: process::resident(pid).unwrap_or(0),
        handles: std::fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count),
        disk: bytes_below(&scratch.home.join(".plimsoll")),
    }
}

fn bytes_below(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let of = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => bytes_below(&entry.path()),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    };
    entries.map(of).sum()
}
