//! The session of an event whose payload has no ID: the agent's variable, else the agent's process. Two sessions of
//! one agent are never mixed up.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use home::{Caller, Clock, Env, Home};
use plimsoll_hooks::{Context, handle};
use serde_json::{Value, json};

static SYSTEMS: &[&system::System] = &[&memory::SYSTEM];

fn session(agent: &str, payload: &Value, env: &Env) -> Option<String> {
    let home = Home::at(env.home_dir().join(".plimsoll"));
    let context = Context {
        home: &home,
        env,
        clock: Clock::fixed(1),
        agent: agents::by_id(agent).unwrap(),
        systems: SYSTEMS,
    };
    handle(payload.to_string().as_bytes(), None, &context).record.unwrap().0.session
}

#[test]
fn the_session_comes_from_the_payload_then_the_variable_then_the_process() {
    let dir = tempfile::tempdir().unwrap();
    let caller = |pid: u32, word: &str| Caller { pid, words: vec![word.to_owned()], ..Caller::default() };
    let env = |pid: u32| {
        Env::for_test(dir.path())
            .with_callers(vec![caller(900 + pid, "/bin/sh"), caller(pid, "/usr/bin/agent")])
    };
    let uuid = "7c1e8a52-0b1d-4c6e-9f3a-1234567890ab";
    let claude = |fields: Value| {
        let mut payload = json!({"hook_event_name": "Stop", "cwd": "/w", "prompt_id": "p"});
        payload.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        payload
    };
    let transcript = format!("/home/ana/.claude/projects/-w/{uuid}.jsonl");
    for (payload, variable, wanted) in [
        (claude(json!({"transcript_path": transcript, "session_id": "s-1"})), Some("v-1"), uuid),
        (claude(json!({"session_id": "s-1"})), Some("v-1"), "s-1"),
        (claude(json!({})), Some("v-1"), "v-1"),
        (claude(json!({})), None, "process-7"),
    ] {
        let env = variable.map_or_else(|| env(7), |value| env(7).with("CLAUDE_SESSION_ID", value));
        assert_eq!(session("claude-code", &payload, &env).as_deref(), Some(wanted), "{payload}");
    }
    let cursor = json!({"hook_event_name": "stop", "cursor_version": "3.12.17"});
    assert_eq!(session("cursor", &cursor, &env(7).with("CURSOR_TRACE_ID", "t-1")).as_deref(), Some("t-1"));
    let named = json!({"hook_event_name": "stop", "cursor_version": "3.12.17", "conversation_id": "c-9"});
    assert_eq!(session("cursor", &named, &env(7).with("CURSOR_TRACE_ID", "t-1")).as_deref(), Some("c-9"));
    assert_ne!(session("cursor", &cursor, &env(7)), session("cursor", &cursor, &env(8)));
}

/// A document in the place of a name or a folder isn't one, and isn't stored with each event.
#[test]
fn what_is_too_long_for_a_name_or_a_folder_counts_as_absent() {
    let dir = tempfile::tempdir().unwrap();
    let env = Env::for_test(dir.path()).with("CLAUDE_SESSION_ID", "v-1");
    let home = Home::at(env.home_dir().join(".plimsoll"));
    let long = "/word".repeat(100_000);
    let payload = json!({"hook_event_name": "Stop", "prompt_id": "p", "session_id": long, "cwd": long, "transcript_path": long});
    let agent = agents::by_id("claude-code").unwrap();
    let context = Context { home: &home, env: &env, clock: Clock::fixed(1), agent, systems: SYSTEMS };
    let (event, _) = handle(payload.to_string().as_bytes(), None, &context).record.unwrap();
    assert_eq!((event.session.as_deref(), event.cwd, event.transcript), (Some("v-1"), None, None));
    let name = "s".repeat(200);
    let payload = json!({"hook_event_name": "Stop", "prompt_id": "p", "session_id": name});
    assert_eq!(session("claude-code", &payload, &env), Some(name));
}

/// Anything else would begin a session that nobody has, named after whatever process started the hook.
#[test]
fn a_payload_that_is_not_an_object_is_no_event() {
    let dir = tempfile::tempdir().unwrap();
    let caller = Caller { pid: 7, words: vec!["/usr/bin/agent".to_owned()], ..Caller::default() };
    let env = Env::for_test(dir.path()).with_callers(vec![caller]);
    let home = Home::at(env.home_dir().join(".plimsoll"));
    for id in ["claude-code", "codex", "kiro"] {
        let agent = agents::by_id(id).unwrap();
        let context = Context { home: &home, env: &env, clock: Clock::fixed(1), agent, systems: SYSTEMS };
        for payload in ["[]", "\"\"", "5", "null", "not json", ""] {
            let handled = handle(payload.as_bytes(), Some("PreToolUse"), &context);
            assert!(handled.record.is_none(), "{id}: {payload}");
            assert_eq!(handled.output, agent.fail_open(Some("PreToolUse")), "{id}: {payload}");
        }
    }
}

/// Copilot CLI names the transcript at some events only. What the user wrote in a session is read from it when that ends.
#[test]
fn the_transcript_of_a_session_that_ends_is_known_by_its_id() {
    let dir = tempfile::tempdir().unwrap();
    let env = Env::for_test(dir.path()).with("COPILOT_CLI", "1");
    let home = Home::at(env.home_dir().join(".plimsoll"));
    let agent = agents::by_id("copilot-cli").unwrap();
    let context = Context { home: &home, env: &env, clock: Clock::fixed(1), agent, systems: SYSTEMS };
    let transcript = |event: &str, payload: Value| {
        let handled = handle(payload.to_string().as_bytes(), Some(event), &context);
        handled.record.unwrap().0.transcript
    };
    let own = dir.path().join(".copilot/session-state/5b1c/events.jsonl");
    let ended = json!({"sessionId": "5b1c", "timestamp": 1, "cwd": "/w", "reason": "complete"});
    assert_eq!(transcript("sessionEnd", ended.clone()), Some(own));
    assert_eq!(transcript("agentStop", ended), None);
    let named =
        json!({"sessionId": "5b1c", "cwd": "/w", "trigger": "auto", "transcriptPath": "/t/events.jsonl"});
    assert_eq!(transcript("preCompact", named), Some("/t/events.jsonl".into()));
    let climbing = json!({"sessionId": "../../x", "cwd": "/w", "reason": "complete"});
    assert_eq!(transcript("sessionEnd", climbing), None);
}
