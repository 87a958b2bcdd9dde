//! What is recorded is found again, adds up honestly, and holds no secret.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use home::Home;
use plimsoll_sessions::{
    Class, EventFilter, Keep, LedgerFilter, LedgerRow, NewEvent, Page, Records, SessionFilter, Sessions,
    TOOL_LIST, Totals,
};
use proptest::prelude::*;

const DAY: i64 = 86_400_000;
const NOW: i64 = 20_000 * DAY + 5_000;

fn scratch() -> (tempfile::TempDir, Home, Sessions) {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path().join("plimsoll"));
    let sessions = Sessions::open(&home, &[]).unwrap();
    (dir, home, sessions)
}

fn event(session: &str, summary: &str, at_ms: i64) -> NewEvent {
    NewEvent {
        session: session.into(),
        agent: "claude-code".into(),
        project: "/w/shop".into(),
        kind: "pre_tool".into(),
        tool: Some("Bash".into()),
        summary: summary.into(),
        decision: "pass".into(),
        elapsed_us: 40,
        at_ms,
        ..NewEvent::default()
    }
}

fn call(class: Class, ok: bool, raw: u64, returned: u64, overhead: u64) -> LedgerRow {
    LedgerRow {
        session: "s".into(),
        agent: "codex".into(),
        project: "/w/shop".into(),
        tool: "execute".into(),
        raw_bytes: raw,
        returned_bytes: returned,
        class,
        ok,
        overhead_bytes: overhead,
        elapsed_us: 7,
        at_ms: NOW,
        ..LedgerRow::default()
    }
}

/// Put together here, so that no scanner takes this file for leaking.
fn token() -> String {
    ["ghp", "_16C7e42F292c6912E7710c838347Ae178B4a"].concat()
}

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
fn filters_narrow_and_text_is_found_as_it_stands() {
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
    // One that would be cut in half by shortening.
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
fn measured_estimated_and_overhead_stay_apart() {
    let (_dir, _home, mut sessions) = scratch();
    sessions.ledger(&call(Class::Measured, true, 10_000, 400, 100)).unwrap();
    sessions.ledger(&call(Class::Estimated, true, 8_000, 0, 50)).unwrap();
    // Failed: it saves nothing, whatever it claims, and its overhead still counts.
    sessions.ledger(&call(Class::Measured, false, 1_000_000, 10, 30)).unwrap();
    // Text that the model itself sent: nothing was kept out.
    sessions.ledger(&call(Class::None, true, 237_000, 100, 20)).unwrap();
    let totals = sessions.stats(0).unwrap().totals;
    assert_eq!((totals.calls, totals.failed), (4, 1));
    assert_eq!(totals.measured_bytes, 9_600);
    assert_eq!(totals.estimated_bytes, 8_000);
    assert_eq!(totals.overhead_bytes, 200);
    assert_eq!(totals.net_bytes, 9_400);
    assert_eq!(totals.elapsed_us, 28);
    let behind = sessions
        .calls(&LedgerFilter { class: Some(Class::Measured), ..LedgerFilter::default() }, Page::default());
    let saved: Vec<i64> = behind.unwrap().items.iter().map(|c| c.saved_bytes).collect();
    assert_eq!(saved, [0, 9_600]);
}

#[test]
fn the_net_may_be_negative() {
    let (_dir, _home, mut sessions) = scratch();
    sessions.ledger(&call(Class::Measured, true, 28, 487, 4_000)).unwrap();
    let totals = sessions.stats(0).unwrap().totals;
    assert_eq!((totals.measured_bytes, totals.net_bytes), (-459, -4_459));
}

#[test]
fn stats_are_grouped_and_begin_where_asked() {
    let (_dir, _home, mut sessions) = scratch();
    sessions
        .ledger(&LedgerRow {
            agent: "kiro".into(),
            tool: "search".into(),
            ..call(Class::Measured, true, 10, 0, 0)
        })
        .unwrap();
    sessions.ledger(&call(Class::Measured, true, 500, 0, 0)).unwrap();
    sessions.ledger(&LedgerRow { at_ms: NOW - 3 * DAY, ..call(Class::Measured, true, 70, 0, 0) }).unwrap();
    sessions.record(&NewEvent { decision: "deny".into(), ..event("s", "x", NOW) }).unwrap();
    let stats = sessions.stats(NOW - DAY).unwrap();
    let names: Vec<(&str, i64)> =
        stats.by_agent.iter().map(|g| (g.name.as_str(), g.totals.measured_bytes)).collect();
    assert_eq!(names, [("codex", 500), ("kiro", 10)]);
    assert_eq!(stats.by_tool.len(), 2);
    assert_eq!(stats.decisions, [("deny".to_owned(), 1)]);
    assert_eq!((stats.sessions, stats.events, stats.event_us), (3, 1, 40));
    assert_eq!(sessions.stats(0).unwrap().totals.measured_bytes, 580);
    let days = sessions.days(0, 0).unwrap();
    assert_eq!(days.iter().map(|d| d.totals.calls).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(days[1].start_ms, 20_000 * DAY);
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
fn receipts_are_kept_word_for_word_until_dropped() {
    let (_dir, _home, mut sessions) = scratch();
    let receipt = serde_json::json!({"path": "/h/.claude.json", "token": token(), "z": 1, "a": [null]});
    let first = sessions.save_receipt("codex", &receipt, NOW).unwrap();
    let second = sessions.save_receipt("kiro", &serde_json::json!([]), NOW).unwrap();
    assert_eq!(sessions.receipts(Some("codex")).unwrap()[0].receipt.to_string(), receipt.to_string());
    let all: Vec<i64> = sessions.receipts(None).unwrap().iter().map(|r| r.id).collect();
    assert_eq!(all, [second, first]);
    assert!(sessions.drop_receipt(first).unwrap());
    assert!(!sessions.drop_receipt(first).unwrap());
    assert_eq!(sessions.receipt(first).unwrap(), None);
    sessions.forget_records(&Records::All).unwrap();
    assert!(sessions.receipt(second).unwrap().is_some());
}

#[test]
fn forgetting_changes_no_total() {
    let (_dir, _home, mut sessions) = scratch();
    for day in 0..10 {
        for class in [Class::None, Class::Measured, Class::Estimated] {
            sessions
                .ledger(&LedgerRow { at_ms: NOW - day * DAY, ..call(class, day % 3 > 0, 1_000, 10, 5) })
                .unwrap();
        }
        sessions.record(&event(&format!("day {day}"), "x", NOW - day * DAY)).unwrap();
    }
    for at in 0..4 {
        sessions.record(&event("day 0", "x", NOW - at)).unwrap();
    }
    let before = sessions.stats(0).unwrap();
    let keep = Keep { since_ms: NOW - 4 * DAY, events_per_session: 3, ..Keep::default() };
    let removed = sessions.forget(keep).unwrap();
    // Those of five days, and two that one session has too many of.
    assert_eq!((removed.calls, removed.events), (15, 7));
    assert!(sessions.forget(keep).unwrap().is_nothing());
    let after = sessions.stats(0).unwrap();
    assert_eq!(
        (after.totals, &after.by_agent, &after.by_tool),
        (before.totals, &before.by_agent, &before.by_tool)
    );
    // Forgotten a second time, later: the sums of the same day are joined.
    sessions.forget(Keep { since_ms: NOW + DAY, events_per_session: 0, ..Keep::default() }).unwrap();
    assert_eq!(sessions.stats(0).unwrap().totals, before.totals);
    assert_eq!(sessions.calls(&LedgerFilter::default(), Page::default()).unwrap().total, 0);
    assert_eq!(sessions.sessions(&SessionFilter::default(), Page::default()).unwrap().total, 0);
}

#[test]
fn a_session_in_use_keeps_its_beginning() {
    let (_dir, _home, mut sessions) = scratch();
    for day in 0..10 {
        sessions.record(&event("daily", "x", NOW - day * DAY)).unwrap();
        sessions.record(&event("", "x", NOW - day * DAY)).unwrap();
    }
    sessions.record(&event("left", "x", NOW - 9 * DAY)).unwrap();
    let removed = sessions.forget(Keep { since_ms: NOW - 4 * DAY, ..Keep::default() }).unwrap();
    // Of sessions without a name what is old; and the one that nobody came back to.
    assert_eq!((removed.events, removed.sessions), (6, 1));
    let of = |name: &str| {
        let filter = EventFilter { session: Some(name.into()), ..EventFilter::default() };
        sessions.events(&filter, Page::default()).unwrap().total
    };
    assert_eq!((of("daily"), of(""), of("left")), (10, 5, 0));
}

#[test]
fn one_session_can_be_forgotten() {
    let (_dir, _home, mut sessions) = scratch();
    sessions.record(&event("a", "x", NOW)).unwrap();
    sessions.record(&event("b", "x", NOW)).unwrap();
    assert!(sessions.nudge_once("a", "read").unwrap());
    let removed = sessions.forget_session("claude-code", "a").unwrap();
    assert_eq!((removed.events, removed.sessions), (1, 1));
    assert_eq!(sessions.events(&EventFilter::default(), Page::default()).unwrap().total, 1);
    assert!(sessions.nudge_once("a", "read").unwrap());
}

#[test]
fn what_is_purged_is_counted_and_nothing_else_goes() {
    let (_dir, _home, mut sessions) = scratch();
    let at = |session: &str, project: &str| NewEvent { project: project.into(), ..event(session, "x", NOW) };
    for (session, project) in
        [("a", "/w/shop"), ("b", "/w/shop/api"), ("b", "/w/shop"), ("c", "/w/shopping"), ("d", "/w")]
    {
        sessions.record(&at(session, project)).unwrap();
    }
    sessions
        .ledger(&LedgerRow { project: "/w/shop".into(), ..call(Class::Measured, true, 1_000, 10, 5) })
        .unwrap();
    let total =
        |sessions: &Sessions| sessions.events(&EventFilter::default(), Page::default()).unwrap().total;
    for (which, events, left) in [
        (Records::Session("a".into()), 1, 4),
        (Records::Project("/w/shop/".into()), 2, 2),
        (Records::Project("/elsewhere".into()), 0, 2),
        (Records::All, 2, 0),
    ] {
        let counted = sessions.recorded(&which).unwrap();
        assert_eq!(counted.events, events, "{which:?}");
        assert_eq!(total(&sessions), left + events, "counting removes nothing");
        assert_eq!(sessions.forget_records(&which).unwrap(), counted);
        assert_eq!(total(&sessions), left, "{which:?}");
        assert!(sessions.recorded(&which).unwrap().is_nothing());
        // A figure is always that of its calls.
        let calls = sessions.calls(&LedgerFilter::default(), Page::default()).unwrap();
        let stats = sessions.stats(0).unwrap();
        assert_eq!(stats.totals, Totals::of(calls.items.iter().map(|call| &call.row)), "{which:?}");
        assert_eq!(stats.events, left, "{which:?}");
    }
    assert_eq!(sessions.sessions(&SessionFilter::default(), Page::default()).unwrap().total, 0);
}

#[test]
fn reading_before_anything_was_recorded_creates_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path().join("none"));
    assert!(Sessions::open_read_only(&home, &[]).unwrap().is_none());
    assert!(!home.root().exists());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Totals are the sums of what the rows say, parts are the whole, and numbers of any size are survived.
    #[test]
    fn totals_are_the_sums_of_the_rows(rows in proptest::collection::vec((0..3usize, any::<bool>(), 0..1u64 << 40, 0..1u64 << 40, 0..1u64 << 30, 0..3usize), 1..12)) {
        let (_dir, _home, mut sessions) = scratch();
        let (mut measured, mut estimated, mut overhead) = (0, 0, 0);
        for (class, ok, raw, returned, cost, agent) in rows {
            let class = [Class::None, Class::Measured, Class::Estimated][class];
            let row = LedgerRow { agent: format!("agent-{agent}"), ..call(class, ok, raw, returned, cost) };
            match class {
                Class::Measured => measured += row.saved_bytes(),
                Class::Estimated => estimated += row.saved_bytes(),
                Class::None => prop_assert_eq!(row.saved_bytes(), 0),
            }
            overhead += cost;
            sessions.ledger(&row).unwrap();
        }
        let stats = sessions.stats(0).unwrap();
        prop_assert_eq!(stats.totals.measured_bytes, measured);
        prop_assert_eq!(stats.totals.estimated_bytes, estimated);
        prop_assert_eq!(stats.totals.overhead_bytes, overhead);
        prop_assert_eq!(stats.totals.net_bytes, measured - i64::try_from(overhead).unwrap());
        prop_assert_eq!(stats.by_agent.iter().map(|g| g.totals.net_bytes).sum::<i64>(), stats.totals.net_bytes);
    }

    #[test]
    fn any_text_and_number_is_survived(text in "\\PC{0,60}", big in any::<u64>(), at in any::<i64>()) {
        let (_dir, _home, mut sessions) = scratch();
        let row = LedgerRow { session: text.clone(), agent: text.clone(), tool: text.clone(), raw_bytes: big, at_ms: at, ..call(Class::Measured, true, big, big / 3, big) };
        sessions.ledger(&row).unwrap();
        sessions.ledger(&row).unwrap();
        sessions.record(&NewEvent { bytes_before: Some(big), elapsed_us: big, ..event(&text, &text, at) }).unwrap();
        sessions.stats(i64::MIN).unwrap();
        sessions.forget(Keep { since_ms: i64::MAX, events_per_session: 1, ..Keep::default() }).unwrap();
        sessions.ledger(&row).unwrap();
        sessions.forget(Keep { since_ms: i64::MAX, events_per_session: 1, ..Keep::default() }).unwrap();
        sessions.days(i64::MIN, 0).unwrap();
        sessions.events(&EventFilter { contains: Some(text), ..EventFilter::default() }, Page { offset: big, limit: big }).unwrap();
    }
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
fn a_server_that_starts_leaves_ended_sessions_alone() {
    let (_dir, _home, mut sessions) = scratch();
    let of = |session: &str, kind: &str, at_ms: i64| NewEvent {
        kind: kind.into(),
        decision: "pass".into(),
        project: "/w/shop".into(),
        ..event(session, "x", at_ms)
    };
    for session in ["over", "here"] {
        sessions.record(&of(session, "prompt", NOW)).unwrap();
    }
    sessions.record(&of("over", "session_end", NOW + 1)).unwrap();
    let agent = of("x", "x", 0).agent;
    let served = sessions.prompted(&agent, std::path::Path::new("/w/shop"), NOW - 60_000).unwrap();
    assert_eq!(served.iter().map(|one| one.session.as_str()).collect::<Vec<_>>(), ["here"]);
    // The cost of its list is booked, and the session is no younger for it.
    let list = LedgerRow {
        session: "here".into(),
        agent,
        project: "/w/shop".into(),
        tool: TOOL_LIST.into(),
        ok: true,
        overhead_bytes: 900,
        at_ms: NOW + DAY,
        ..LedgerRow::default()
    };
    sessions.ledger(&list).unwrap();
    let filter = SessionFilter { session: Some("here".into()), ..SessionFilter::default() };
    let here = sessions.sessions(&filter, Page::default()).unwrap().items.remove(0);
    assert_eq!((here.last_ms, here.totals.overhead_bytes), (NOW, 900));
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
