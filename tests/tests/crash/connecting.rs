//! Killed while agents' files are connected and disconnected.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use plimsoll_tests::{Scratch, Server, Tree, sidecar};
use serde_json::json;

use crate::kill_timing::{Hit, Pace};
use crate::state::databases_are_sound;

/// Users' content in their agents' files, with comments, hooks and servers of their own.
const CONFIGS: [(&str, &str); 6] = [
    (".claude.json", "{\n  \"numStartups\": 3,\n  \"mcpServers\": {\"mine\": {\"command\": \"true\"}}\n}\n"),
    (
        ".claude/settings.json",
        "{\n    \"permissions\": { \"deny\": [\"Bash(shred:*)\"] },\n    \"hooks\": {\n        \"PreToolUse\": [ { \"matcher\": \"Bash\", \"hooks\": [ { \"type\": \"command\", \"command\": \"true # mine\" } ] } ]\n    }\n}",
    ),
    (".codex/config.toml", "# my own choices\r\nhide_agent_reasoning = true   # quiet\r\n"),
    (
        ".codex/hooks.json",
        "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"true\"}]}]}}",
    ),
    (".gemini/settings.json", "{\n\t// mine\n\t\"ui\": { \"hideBanner\": true }\n}\n"),
    (".copilot/mcp-config.json", "{ \"mcpServers\": {} }\n"),
];

const CONFIG_FOLDERS: [&str; 5] = [".claude.json", ".claude", ".codex", ".gemini", ".copilot"];

/// When each of the files was last replaced.
fn stamps(scratch: &Scratch) -> Vec<Option<SystemTime>> {
    let written =
        |path: &str| std::fs::metadata(scratch.home.join(path)).and_then(|meta| meta.modified()).ok();
    CONFIGS.iter().map(|(path, _)| written(path)).collect()
}

#[test]
fn killed_while_connecting() {
    let scratch = Scratch::new().unwrap();
    for (path, text) in CONFIGS {
        let path = scratch.home.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let configs = || Tree::of(&scratch.home, &CONFIG_FOLDERS);
    let agents = ["claude-code", "codex", "gemini-cli", "copilot-cli"];
    let arguments = |command: &'static str| {
        let mut arguments = vec![command];
        arguments.extend(agents);
        arguments.push("--yes");
        arguments
    };
    let before = configs();
    let start = |command: &'static str| {
        let mut child = scratch.command(sidecar());
        child.args(arguments(command)).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        child.spawn().unwrap()
    };
    // Most of its time it detects and verifies. The kills must hit between its first file and its last.
    let mut child = start("connect");
    let (mut first, mut last, mut seen) = (None, Instant::now(), stamps(&scratch));
    while child.try_wait().unwrap().is_none() {
        let now = stamps(&scratch);
        if now != seen {
            last = Instant::now();
            first.get_or_insert(last);
            seen = now;
        }
    }
    assert!(child.wait().unwrap().success());
    let takes = last.duration_since(first.expect("connecting writes")) + Duration::from_millis(1);
    let mut pace = Pace::new(takes, 0.1);
    let connected = configs();
    assert!(
        CONFIGS.iter().all(|(path, _)| connected.0[Path::new(path)] != before.0[Path::new(path)]),
        "{connected:?}"
    );
    scratch.plimsoll(&arguments("disconnect")).unwrap();
    assert_eq!(configs().changed_files(&before), Vec::<PathBuf>::new());

    let mut left = 0;
    while let Some((round, moment)) = pace.next() {
        let ways = [("connect", &before, &connected), ("disconnect", &connected, &before)];
        // Whichever of the two is killed, the other follows undisturbed.
        for (turn, (command, from, to)) in ways.into_iter().enumerate() {
            if turn as u32 != round % 2 {
                scratch.plimsoll(&arguments(command)).unwrap();
                continue;
            }
            let untouched = stamps(&scratch);
            let mut child = start(command);
            while stamps(&scratch) == untouched && child.try_wait().unwrap().is_none() {}
            std::thread::sleep(moment);
            child.kill().unwrap();
            child.wait().unwrap();
            let now = configs();
            for path in from.0.keys().chain(to.0.keys()) {
                let bytes = now.0.get(path);
                assert!(
                    bytes == from.0.get(path) || bytes == to.0.get(path),
                    "round {round}: {} is torn after {command}: {}",
                    path.display(),
                    bytes.map(|bytes| String::from_utf8_lossy(bytes)).unwrap_or_default()
                );
            }
            let changed = now.changed_files(from).len();
            let begun = changed > 0;
            let done = if now.changed_files(to).iter().any(|path| to.0.contains_key(path)) { 0 } else { 1 };
            pace.learn(Hit::of(done, 1, begun));
            left +=
                now.0.keys().filter(|path| !from.0.contains_key(*path) && !to.0.contains_key(*path)).count();
            // The same again finishes it.
            scratch.plimsoll(&arguments(command)).unwrap();
            let now = configs();
            let differs: Vec<PathBuf> = now
                .changed_files(to)
                .into_iter()
                .filter(|path| from.0.contains_key(path) || to.0.contains_key(path))
                .collect();
            assert_eq!(differs, Vec::<PathBuf>::new(), "round {round}: {command} again does not finish it");
        }
        let mut server = Server::start(&scratch).unwrap();
        server.call("manage", json!({"action": "stats"})).unwrap();
        databases_are_sound(&scratch);
    }
    let stray: Vec<PathBuf> = configs()
        .0
        .into_keys()
        .filter(|path| !before.0.contains_key(path) && !connected.0.contains_key(path))
        .collect();
    eprintln!(
        "connecting and disconnecting: {pace}; {left} passing files seen, {} left: {stray:?}",
        stray.len()
    );
}
