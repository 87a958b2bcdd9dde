//! Whole processes: wall and CPU time of a hook, beside the smallest program there is and the rival's hook.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};

use super::rival::Rival;
use super::{Figure, median};

/// Wall and CPU time in milliseconds.
#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    cpu: f64,
}

pub(crate) fn measure_hooks(sidecar: &Path, scratch: &Path, rival: Option<&Rival>) -> Result<Vec<Figure>> {
    let event = |kind: &str, extra: &str| {
        format!(
            "{{\"session_id\":\"bench\",\"transcript_path\":\"{home}/.claude/projects/x/bench.jsonl\",\"cwd\":\"{home}/project\",\"permission_mode\":\"default\",\"hook_event_name\":\"{kind}\"{extra}}}",
            home = scratch.display()
        )
    };
    let before = event(
        "PreToolUse",
        ",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls -la src\"},\"tool_use_id\":\"t\"",
    );
    let after = event(
        "PostToolUse",
        ",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"},\"tool_response\":{\"stdout\":\"a\",\"stderr\":\"\",\"interrupted\":false,\"isImage\":false},\"tool_use_id\":\"t\"",
    );
    let ours = |payload: &str| {
        let mut command = Command::new(sidecar);
        command
            .args(["hook", "claude-code"])
            .current_dir(scratch.join("project"))
            .env("HOME", scratch)
            .env("CLAUDECODE", "1");
        cost(command, payload)
    };
    let empty = || cost(Command::new("/bin/true"), "");
    // One round to fill caches and create the database, then the three alternate, so that a busy moment
    // hits all of them.
    ours(&before)?;
    let mut rows: [Vec<Cost>; 4] = Default::default();
    for _ in 0..200 {
        rows[0].push(empty()?);
        rows[1].push(ours(&before)?);
        rows[2].push(ours(&after)?);
    }
    if let Some(rival) = rival {
        for _ in 0..10 {
            let command = rival.command(scratch, &["hook", "claude-code", "pretooluse"]);
            rows[3].push(cost(command, &before)?);
        }
    }
    let [floor, pre, post, theirs] = rows.map(|row| Cost {
        wall: median(&mut row.iter().map(|cost| cost.wall).collect::<Vec<_>>()),
        cpu: median(&mut row.iter().map(|cost| cost.cpu).collect::<Vec<_>>()),
    });
    let shown = |cost: Cost| format!("{:.1} ms wall, {:.1} ms CPU", cost.wall, cost.cpu);
    let against = |cost: Cost| {
        let mut text = format!("/bin/true {:.1} ms ({:.1}×)", floor.wall, cost.wall / floor.wall);
        if !theirs.wall.is_nan() {
            text += &format!("; rival {} ({:.0}× faster)", shown(theirs), theirs.wall / cost.wall);
        }
        text
    };
    let goal = "≤ 5 ms CPU, ≤ 3× /bin/true + 3 ms, ≥ 30× faster";
    Ok(vec![
        Figure {
            what: "hook before a tool, whole process".into(),
            ours: shown(pre),
            baseline: against(pre),
            goal: goal.into(),
        },
        Figure {
            what: "hook after a tool, whole process".into(),
            ours: shown(post),
            baseline: against(post),
            goal: goal.into(),
        },
    ])
}

fn cost(mut command: Command, payload: &str) -> Result<Cost> {
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let cpu_before = children_cpu()?;
    let started = Instant::now();
    let mut child = command.spawn().with_context(|| format!("starting {command:?}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read its input closes it; that is no failure here.
        let _ = stdin.write_all(payload.as_bytes());
    }
    child.wait()?;
    let wall = started.elapsed().as_secs_f64() * 1000.0;
    Ok(Cost { wall, cpu: children_cpu()? - cpu_before })
}

/// CPU time of all ended children so far, in milliseconds.
#[cfg(unix)]
fn children_cpu() -> Result<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("getrusage")?;
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    #[expect(clippy::cast_precision_loss, reason = "microseconds of a benchmark are far below 2^52")]
    Ok(micros as f64 / 1000.0)
}

#[cfg(not(unix))]
fn children_cpu() -> Result<f64> {
    anyhow::bail!("CPU time of children is measured on Unix only")
}
