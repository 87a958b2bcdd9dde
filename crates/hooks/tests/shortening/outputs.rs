//! Replacing an output: it is kept, counted, and never longer than what the agent would have shown.

use serde_json::{Value, json};
use sessions::{EventFilter, LedgerFilter, Page, Sessions};

use super::World;

fn log(commits: usize) -> String {
    (0..commits)
        .map(|n| {
            format!(
                "commit {n:040x}\nAuthor: Ana <ana@example.org>\nDate:   Fri Nov 20 10:11:12 2026 +0100\n\n    Subject {n}\n\n"
            )
        })
        .collect()
}

#[test]
fn what_the_agent_cannot_be_given_is_not_counted() {
    let world = World::new();
    let reply = world.send(
        "claude-code",
        &json!({
            "hook_event_name": "PostToolUse", "session_id": "s-1", "cwd": world.project, "tool_name": "Bash",
            "tool_input": { "command": "git log" }, "tool_use_id": "t",
            "tool_response": { "type": "text", "text": log(60) }
        }),
    );
    assert_eq!(reply, Value::Null);
    let record = Sessions::open(&world.home, &[&memory::GUEST]).unwrap();
    let calls = record.calls(&LedgerFilter::default(), Page { offset: 0, limit: 10 }).unwrap().items;
    assert!(calls.iter().all(|call| call.row.filter.is_empty()), "{calls:?}");
    let events = record.events(&EventFilter::default(), Page { offset: 0, limit: 1 }).unwrap().items;
    assert_eq!(events[0].event.decision, "pass");
}

#[test]
fn an_output_is_replaced_kept_and_counted() {
    let world = World::new();
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let whole = format!("{}    token {secret}\n", log(60));
    let reply = world.after("git log", &whole);
    let shown = reply["hookSpecificOutput"]["updatedToolOutput"]["stdout"].as_str().unwrap();
    assert!(shown.contains("Subject 59") && shown.len() * 2 < whole.len(), "{shown}");
    let id = shown.rsplit_once("plimsoll://task/").unwrap().1.trim_end().trim_end_matches(']');
    let kept = std::fs::read_to_string(world.home.tasks_dir().join(id).join("output.log")).unwrap();
    assert!(kept.contains("Author: Ana") && !kept.contains(secret));
    let record = Sessions::open(&world.home, &[&memory::GUEST]).unwrap();
    let calls = record.calls(&LedgerFilter::default(), Page { offset: 0, limit: 10 }).unwrap().items;
    let call = calls.iter().find(|call| call.row.filter == "git-log").unwrap();
    assert_eq!((call.row.raw_bytes, call.row.returned_bytes), (whole.len() as u64, shown.len() as u64));
    assert!(call.row.ok && call.saved_bytes > 0);
    let events = record.events(&EventFilter::default(), Page { offset: 0, limit: 1 }).unwrap().items;
    assert_eq!(events[0].event.full_output, Some(format!("plimsoll://task/{id}")));
}

/// What a command in the background has printed so far isn't its output.
#[test]
fn a_command_that_runs_on_is_left_alone() {
    let world = World::new();
    let reply = |task: Value| {
        world.send(
            "claude-code",
            &json!({
                "hook_event_name": "PostToolUse", "session_id": "s-1", "cwd": world.project, "tool_name": "Bash",
                "tool_input": { "command": "git log" }, "tool_use_id": task.as_str().unwrap_or("t-1"),
                "tool_response": { "stdout": log(60), "stderr": "", "interrupted": false, "isImage": false,
                    "backgroundTaskId": task }
            }),
        )
    };
    assert_eq!(reply(json!("b-1")), Value::Null);
    assert!(reply(Value::Null)["hookSpecificOutput"]["updatedToolOutput"]["stdout"].is_string());
}

#[test]
fn a_call_whose_hook_runs_twice_saves_once() {
    let world = World::new();
    // It's in the user's file and in the project's.
    let replies: Vec<Value> = (0..2).map(|_| world.after_call("t-1", "git log", &log(60))).collect();
    assert!(replies.iter().all(Value::is_object), "{replies:?}");
    let record = Sessions::open(&world.home, &[&memory::GUEST]).unwrap();
    let totals = record.stats(0).unwrap().totals;
    assert_eq!((totals.calls, totals.raw_bytes), (1, log(60).len() as u64));
}

#[test]
fn only_what_the_agent_would_have_shown_is_counted() {
    let world = World::new();
    // Claude Code would have shown a preview of 2,000 bytes in 204 of its own.
    world.after("git log", &log(600));
    let record = Sessions::open(&world.home, &[&memory::GUEST]).unwrap();
    let calls = record.calls(&LedgerFilter::default(), Page { offset: 0, limit: 10 }).unwrap().items;
    let call = calls.iter().find(|call| call.row.filter == "git-log").unwrap();
    assert_eq!(call.row.raw_bytes, 2_203);
    assert!(call.row.returned_bytes <= call.row.raw_bytes, "{}", call.row.returned_bytes);
}

/// `bashOutputMaxChars` of newer versions: an output that would usually be shown in full is a preview.
#[test]
fn a_lower_limit_of_the_agent_counts() {
    let world = World::new();
    let whole = log(60);
    let file = world.project.join("whole.txt");
    std::fs::write(&file, &whole).unwrap();
    let reply = world.send(
        "claude-code",
        &json!({
            "hook_event_name": "PostToolUse", "session_id": "s-1", "cwd": world.project, "tool_name": "Bash",
            "tool_input": { "command": "git log" }, "tool_use_id": "t",
            "tool_response": { "stdout": &whole[..4_000], "stderr": "", "interrupted": false, "isImage": false,
                "persistedOutputPath": file, "persistedOutputSize": whole.len(), "stdoutHoldsOutputEnd": true }
        }),
    );
    let shown = &reply["hookSpecificOutput"]["updatedToolOutput"];
    assert!(shown["stdout"].as_str().unwrap().len() <= 2_203 && shown.get("stdoutHoldsOutputEnd").is_none());
    let record = Sessions::open(&world.home, &[&memory::GUEST]).unwrap();
    let calls = record.calls(&LedgerFilter::default(), Page { offset: 0, limit: 10 }).unwrap().items;
    let call = calls.iter().find(|call| call.row.filter == "git-log").unwrap();
    assert_eq!(call.row.raw_bytes, 2_203);
}

#[test]
fn nothing_is_shortened_that_cannot_be_kept() {
    let world = World::new();
    std::fs::write(world.home.tasks_dir(), "a file where the folder should be").unwrap();
    assert_eq!(world.after("git log", &log(60)), Value::Null);
}

/// Of two hooks that replace an output, the agent takes one; the user's own may remove secrets.
#[test]
fn an_output_that_the_users_own_hook_replaces_is_left_to_it() {
    let world = World::new();
    let own = |matcher: &str, script: &str| {
        let group = json!({ "matcher": matcher, "hooks": [{ "type": "command", "command": "./own.sh" }] });
        let settings = json!({ "hooks": { "PostToolUse": [group] } }).to_string();
        std::fs::write(world.project.join(".claude/settings.json"), settings).unwrap();
        std::fs::write(world.project.join("own.sh"), script).unwrap();
    };
    for (matcher, script, is_replaced) in [
        ("Bash", "jq '{hookSpecificOutput: {updatedToolOutput: .tool_response}}'", false),
        ("", "jq '{hookSpecificOutput: {updatedToolOutput: .tool_response}}'", false),
        ("Edit|Write", "jq '{hookSpecificOutput: {updatedToolOutput: .tool_response}}'", true),
        ("Bash", "npx prettier --write .", true),
    ] {
        own(matcher, script);
        assert_eq!(world.after("git log", &log(60)).is_object(), is_replaced, "{matcher}: {script}");
    }
}
