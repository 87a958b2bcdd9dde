//! The law of shortening, per host: the model never receives more than this host would have shown it, and the full
//! output is at its address. Every capture of every built-in filter is tried unchanged and grown past each host's
//! limits, and so are texts that no filter knows.
//!
//! The hosts are imitated as measured (Claude Code 2.1.197 and 2.1.330, Codex 0.169.0, Gemini CLI 0.61.0, OpenCode
//! 1.18.33, Copilot CLI 1.0.102), independently of the product's own tables.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

use std::path::{Path, PathBuf};

use home::{Clock, Env, Home};
use plimsoll_hooks::{Context, handle};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

static SYSTEMS: &[&system::System] = &[&memory::SYSTEM];

#[derive(Debug, Clone, Copy)]
enum Host {
    Claude,
    ClaudeTool,
    Codex,
    Gemini,
    OpenCode,
    Copilot,
}

const HOSTS: [Host; 6] =
    [Host::Claude, Host::ClaudeTool, Host::Codex, Host::Gemini, Host::OpenCode, Host::Copilot];

struct World {
    dir: TempDir,
    home: Home,
    env: Env,
}

/// A host's handling of an output: what its hook gets, and what its model would see.
struct Seen {
    agent: &'static str,
    event: Option<&'static str>,
    payload: Value,
    shown: String,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let user = std::fs::canonicalize(dir.path()).unwrap();
        std::fs::create_dir_all(user.join("shop")).unwrap();
        let env = Env::for_test(&user).with("CLAUDECODE", "1").with_cwd(user.join("shop"));
        Self { home: Home::at(user.join(".plimsoll")), env, dir }
    }

    /// The host's file with the full output.
    fn kept(&self, text: &str) -> PathBuf {
        let path = self.dir.path().join("k");
        std::fs::write(&path, text).unwrap();
        path
    }

    fn seen(&self, host: Host, command: &str, exit: i32, text: &str) -> Option<Seen> {
        let cwd = self.dir.path().join("shop");
        match host {
            // A failing command reaches no hook that could replace its output.
            Host::Claude if exit != 0 => None,
            Host::Claude => {
                let text = text.trim_end();
                let mut response =
                    json!({"stdout": text, "stderr": "", "interrupted": false, "isImage": false});
                let mut shown = text.to_owned();
                if text.len() > 30_000 {
                    let path = self.kept(text);
                    response["stdout"] = json!(text[..text.floor_char_boundary(30_000)]);
                    response["persistedOutputPath"] = json!(path);
                    shown = preview(text, &path);
                }
                let payload = json!({"hook_event_name": "PostToolUse", "session_id": "s", "cwd": cwd,
                    "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t", "tool_response": response});
                Some(Seen { agent: "claude-code", event: None, payload, shown })
            }
            Host::ClaudeTool => {
                let shown = if text.encode_utf16().count() > 50_000 {
                    preview(&json!([{"type": "text", "text": text}]).to_string(), Path::new("/k"))
                } else {
                    text.to_owned()
                };
                let payload = json!({"hook_event_name": "PostToolUse", "session_id": "s", "cwd": cwd,
                    "tool_name": "mcp__docs__read", "tool_input": {}, "tool_use_id": "t",
                    "tool_response": [{"type": "text", "text": text}]});
                Some(Seen { agent: "claude-code", event: None, payload, shown })
            }
            // Another model is shown more; the limit of a replacement is the same.
            Host::Codex => {
                let limit = if command.len().is_multiple_of(2) { 10_000 } else { 40_000 };
                Some(self.codex(command, exit, text, limit))
            }
            Host::Gemini => {
                let code = if exit == 0 { String::new() } else { format!("\nExit Code: {exit}") };
                let framed = format!(
                    "<untrusted_context>\nOutput: {}{code}\nProcess Group PGID: 7\n</untrusted_context>",
                    text.trim_end()
                );
                let payload = json!({"hook_event_name": "AfterTool", "session_id": "s", "cwd": cwd,
                    "tool_name": "run_shell_command", "tool_input": {"command": command},
                    "tool_response": {"llmContent": framed, "returnDisplay": text}});
                let units: Vec<char> = framed.chars().collect();
                let shown = if framed.encode_utf16().count() > 40_000 {
                    let (head, tail) =
                        (units[..8_000].iter(), units[units.len() - 32_000.min(units.len())..].iter());
                    head.chain(tail).collect()
                } else {
                    framed
                };
                Some(Seen { agent: "gemini-cli", event: None, payload, shown })
            }
            Host::OpenCode => {
                let lines = text.lines().count();
                let mut output = json!({"failed": exit != 0, "exit": exit, "mcp": false});
                let mut shown = text.to_owned();
                if text.len() > 51_200 || lines > 2_000 {
                    let from = text.ceil_char_boundary(text.len().saturating_sub(51_200));
                    let end: Vec<&str> = text[from..].lines().collect();
                    let end = end[end.len().saturating_sub(2_000)..].join("\n");
                    let path = self.kept(text);
                    output["full"] = json!(path);
                    shown = format!(
                        "...output truncated...\n\nFull output saved to: {}\n\n{end}",
                        path.display()
                    );
                }
                output["text"] = json!(shown);
                let payload = json!({"host": "opencode", "event": "tool.execute.after", "session": "s", "directory": cwd,
                    "tool": "bash", "args": {"command": command}, "output": output});
                Some(Seen { agent: "opencode", event: None, payload, shown })
            }
            Host::Copilot => {
                let mut shown = text.trim_end().to_owned();
                if shown.len() > 20_480 {
                    let path = self.kept(text);
                    let start: String = text.chars().take(500).collect();
                    shown = format!(
                        "Output too large to read at once (58.6 KB). Saved to: {}\nConsider using tools like grep (for searching), head/tail (for viewing start/end), view with view_range (for specific sections), or jq (for JSON) to examine portions of the output.\n\nPreview (first 500 chars):\n{start}",
                        path.display()
                    );
                }
                shown = format!("{shown}\n<shellId: 0 completed with exit code {exit}>");
                let payload = json!({"sessionId": "s", "timestamp": 1, "cwd": cwd, "toolName": "bash",
                    "toolArgs": {"command": command}, "toolResult": {"resultType": "success", "textResultForLlm": shown}});
                Some(Seen { agent: "copilot-cli", event: Some("postToolUse"), payload, shown })
            }
        }
    }

    /// Codex tells its hook what the model is shown, and first writes the full output and the exit code to its own
    /// record.
    fn codex(&self, command: &str, exit: i32, text: &str, limit: usize) -> Seen {
        let tokens = text.len().div_ceil(4);
        let ends = |most: usize, mark: &str| {
            let head = text.floor_char_boundary(most / 2);
            let tail = text.ceil_char_boundary(text.len() - (most - most / 2));
            format!("{}{mark}{}", &text[..head], &text[tail..])
        };
        let told = if text.len() > limit {
            let mark = format!("…{} tokens truncated…", (text.len() - limit) / 4);
            let lines = text.lines().count();
            format!(
                "Warning: truncated output (original token count: {tokens})\nTotal output lines: {lines}\n\n{}",
                ends(limit, &mark)
            )
        } else {
            text.to_owned()
        };
        let recorded = if text.len() > 65_536 {
            let mark = "\n\n... command output truncated for persistence ...\n\n";
            ends(65_536 - mark.len(), mark)
        } else {
            text.to_owned()
        };
        let rollout = self.dir.path().join("rollout-t.jsonl");
        let line = json!({"type": "event_msg", "payload": {"type": "item_completed", "item": {
            "type": "CommandExecution", "id": "t", "command": ["/bin/bash", "-lc", command],
            "aggregated_output": recorded, "exit_code": exit}}});
        std::fs::write(&rollout, format!("{line}\n")).unwrap();
        let payload = json!({"hook_event_name": "PostToolUse", "session_id": "s", "cwd": self.dir.path().join("shop"),
            "transcript_path": rollout, "model": "gpt-5.4", "tool_name": "Bash", "tool_input": {"command": command},
            "tool_use_id": "t", "tool_response": told});
        let shown = format!(
            "Chunk ID: 0419a2\nWall time: 0.0000 seconds\nProcess exited with code {exit}\nOriginal token count: {tokens}\nOutput:\n{told}"
        );
        Seen { agent: "codex", event: None, payload, shown }
    }

    /// What the model receives with Plimsoll; `None` if the output is left alone.
    fn received(&self, seen: &Seen) -> Option<String> {
        let agent = agents::by_id(seen.agent).unwrap();
        let clock = Clock::fixed(1_800_000_000_000);
        let context = Context { home: &self.home, env: &self.env, clock, agent, systems: SYSTEMS };
        let result = handle(seen.payload.to_string().as_bytes(), seen.event, &context);
        let reply: Value = serde_json::from_str(&result.output.stdout).ok()?;
        let new = &reply["hookSpecificOutput"]["updatedToolOutput"];
        [
            &new["stdout"],
            &new[0]["text"],
            &reply["reason"],
            &reply["output"],
            &reply["modifiedResult"]["textResultForLlm"],
        ]
        .into_iter()
        .find_map(Value::as_str)
        .map(str::to_owned)
    }

    /// The full output at the address in `text`.
    fn whole(&self, text: &str) -> Option<String> {
        let id = text.rsplit_once("plimsoll://task/")?.1.split(']').next()?;
        std::fs::read_to_string(self.home.tasks_dir().join(id).join("output.log")).ok()
    }

    /// The law for one output on one host.
    fn check_law(&self, host: Host, command: &str, exit: i32, text: &str) -> bool {
        // Each output is the first of its conversation: a repeated one becomes a line that says so.
        let _ = std::fs::remove_dir_all(self.home.cache_dir().join("reads"));
        let Some(seen) = self.seen(host, command, exit, text) else { return false };
        let Some(received) = self.received(&seen) else { return false };
        let printed = format!(
            "{host:?} {command}, {} bytes: {} shown, {} received",
            text.len(),
            seen.shown.len(),
            received.len()
        );
        assert!(received.len() <= seen.shown.len(), "{printed}\n{received}");
        assert!(received.contains("plimsoll://task/"), "{printed}: no address\n{received}");
        let whole = self.whole(&received).unwrap_or_default();
        // A last line that looks like Gemini CLI's own stays in its frame.
        let redacted = text::redact(text);
        let kept = match host {
            Host::Codex => whole.trim() == redacted.trim(),
            _ => whole.trim_end().len() >= redacted.trim().len() / 2,
        };
        assert!(kept, "{printed}: {} kept", whole.len());
        if seen.agent == "codex" {
            assert!(
                received.starts_with(&format!("Process exited with code {exit}\nOutput:\n")),
                "{printed}"
            );
            assert!(received.len() <= 10_000, "{printed}: it will be cut");
            assert!(text.len() <= 65_536, "{printed}: nobody has the whole");
        }
        let _ = std::fs::remove_dir_all(self.home.tasks_dir());
        true
    }
}

/// Claude Code's preview of an output that it keeps in a file.
fn preview(text: &str, path: &Path) -> String {
    let start: String = text.chars().take(2_000).collect();
    let end = start.rfind('\n').filter(|end| *end > start.len() / 2).unwrap_or(start.len());
    // Its folder is deep; the shortest one seen.
    format!(
        "<persisted-output>\nOutput too large (29.4KB). Full output saved to: {:0>89}\n\nPreview (first 2KB):\n{}\n...\n</persisted-output>",
        path.display(),
        &start[..end]
    )
}

/// Every case of every built-in filter: its command, exit code and input.
fn captures() -> Vec<(String, i32, String)> {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../filters/builtin");
    let mut found = Vec::new();
    for family in std::fs::read_dir(root).unwrap().flatten() {
        for file in std::fs::read_dir(family.path()).into_iter().flatten().flatten().map(|file| file.path()) {
            if file.extension().is_some_and(|extension| extension == "toml") {
                let text = std::fs::read_to_string(&file).unwrap();
                for case in filters::Filter::parse(&text, &file.display().to_string()).unwrap().cases {
                    let input = case.input_file.map(|name| std::fs::read(family.path().join(name)).unwrap());
                    let input = input.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                    found.push((
                        case.command,
                        case.exit.unwrap_or(0),
                        input.or(case.input).unwrap_or_default(),
                    ));
                }
            }
        }
    }
    assert!(found.len() > 200, "{}", found.len());
    found
}

/// `text` repeated until it has `size` bytes.
fn grown(text: &str, size: usize) -> String {
    let mut out = String::with_capacity(size + text.len());
    while out.len() < size && !text.is_empty() {
        out.push_str(text);
        if !text.ends_with('\n') {
            out.push('\n');
        }
    }
    out.truncate(out.floor_char_boundary(size));
    out
}

#[test]
fn the_law_applies_to_every_capture_on_every_host() {
    let world = World::new();
    let mut replaced = [0; HOSTS.len()];
    for (at, (command, exit, text)) in captures().into_iter().enumerate() {
        // Alternately just below and above a limit: all of them for each would take minutes.
        let sizes = [20_400, 20_600, 29_900, 30_200, 39_000, 52_000, 61_000];
        let grown = grown(&text, sizes[at % sizes.len()]);
        for (number, (host, replaced)) in HOSTS.into_iter().zip(&mut replaced).enumerate() {
            *replaced += usize::from(world.check_law(host, &command, exit, &text));
            if at % HOSTS.len() == number {
                *replaced += usize::from(world.check_law(host, &command, exit, &grown));
            }
        }
    }
    assert!(replaced.iter().all(|count| *count > 20), "{replaced:?}: nothing was tried");
}

#[test]
fn the_law_applies_around_every_limit_of_every_host() {
    let world = World::new();
    let lines: String = (0..9_000).map(|n| format!("{n:06} served a request in {} ms\n", n % 97)).collect();
    let errors: String =
        (0..3_000).map(|n| format!("src/a{}.rs:{n}:7: error: no such thing {n}\n", n % 24)).collect();
    let one = "word ".repeat(20_000);
    let wide = "漢字かな\n".repeat(9_000);
    for text in [&lines, &errors, &one, &wide] {
        for limit in [5_000, 10_000, 20_480, 30_000, 40_000, 50_000, 51_200, 66_000] {
            for size in [limit, limit + 1] {
                let text = &text[..text.floor_char_boundary(size)];
                for host in HOSTS {
                    for command in ["./deploy --all", "cat notes.txt", "grep -rn x ."] {
                        world.check_law(host, command, 0, text);
                    }
                    world.check_law(host, "make", 2, text);
                }
            }
        }
    }
}

/// Copilot CLI leaves lines out of what some commands print, here what was installed, and names the file with all of them.
#[test]
fn what_copilot_has_chosen_is_replaced_if_all_that_matters_is_no_longer() {
    let world = World::new();
    let whole = include_str!("../../filters/builtin/python/cases/pip-install.txt");
    let path = world.dir.path().join("original-output-1796052519047-b1cdd24186274667b8b9d405a14de284.txt");
    std::fs::write(&path, whole).unwrap();
    let chosen = "  Installing build dependencies: started\n  Installing build dependencies: finished with status 'done'\n";
    let only = "; only use if exact omitted lines are needed.";
    // Where the file isn't named as it's known, nobody knows the whole.
    for (times, only, is_replaced) in [(8, only, true), (0, only, false), (80, "", false)] {
        let shown = format!(
            "Shell output was automatically compacted. Compacted output below. Original at {}{only}\n\n[pip install progress: omitted 76 non-diagnostic line(s)]\n{}\n<shellId: 16 completed with exit code 0>",
            path.display(),
            chosen.repeat(times)
        );
        let payload = json!({"sessionId": "s", "timestamp": 1, "cwd": world.dir.path().join("shop"), "toolName": "bash",
            "toolArgs": {"command": "pip install -r requirements.txt"},
            "toolResult": {"resultType": "success", "textResultForLlm": shown}});
        let seen = Seen { agent: "copilot-cli", event: Some("postToolUse"), payload, shown };
        let received = world.received(&seen);
        assert_eq!(received.is_some(), is_replaced, "{times}: {received:?}");
        let Some(received) = received else { continue };
        assert!(received.len() <= seen.shown.len(), "{received}");
        assert!(received.contains("Successfully installed PySocks-1.7.1 "), "{received}");
        assert!(world.whole(&received).unwrap().contains("Collecting flask>=3"), "{received}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]
    #[test]
    fn the_law_applies_to_any_text(line in "[ -~é漢]{0,300}", odd in "[ -~]{0,80}", size in 0usize..70_000, exit in 0i32..2, at in 0usize..6) {
        let world = World::new();
        let mut text = grown(&line, size);
        text.insert_str(text.floor_char_boundary(size / 2), &format!("\nerror: {odd}\n"));
        world.check_law(HOSTS[at], "./anything", exit, &text);
    }
}
