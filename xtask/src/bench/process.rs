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
    let long = |failed: bool| {
        let response = serde_json::json!({"stdout": build_output(failed), "stderr": "", "interrupted": false, "isImage": false});
        let tool = ",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"make all\"},\"tool_use_id\":\"t\"";
        event("PostToolUse", &format!("{tool},\"tool_response\":{response}"))
    };
    let (passed, failed) = (long(false), long(true));
    let ours = |payload: &str| {
        let mut command = Command::new(sidecar);
        command
            .args(["hook", "claude-code"])
            .current_dir(scratch.join("project"))
            .env("HOME", scratch)
            .env("CLAUDECODE", "1");
        measure_process(command, payload)
    };
    let empty = || measure_process(Command::new("/bin/true"), "");
    // One round to fill caches and create the database, then they alternate, so that a busy moment hits all of them.
    ours(&before)?;
    let mut rows: [Vec<Cost>; 6] = Default::default();
    for _ in 0..200 {
        rows[0].push(empty()?);
        rows[1].push(ours(&before)?);
        rows[2].push(ours(&after)?);
        rows[4].push(ours(&passed)?);
        rows[5].push(ours(&failed)?);
    }
    if let Some(rival) = rival {
        for _ in 0..10 {
            let command = rival.command(scratch, &["hook", "claude-code", "pretooluse"]);
            rows[3].push(measure_process(command, &before)?);
        }
    }
    let [floor, pre, post, theirs, passed, failed] = rows.map(|row| Cost {
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
    let [none, many] = with_memories(sidecar, scratch, &event)?;
    Ok(vec![
        Figure {
            what: format!("hook at a prompt, among {MEMORIES} memories, whole process"),
            ours: shown(many),
            baseline: format!("without any: {}", shown(none)),
            goal: "≤ without + 2 ms".into(),
        },
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
        Figure {
            what: "the same with 27 KB of a build's output, which it shortens".into(),
            ours: shown(passed),
            baseline: format!("/bin/true {:.1} ms", floor.wall),
            goal: "≤ 10 ms".into(),
        },
        Figure {
            what: "the same where the build failed, which it looks up".into(),
            ours: shown(failed),
            baseline: format!("/bin/true {:.1} ms", floor.wall),
            goal: "≤ 10 ms".into(),
        },
    ])
}

/// A build's output: 330 compiler calls, a warning now and then, and its result.
fn build_output(failed: bool) -> String {
    let mut out = String::new();
    for n in 0..330 {
        let folder = format!("lib{}/mod{n}", n % 7);
        out += &format!("gcc -O2 -Wall -Iinclude -c src/{folder}.c -o build/{folder}.o\n");
        if n % 40 == 0 {
            out += &format!("src/{folder}.c:{n}:9: warning: unused variable 'x{n}' [-Wunused-variable]\n");
        }
        out += if n % 3 == 0 { "ar rcs build/libshop.a build/lib.o\n" } else { "" };
    }
    out + if failed { "make: *** [Makefile:12: all] Error 2\n" } else { "done\n" }
}

/// So many memories.
const MEMORIES: usize = 10_000;

/// A hook at a prompt without any memory and among many, in turns, so that a busy moment hits both. Each prompt is
/// the first of a session and asks for something that one memory in twenty mentions.
fn with_memories(sidecar: &Path, scratch: &Path, event: &dyn Fn(&str, &str) -> String) -> Result<[Cost; 2]> {
    let homes = ["without", "among"].map(|name| scratch.join(name));
    for home in &homes {
        std::fs::create_dir_all(home)?;
    }
    let ours = |home: &Path| {
        let mut command = Command::new(sidecar);
        command
            .current_dir(scratch.join("project"))
            .env("HOME", scratch)
            .env("PLIMSOLL_HOME", home)
            .env("CLAUDECODE", "1");
        command
    };
    let words =
        ["harbour", "invoice", "parser", "tide", "ballast", "winch", "ledger", "beacon", "hull", "quay"];
    let word = |n: usize| words[n % words.len()];
    let memories: Vec<serde_json::Value> = (0..MEMORIES)
        .map(|n| {
            let content = format!(
                "The {} of the {}{} answers to rule {} of the {} since it was moved there, number {n}",
                word(n),
                word(n / 10),
                n % 200,
                n % 97,
                word(n / 100)
            );
            serde_json::json!({"content": content, "namespace": "learnings"})
        })
        .collect();
    let file = scratch.join("memories.json");
    std::fs::write(&file, serde_json::to_vec(&memories)?)?;
    let imported = ours(&homes[1]).args(["memory", "import"]).arg(&file).stdout(Stdio::null()).status()?;
    anyhow::ensure!(imported.success(), "the memories could not be imported");
    let mut rows: [Vec<Cost>; 2] = Default::default();
    for n in 0..200 {
        let prompt =
            format!(",\"prompt\":\"Why does the {} of the {}{n} answer to a rule?\"", word(n), word(n / 10));
        let payload = event("UserPromptSubmit", &prompt).replace("\"bench\"", &format!("\"bench-{n}\""));
        for (home, row) in homes.iter().zip(&mut rows) {
            let mut command = ours(home);
            command.args(["hook", "claude-code"]);
            row.push(measure_process(command, &payload)?);
        }
    }
    Ok(rows.map(|row| Cost {
        wall: median(&mut row.iter().map(|cost| cost.wall).collect::<Vec<_>>()),
        cpu: median(&mut row.iter().map(|cost| cost.cpu).collect::<Vec<_>>()),
    }))
}

fn measure_process(mut command: Command, payload: &str) -> Result<Cost> {
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let cpu_before = children_cpu()?;
    let started = Instant::now();
    let mut child = command.spawn().with_context(|| format!("starting {command:?}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that doesn't read its input closes it; that isn't a failure here.
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
