//! The figures: measured, estimated and overhead stay separate and match the rows.

use plimsoll_sessions::{
    Class, EventFilter, Keep, LedgerFilter, LedgerRow, NewEvent, Page, SessionFilter, TOOL_LIST,
};
use proptest::prelude::*;

use super::{DAY, NOW, call, event, scratch};

#[test]
fn measured_estimated_and_overhead_stay_apart() {
    let (_dir, _home, mut sessions) = scratch();
    sessions.ledger(&call(Class::Measured, true, 10_000, 400, 100)).unwrap();
    sessions.ledger(&call(Class::Estimated, true, 8_000, 0, 50)).unwrap();
    // A failed call saves nothing, whatever it claims, and its overhead still counts.
    sessions.ledger(&call(Class::Measured, false, 1_000_000, 10, 30)).unwrap();
    // Text from the model itself: nothing was kept out.
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
    let served = sessions.active_sessions(&agent, std::path::Path::new("/w/shop"), NOW - 60_000).unwrap();
    assert_eq!(served.iter().map(|one| one.session.as_str()).collect::<Vec<_>>(), ["here"]);
    // Its list is booked, and that doesn't make the session look recently active.
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Totals are the sums of the rows, the groups add up to the whole, and numbers of any size are handled.
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
