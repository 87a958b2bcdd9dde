//! An answer that comes too late isn't given, and the record doesn't say that it was; what happened is recorded all the same.

use agents::Verdict;
use home::{Clock, Env, Home};
use plimsoll_hooks::{Context, handle, record};
use serde_json::json;
use sessions::Sessions;

static SYSTEMS: &[&system::System] = &[&memory::SYSTEM];

#[test]
fn an_answer_that_came_too_late_is_recorded_as_none() {
    let dir = tempfile::tempdir().unwrap();
    let user = std::fs::canonicalize(dir.path()).unwrap();
    let project = user.join("shop");
    std::fs::create_dir_all(&project).unwrap();
    let env = Env::for_test(&user).with_cwd(&project);
    let home = Home::at(user.join(".plimsoll"));
    let agent = agents::by_id("claude-code").unwrap();
    let clock = Clock::fixed(1_800_000_000_000);
    let hook = |payload: serde_json::Value| {
        let context = Context { home: &home, env: &env, clock, agent, systems: SYSTEMS };
        handle(payload.to_string().as_bytes(), None, &context)
    };
    let start = hook(
        json!({"hook_event_name": "SessionStart", "source": "startup", "session_id": "s", "cwd": project}),
    );
    assert!(matches!(start.record.as_ref().unwrap().1.verdict, Verdict::Context { .. }), "{start:?}");
    let start = start.without_answer();
    assert_eq!(start.record.as_ref().unwrap().1.verdict, Verdict::Pass);
    assert!(start.system_contexts.is_empty());
    record(&home, SYSTEMS, clock, &start, 7).unwrap();
    let failed = hook(json!({"hook_event_name": "PostToolUseFailure", "session_id": "s", "cwd": project,
        "tool_name": "Bash", "tool_input": {"command": "cargo test auth"},
        "error": "Exit code 101\ntest result: FAILED. 11 passed; 1 failed"}));
    record(&home, SYSTEMS, clock, &failed.without_answer(), 7).unwrap();
    drop(Sessions::open(&home, &[&memory::GUEST]).unwrap());
    // The note after a compaction has the failure, and nothing was paid for a greeting that nobody got.
    let note = hook(
        json!({"hook_event_name": "SessionStart", "source": "compact", "session_id": "s", "cwd": project}),
    );
    assert!(note.output.stdout.contains("cargo test auth"), "{}", note.output.stdout);
}
