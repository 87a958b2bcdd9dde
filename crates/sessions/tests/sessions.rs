//! The promises of the sessions' database: honest sums, nothing lost between processes, secrets never
//! written, and heartbeats that only the living have.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;

use home::Home;
use plimsoll_sessions::live::{self, Beat};
use plimsoll_sessions::{Class, LedgerRow, NewEvent, Sessions};
use proptest::prelude::*;

fn row(tool: &str, raw: u64, returned: u64, class: Class, ok: bool) -> LedgerRow {
    LedgerRow {
        at_ms: 1_000,
        agent: "claude-code".into(),
        session: "s".into(),
        project: "/w/shop".into(),
        tool: tool.into(),
        raw_bytes: raw,
        returned_bytes: returned,
        class,
        ok,
        overhead_bytes: 0,
        elapsed_us: 5,
    }
}

fn event(summary: &str) -> NewEvent {
    NewEvent {
        agent: "codex".into(),
        session: "s1".into(),
        project: "/w/shop".into(),
        kind: "pre_tool".into(),
        tool: Some("Bash".into()),
        summary: summary.into(),
        decision: "pass".into(),
        at_ms: 5_000,
        ..NewEvent::default()
    }
}

#[test]
fn failures_save_nothing_estimates_stay_apart_and_the_net_can_be_negative() {
    let dir = tempfile::tempdir().unwrap();
    let mut sessions = Sessions::open(&Home::at(dir.path())).unwrap();
    sessions.ledger(&row("execute", 10_000, 500, Class::Measured, true)).unwrap();
    sessions.ledger(&row("execute", 90_000, 500, Class::Measured, false)).unwrap();
    sessions.ledger(&row("index", 50_000, 100, Class::Estimated, true)).unwrap();
    sessions.ledger(&row("index", 70_000, 100, Class::None, true)).unwrap();
    let stats = sessions.stats(0, None).unwrap();
    assert_eq!(stats.total.measured.kept_out_bytes, 9_500);
    assert_eq!(stats.total.estimated.kept_out_bytes, 49_900);
    assert_eq!((stats.total.calls, stats.total.failed), (4, 1));
    assert_eq!(stats.net_bytes, 9_500);
    let overhead = LedgerRow { overhead_bytes: 12_000, ..row("tool list", 0, 0, Class::None, true) };
    sessions.ledger(&overhead).unwrap();
    assert_eq!(sessions.stats(0, None).unwrap().net_bytes, -2_500);
    assert_eq!(sessions.stats(2_000, None).unwrap().total.calls, 0, "older rows are left out");
    assert_eq!(sessions.stats(0, Some("other")).unwrap().total.calls, 0);
    assert_eq!(sessions.stats(0, Some("s")).unwrap().total.calls, 5);
}

#[test]
fn secrets_are_not_written_to_the_disk() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let mut sessions = Sessions::open(&home).unwrap();
    sessions.record(&event(&format!("curl -H 'Authorization: token {secret}' https://example.org"))).unwrap();
    assert!(!sessions.activity(0, 10).unwrap()[0].summary.contains(&secret));
    drop(sessions);
    for entry in std::fs::read_dir(dir.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
    }
}

#[test]
fn lists_are_paged_and_search_takes_wildcards_literally() {
    let dir = tempfile::tempdir().unwrap();
    let mut sessions = Sessions::open(&Home::at(dir.path())).unwrap();
    for n in 0..25 {
        sessions.record(&NewEvent { at_ms: n, ..event(&format!("cargo test {n}%")) }).unwrap();
    }
    assert_eq!(sessions.activity(0, 10).unwrap()[0].summary, "cargo test 24%");
    assert_eq!(sessions.activity(20, 10).unwrap().len(), 5);
    let session = &sessions.sessions(0, 10).unwrap()[0];
    assert_eq!((session.events, session.last_ms), (25, 24));
    assert_eq!(sessions.events(session.id, 0, 3).unwrap()[0].summary, "cargo test 0%");
    assert_eq!(sessions.search("cargo 7%", None, 10).unwrap().len(), 2);
    assert_eq!(sessions.search("cargo _", None, 10).unwrap().len(), 0);
    assert_eq!(sessions.search("cargo", Some("/elsewhere"), 10).unwrap().len(), 0);
    assert_eq!(sessions.forget_before(25).unwrap(), 1);
    assert!(sessions.activity(0, 10).unwrap().is_empty());
}

#[test]
fn a_nudge_is_given_once_per_session_and_kind() {
    let dir = tempfile::tempdir().unwrap();
    let mut sessions = Sessions::open_for_hook(&Home::at(dir.path())).unwrap();
    assert!(sessions.nudge_once("codex", "s", "noisy", 1).unwrap());
    assert!(!sessions.nudge_once("codex", "s", "noisy", 2).unwrap());
    assert!(sessions.nudge_once("codex", "s", "large-read", 3).unwrap());
    assert!(sessions.nudge_once("codex", "t", "noisy", 4).unwrap());
}

/// Re-runs this test binary as a writer.
#[test]
fn writer_process() {
    let Ok(path) = std::env::var("TEST_WRITER_HOME") else { return };
    let mut sessions = Sessions::open(&Home::at(path)).unwrap();
    for n in 0..20 {
        sessions.ledger(&row("execute", 100, 10, Class::Measured, true)).unwrap();
        sessions.record(&event(&format!("{} {n}", std::process::id()))).unwrap();
    }
}

#[test]
fn sixteen_processes_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let children: Vec<_> = (0..16)
        .map(|_| {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["writer_process", "--exact"]).env("TEST_WRITER_HOME", dir.path());
            command.stdout(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let sessions = Sessions::open_read_only(&Home::at(dir.path())).unwrap().unwrap();
    assert_eq!(sessions.stats(0, None).unwrap().total.measured.kept_out_bytes, 16 * 20 * 90);
    assert_eq!(sessions.sessions(0, 1).unwrap()[0].events, 16 * 20);
}

fn beat(agent: &str, session: Option<&str>, project: &str) -> Beat {
    Beat {
        pid: std::process::id(),
        process_start: None,
        agent: agent.into(),
        session: session.map(Into::into),
        project: project.into(),
        started_ms: 1,
        touched_ms: 1_000,
    }
}

#[test]
fn only_a_living_server_of_the_same_session_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    live::write(&home, &beat("codex", None, "/w/shop")).unwrap();
    let find =
        |agent, session, project: &str, now| live::find(&home, agent, session, Path::new(project), now);
    assert!(find("codex", Some("x"), "/w/shop", 2_000).is_some(), "its session is not known, its project is");
    assert!(find("codex", None, "/w/shop/src", 2_000).is_some());
    assert!(find("codex", None, "/w/other", 2_000).is_none());
    assert!(find("claude-code", None, "/w/shop", 2_000).is_none());
    live::write(&home, &beat("codex", Some("x"), "/w/shop")).unwrap();
    assert!(find("codex", Some("x"), "/elsewhere", 2_000).is_some());
    assert!(find("codex", Some("y"), "/w/shop", 2_000).is_none());
    assert!(find("codex", Some("x"), "/w/shop", 1_000 + live::FRESH_MS + 1).is_none(), "too old");
    assert!(live::all(&home, 2_000).is_empty(), "and swept away");
    std::fs::write(home.run_dir().join("9.json"), b"{half").unwrap();
    assert!(live::all(&home, 2_000).is_empty(), "a file that does not parse is nobody");
}

#[cfg(target_os = "linux")]
#[test]
fn a_dead_process_is_not_alive() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    let mut child = Command::new("true").spawn().unwrap();
    let pid = child.id();
    child.wait().unwrap();
    live::write(&home, &Beat { pid, ..beat("codex", None, "/w/shop") }).unwrap();
    assert!(live::find(&home, "codex", None, Path::new("/w/shop"), 1_000).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn any_text_can_be_recorded_and_searched(summary in ".{0,600}", query in ".{0,40}") {
        let dir = tempfile::tempdir().unwrap();
        let mut sessions = Sessions::open(&Home::at(dir.path())).unwrap();
        sessions.record(&event(&summary)).unwrap();
        prop_assert!(sessions.activity(0, 2).unwrap()[0].summary.len() <= 400);
        sessions.search(&query, None, 5).unwrap();
    }
}
