//! The same command failing again and again, each time reported to its own hook process: only files connect them. The
//! test starts itself as the hook.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use home::{Clock, Env, Home};
use plimsoll_hooks::{Context, handle, record};
use serde_json::{Value, json};

static SYSTEMS: &[&system::System] = &[&memory::SYSTEM];

const FOLDER: &str = "PLIMSOLL_TEST_FOLDER";
const PAYLOAD: &str = "PLIMSOLL_TEST_PAYLOAD";
const NOW: i64 = 1_800_000_000_000;

/// Does nothing unless a test of this file started it.
#[test]
fn role() {
    let (Some(folder), Ok(payload)) = (std::env::var_os(FOLDER), std::env::var(PAYLOAD)) else { return };
    let folder = PathBuf::from(folder);
    let (home, env) = (Home::at(folder.join(".plimsoll")), Env::for_test(&folder).with("CLAUDECODE", "1"));
    let agent = agents::by_id("claude-code").unwrap();
    let context = Context { home: &home, env: &env, clock: Clock::fixed(NOW), agent, systems: SYSTEMS };
    let result = handle(payload.as_bytes(), None, &context);
    println!("told={}", result.output.stdout);
    record(&home, SYSTEMS, Clock::fixed(NOW), &result, 7).unwrap();
}

/// Runs a hook and returns what the model is told.
fn hook(folder: &Path, payload: &Value) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "role", "--nocapture"])
        .env(FOLDER, folder)
        .env(PAYLOAD, payload.to_string())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let stdout = text.split("told=").nth(1).unwrap().lines().next().unwrap();
    let value: Value = serde_json::from_str(stdout).unwrap_or_default();
    value["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}

fn ran(session: &str, command: &str, failed: bool) -> Value {
    let mut payload = json!({"session_id": session, "cwd": "/w/shop", "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_input": {"command": command}, "tool_response": {"stdout": "ok", "stderr": "", "interrupted": false}});
    if failed {
        payload["hook_event_name"] = json!("PostToolUseFailure");
        payload["error"] = json!("Exit code 1\nerror: `<b>boom</b>`");
    }
    payload
}

#[test]
fn the_third_failure_in_a_row_is_reported_once() {
    let dir = tempfile::tempdir().unwrap();
    let failed = |session: &str, command: &str| hook(dir.path(), &ran(session, command, true));
    let passed = |session: &str, command: &str| hook(dir.path(), &ran(session, command, false));
    assert_eq!(failed("s-1", "cargo test -p shop 2>&1"), "");
    assert_eq!(failed("s-1", "cargo test -p bank"), "", "another command");
    assert_eq!(failed("s-1", "cd /w && cargo test -p shop"), "", "the second time");
    assert_eq!(failed("s-2", "cargo test -p shop"), "", "another session");
    assert_eq!(
        failed("s-1", "cargo test -p shop"),
        "\"cargo test -p shop\" has now failed 3 times in this session, with no success in between."
    );
    assert_eq!(failed("s-1", "cargo test -p shop"), "", "once");
    // A success in between ends the loop.
    for _ in 0..2 {
        assert_eq!(failed("s-3", "make <b>`x`</b>"), "");
    }
    assert_eq!(passed("s-3", "make <b>`x`</b>"), "");
    for _ in 0..2 {
        assert_eq!(failed("s-3", "make check"), "");
    }
    let printed = failed("s-3", "make check");
    assert!(printed.contains("make check") && printed.contains("3 times"), "{printed}");
    // A subagent's repetitions are its own.
    for _ in 0..4 {
        let mut payload = ran("s-4", "make", true);
        payload["agent_id"] = json!("a-1");
        payload["agent_type"] = json!("Explore");
        assert_eq!(hook(dir.path(), &payload), "");
    }
}

#[test]
fn an_ordinary_event_opens_no_database() {
    let dir = tempfile::tempdir().unwrap();
    hook(
        dir.path(),
        &json!({"session_id": "s", "cwd": "/w", "hook_event_name": "UserPromptSubmit", "prompt": "Never stop."}),
    );
    hook(dir.path(), &ran("s", "cargo test", false));
    let home = Home::at(dir.path().join(".plimsoll"));
    assert!(!home.main_db().exists());
    assert!(std::fs::metadata(sessions::pending_path(&home)).unwrap().len() > 0);
}
