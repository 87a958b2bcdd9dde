//! Only fetching a requested page needs a network, and nothing uses one unasked: the sidecar works with the network cut, and its
//! system calls are watched.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use plimsoll_tests::{Scratch, Server, sidecar};
use serde_json::json;

/// The words that start a command without a network; `None` if the system doesn't allow it.
fn cutting() -> Option<&'static [&'static str]> {
    let ways: [&[&str]; 2] = [&["unshare", "-n"], &["unshare", "-r", "-n"]];
    let found = ways.into_iter().find(|way| works(way));
    if found.is_none() {
        skipped::without("unshare", "this system does not let us cut the network (unshare -n)");
    }
    found
}

fn works(way: &[&str]) -> bool {
    let mut command = Command::new(way[0]);
    command.args(&way[1..]).arg("true").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The sidecar behind those words, in this scratch home.
fn behind(scratch: &Scratch, words: &[&str], arguments: &[&str]) -> Command {
    let mut command = scratch.command(words[0]);
    command.args(&words[1..]).arg(sidecar()).args(arguments);
    command
}

fn lay_out(scratch: &Scratch) {
    let docs = scratch.project.join("docs");
    std::fs::create_dir_all(&docs).unwrap();
    std::fs::write(docs.join("harbour.md"), "# Harbour\n\nThe pilot boat is called marmalade.\n").unwrap();
    std::fs::write(docs.join("light.md"), "# Light\n\nThe lamp turns every zwanzig seconds.\n").unwrap();
    std::fs::create_dir_all(scratch.home.join(".claude")).unwrap();
    std::fs::write(
        scratch.home.join(".claude/settings.json"),
        r#"{"permissions":{"deny":["Bash(shred:*)"]}}"#,
    )
    .unwrap();
}

/// A session that uses every local feature.
fn work(server: &mut Server, scratch: &Scratch) {
    let mut say = |tool: &str, arguments: serde_json::Value| {
        let printed = server.call(tool, arguments).unwrap();
        assert!(!printed.failed, "{tool}: {}", printed.text);
        printed.text
    };
    let text = say("execute", json!({"language": "shell", "code": "printf kept-%d 42"}));
    assert_eq!(text, "kept-42\nexit code 0");
    say("index", json!({"content": "# Tides\n\nThe gauge is called blue-heron.\n", "source": "tides"}));
    say("index", json!({"path": scratch.project.join("README.md")}));
    say("index", json!({"path": scratch.project.join("docs"), "source": "docs"}));
    let text = say("search", json!({"queries": ["gauge", "pilot boat", "lamp", "small shop"]}));
    for word in ["blue-heron", "marmalade", "zwanzig", "A small shop"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let batch = json!({"commands": [{"label": "one", "command": "echo oystercatcher"}], "queries": ["oystercatcher"]});
    assert!(say("batch", batch).contains("oystercatcher"));
    say("execute", json!({"language": "shell", "code": "echo later", "background": true}));
    say("task", json!({"action": "list"}));
    say("manage", json!({"action": "stats"}));
    say("manage", json!({"action": "doctor"}));
    say("manage", json!({"action": "purge", "scope": "source:tides", "confirm": true}));
    server.ask("resources/list", json!({})).unwrap();
}

fn hook(scratch: &Scratch, mut command: Command) -> String {
    let payload = json!({"session_id": "s-1", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "cwd": scratch.project, "tool_input": {"command": "shred x"}});
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn done(mut command: Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    // 3: nothing found, nothing to do; 4: something waits for the user.
    assert!(matches!(output.status.code(), Some(0 | 3 | 4)), "{command:?}: {}", both(&output));
    both(&output)
}

fn both(output: &Output) -> String {
    format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn a_session_without_a_network() {
    let Some(cut) = cutting() else { return };
    let scratch = Scratch::new().unwrap();
    lay_out(&scratch);
    let mut server = Server::of(behind(&scratch, cut, &["mcp"])).unwrap();
    work(&mut server, &scratch);
    // The one thing that needs a network says so, names the address, and harms nothing.
    for url in ["https://docs.example.com/page", "https://192.0.2.7/page"] {
        let printed = server.call("index", json!({"url": url})).unwrap();
        assert!(printed.failed, "{}", printed.text);
        assert!(
            printed.text.contains(url.trim_start_matches("https://").trim_end_matches("/page")),
            "{}",
            printed.text
        );
        let plain = printed.text.to_lowercase();
        assert!(
            ["network", "connect", "reach", "resolve"].iter().any(|word| plain.contains(word)),
            "{}",
            printed.text
        );
        eprintln!("{}", printed.text);
    }
    let printed = server.call("search", json!({"queries": ["pilot boat"]})).unwrap();
    assert!(printed.text.contains("marmalade"), "{}", printed.text);
}

#[test]
fn hooks_without_a_network() {
    let Some(cut) = cutting() else { return };
    let scratch = Scratch::new().unwrap();
    lay_out(&scratch);
    let printed = hook(&scratch, behind(&scratch, cut, &["hook", "claude-code", "PreToolUse"]));
    assert!(printed.contains("deny"), "{printed}");
}

#[test]
fn commands_without_a_network() {
    let Some(cut) = cutting() else { return };
    let scratch = Scratch::new().unwrap();
    lay_out(&scratch);
    let run = |arguments: &[&str]| done(behind(&scratch, cut, arguments));
    run(&["index", "docs"]);
    assert!(run(&["search", "pilot boat"]).contains("marmalade"));
    assert!(run(&["sources"]).contains("docs"));
    assert!(run(&["agents"]).contains("Claude Code"));
    let planned = run(&["connect", "claude-code", "--dry-run"]);
    assert!(planned.contains("settings.json"), "{planned}");
    for command in ["doctor", "status", "stats"] {
        run(&[command]);
    }
    run(&["connect", "claude-code", "--yes"]);
    run(&["disconnect", "claude-code", "--yes"]);
}

/// Runs it under `strace`, and returns the lines in which it, or anything it started, contacted an address.
fn spoken(log: &Path) -> Vec<String> {
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("exited with"), "nothing was traced: {log}");
    log.lines().filter(|line| line.contains("AF_INET")).map(str::to_owned).collect()
}

const TRACE: [&str; 3] = ["strace", "-f", "-etrace=connect,sendto,sendmsg,sendmmsg,bind,listen"];

fn tracing(log: &Path) -> Vec<&str> {
    let mut words = TRACE.to_vec();
    words.extend(["-o", log.to_str().unwrap()]);
    words
}

fn can_trace() -> bool {
    let possible = works(&[TRACE[0], TRACE[1], TRACE[2], "-o", "/dev/null"]);
    if !possible {
        skipped::without("strace", "strace is not installed, or may not trace here");
    }
    possible
}

#[test]
fn the_trace_sees_a_connection() {
    if !can_trace() {
        return;
    }
    let scratch = Scratch::new().unwrap();
    let log = scratch.tmp.join("log");
    let words = tracing(&log);
    let status = scratch
        .command(words[0])
        .args(&words[1..])
        .args(["bash", "-c", "echo x > /dev/tcp/127.0.0.1/9; true"])
        .stderr(Stdio::null())
        .status();
    assert!(status.unwrap().success());
    assert_eq!(spoken(&log).len(), 1);
}

#[test]
fn a_session_speaks_to_nobody() {
    if !can_trace() {
        return;
    }
    let scratch = Scratch::new().unwrap();
    lay_out(&scratch);
    let log = scratch.tmp.join("log");
    let mut server =
        Server::of(behind(&scratch, &tracing(&log), &["mcp", "--agent", "claude-code"])).unwrap();
    work(&mut server, &scratch);
    server.close_input();
    assert!(server.ended_within(std::time::Duration::from_secs(30)).unwrap().is_some());
    assert_eq!(spoken(&log), Vec::<String>::new());
}

#[test]
fn a_hook_speaks_to_nobody() {
    if !can_trace() {
        return;
    }
    let scratch = Scratch::new().unwrap();
    lay_out(&scratch);
    let log = scratch.tmp.join("log");
    let printed = hook(&scratch, behind(&scratch, &tracing(&log), &["hook", "claude-code", "PreToolUse"]));
    // Traced, it may be too slow for its own deadline; what counts here is whom it spoke to.
    assert!(printed.is_empty() || printed.contains("deny"), "{printed}");
    assert_eq!(spoken(&log), Vec::<String>::new());
}

#[test]
fn commands_speak_to_nobody() {
    if !can_trace() {
        return;
    }
    let scratch = Scratch::new().unwrap();
    lay_out(&scratch);
    let commands: [&[&str]; 9] = [
        &["agents"],
        &["connect", "claude-code", "--yes"],
        &["verify", "claude-code"],
        &["doctor"],
        &["index", "docs"],
        &["search", "pilot boat"],
        &["status"],
        &["stats"],
        &["disconnect", "claude-code", "--yes"],
    ];
    for (number, arguments) in commands.into_iter().enumerate() {
        let log = scratch.tmp.join(number.to_string());
        done(behind(&scratch, &tracing(&log), arguments));
        assert_eq!(spoken(&log), Vec::<String>::new(), "{arguments:?}");
    }
}
