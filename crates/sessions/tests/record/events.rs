//! Events, sessions, nudges and connections: what is written is read back, page by page, without secrets.

use home::Home;
use plimsoll_sessions::{
    Class, EventFilter, LedgerRow, NewEvent, Page, RecordScope, SessionFilter, Sessions,
};

use super::{NOW, call, event, scratch, token};

#[test]
fn events_come_back_in_pages_latest_first() {
    let (_dir, home, mut sessions) = scratch();
    for i in 0..25 {
        let id = sessions.record(&event("s", &format!("ls {i}"), NOW + i)).unwrap();
        assert_eq!(id, i + 1);
    }
    let first = sessions.events(&EventFilter::default(), Page { offset: 0, limit: 10 }).unwrap();
    assert_eq!((first.total, first.items.len(), first.next_offset()), (25, 10, Some(10)));
    assert_eq!(first.items[0].event.summary, "ls 24");
    let last = sessions.events(&EventFilter::default(), Page { offset: 20, limit: 10 }).unwrap();
    assert_eq!((last.items.len(), last.next_offset()), (5, None));
    assert_eq!(last.items[4].event, event("s", "ls 0", NOW));
    let reader = Sessions::open_read_only(&home, &[]).unwrap().unwrap();
    assert_eq!(reader.events(&EventFilter::default(), Page::default()).unwrap().total, 25);
}

#[test]
fn filters_narrow_and_text_is_found_as_it_is() {
    let (_dir, _home, mut sessions) = scratch();
    sessions.record(&event("a", "cargo test 100%", NOW)).unwrap();
    sessions.record(&event("b", "cargo_test 1000", NOW + 1)).unwrap();
    sessions
        .record(&NewEvent {
            decision: "deny".into(),
            rule: Some("Bash(rm:*)".into()),
            ..event("b", "rm x", NOW + 2)
        })
        .unwrap();
    let count = |filter: EventFilter| sessions.events(&filter, Page::default()).unwrap().total;
    assert_eq!(count(EventFilter { contains: Some("100%".into()), ..EventFilter::default() }), 1);
    assert_eq!(count(EventFilter { contains: Some("o_t".into()), ..EventFilter::default() }), 1);
    assert_eq!(count(EventFilter { contains: Some(" 100%  cargo ".into()), ..EventFilter::default() }), 1);
    assert_eq!(count(EventFilter { contains: Some("cargo absent".into()), ..EventFilter::default() }), 0);
    assert_eq!(count(EventFilter { contains: Some("CARGO".into()), ..EventFilter::default() }), 2);
    assert_eq!(count(EventFilter { session: Some("b".into()), ..EventFilter::default() }), 2);
    assert_eq!(count(EventFilter { decision: Some("deny".into()), ..EventFilter::default() }), 1);
    assert_eq!(count(EventFilter { since_ms: Some(NOW + 2), ..EventFilter::default() }), 1);
    assert_eq!(count(EventFilter { agent: Some("x' OR 1=1 --".into()), ..EventFilter::default() }), 0);
}

#[test]
fn secrets_never_reach_the_file() {
    let (_dir, home, mut sessions) = scratch();
    let secret = &token();
    let long = "é".repeat(490);
    sessions.record(&event("s", &format!("curl -H 'Authorization: Bearer {secret}' x"), NOW)).unwrap();
    // One that shortening would cut in half.
    sessions.record(&event("s", &format!("{long} {secret}"), NOW)).unwrap();
    sessions
        .record(&NewEvent { tool: Some(secret.clone()), rule: Some(secret.clone()), ..event("s", "x", NOW) })
        .unwrap();
    sessions.ledger(&LedgerRow { tool: secret.clone(), ..call(Class::Measured, true, 1, 1, 0) }).unwrap();
    drop(sessions);
    for entry in std::fs::read_dir(home.root()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            let part = &secret.as_bytes()[..12];
            assert!(!bytes.windows(part.len()).any(|w| w == part), "{}", path.display());
        }
    }
}

#[test]
fn long_text_is_shortened_between_characters() {
    let (_dir, _home, mut sessions) = scratch();
    sessions.record(&event("s", &"語".repeat(100_000), NOW)).unwrap();
    let kept = sessions.events(&EventFilter::default(), Page::default()).unwrap().items.remove(0);
    assert_eq!(kept.event.summary.chars().count(), 501);
}

#[test]
fn sessions_are_summed_up_one_by_one() {
    let (_dir, _home, mut sessions) = scratch();
    sessions.record(&event("a", "x", NOW)).unwrap();
    sessions.record(&NewEvent { decision: "deny".into(), ..event("a", "y", NOW + 5) }).unwrap();
    sessions.record(&event("b", "z", NOW + 9)).unwrap();
    sessions
        .ledger(&LedgerRow {
            session: "a".into(),
            agent: "claude-code".into(),
            ..call(Class::Measured, true, 900, 100, 10)
        })
        .unwrap();
    let list = sessions.sessions(&SessionFilter::default(), Page { offset: 0, limit: 1 }).unwrap();
    assert_eq!((list.total, list.items[0].session.as_str()), (2, "b"));
    let filter = SessionFilter { session: Some("a".into()), ..SessionFilter::default() };
    let a = sessions.sessions(&filter, Page::default()).unwrap().items.remove(0);
    assert_eq!((a.events, a.denied, a.started_ms, a.last_ms), (2, 1, NOW, NOW + 5));
    assert_eq!((a.totals.measured_bytes, a.totals.net_bytes, a.project.as_str()), (800, 790, "/w/shop"));
}

#[test]
fn a_nudge_is_given_once_per_session_and_kind() {
    let (_dir, _home, mut sessions) = scratch();
    assert!(sessions.nudge_once("s", "read").unwrap());
    assert!(!sessions.nudge_once("s", "read").unwrap());
    assert!(sessions.nudge_once("s", "fetch").unwrap());
    assert!(sessions.nudge_once("t", "read").unwrap());
}

#[test]
fn connections_are_kept_word_for_word_until_removed() {
    let (_dir, _home, mut sessions) = scratch();
    let connection = serde_json::json!({"path": "/h/.claude.json", "token": token(), "z": 1, "a": [null]});
    let first = sessions.save_connection("codex", &connection, NOW).unwrap();
    let second = sessions.save_connection("kiro", &serde_json::json!([]), NOW).unwrap();
    assert_eq!(
        sessions.connections(Some("codex")).unwrap()[0].connection.to_string(),
        connection.to_string()
    );
    let all: Vec<i64> = sessions.connections(None).unwrap().iter().map(|r| r.id).collect();
    assert_eq!(all, [second, first]);
    assert!(sessions.remove_connection(first).unwrap());
    assert!(!sessions.remove_connection(first).unwrap());
    let left =
        |sessions: &Sessions| sessions.connections(None).unwrap().iter().map(|r| r.id).collect::<Vec<_>>();
    assert_eq!(left(&sessions), [second]);
    sessions.forget_records(&RecordScope::All).unwrap();
    assert_eq!(left(&sessions), [second]);
}

#[test]
fn reading_before_anything_was_recorded_creates_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path().join("none"));
    assert!(Sessions::open_read_only(&home, &[]).unwrap().is_none());
    assert!(!home.root().exists());
}

#[test]
fn a_session_is_titled_by_its_first_request_and_says_how_it_went() {
    let (_dir, _home, mut sessions) = scratch();
    let of = |kind: &str, summary: &str, at_ms: i64| NewEvent {
        kind: kind.into(),
        decision: "pass".into(),
        ..event("a", summary, at_ms)
    };
    for (at, (kind, summary)) in [
        ("session_start", "startup"),
        ("prompt", "/clear"),
        ("prompt", "<command-name>model</command-name>"),
        ("prompt", "Find out why\n  checkout times out"),
        ("prompt", "and mend it"),
        ("post_tool_failure", "pytest"),
        ("pre_compact", ""),
        ("session_end", ""),
    ]
    .into_iter()
    .enumerate()
    {
        sessions.record(&of(kind, summary, NOW + at as i64)).unwrap();
    }
    sessions.record(&NewEvent { session: "b".into(), ..of("prompt", "/review", NOW) }).unwrap();
    let list = sessions.sessions(&SessionFilter::default(), Page::default()).unwrap().items;
    let named = |name: &str| list.iter().find(|one| one.session == name).unwrap();
    let a = named("a");
    assert_eq!(a.title, "Find out why checkout times out");
    assert_eq!((a.errors, a.compactions, a.ended), (1, 1, true));
    assert_eq!((named("b").title.as_str(), named("b").ended), ("/review", false));
}

#[test]
fn activity_has_one_row_for_a_call_and_can_leave_out_what_did_not_matter() {
    let (_dir, _home, mut sessions) = scratch();
    let of = |kind: &str, tool: &str, summary: &str, decision: &str| NewEvent {
        kind: kind.into(),
        tool: Some(tool.into()),
        decision: decision.into(),
        ..event("a", summary, NOW)
    };
    for one in [
        of("pre_tool", "Bash", "ls", "pass"),
        of("post_tool", "Bash", "ls", "pass"),
        of("pre_tool", "Bash", "cargo test", "rewrite"),
        of("filter", "run", "cargo test", "replace"),
        of("post_tool", "Bash", "~/.plimsoll/bin/plimsoll run --agent x -- cargo test", "pass"),
        of("pre_tool", "Bash", "npm test", "pass"),
        of("post_tool_failure", "Bash", "npm test", "pass"),
        of("pre_tool", "Bash", "rm -rf build", "deny"),
        of("pre_tool", "Read", "/w/a.rs", "pass"),
    ] {
        sessions.record(&one).unwrap();
    }
    let rows = |by_call: bool, mattered: bool| -> Vec<String> {
        let filter = EventFilter { by_call, mattered, ..EventFilter::default() };
        let found = sessions.events(&filter, Page::default()).unwrap();
        assert_eq!(found.total as usize, found.items.len());
        found.items.iter().rev().map(|one| format!("{} {}", one.event.kind, one.event.summary)).collect()
    };
    assert_eq!(rows(false, false).len(), 9);
    assert_eq!(
        rows(true, false),
        [
            "post_tool ls",
            "filter cargo test",
            "post_tool_failure npm test",
            "pre_tool rm -rf build",
            "pre_tool /w/a.rs"
        ]
    );
    assert_eq!(
        rows(true, true),
        ["filter cargo test", "post_tool_failure npm test", "pre_tool rm -rf build"]
    );
}
