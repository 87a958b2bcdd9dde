//! Retention, deleting a session, and purging: what goes, what stays, and which totals change.

use plimsoll_sessions::{
    Class, EventFilter, Keep, LedgerFilter, LedgerRow, NewEvent, Page, RecordScope, SessionFilter, Sessions,
    Totals,
};

use super::{DAY, NOW, call, event, scratch};

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
    // Those of five days, and two beyond one session's limit.
    assert_eq!((removed.calls, removed.events), (15, 7));
    assert!(sessions.forget(keep).unwrap().is_nothing());
    let after = sessions.stats(0).unwrap();
    assert_eq!(
        (after.totals, &after.by_agent, &after.by_tool),
        (before.totals, &before.by_agent, &before.by_tool)
    );
    // Deleted a second time, later: the totals of the same day are merged.
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
    // Old events of sessions without an ID; and the session that nobody returned to.
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
fn nothing_of_what_was_deleted_is_left_in_any_file() {
    type Delete = fn(&mut Sessions, &str);
    let ways: [Delete; 2] = [
        |sessions, session| {
            sessions.forget_session("claude-code", session).unwrap();
        },
        |sessions, session| {
            sessions.forget_records(&RecordScope::Session(session.into())).unwrap();
        },
    ];
    for delete in ways {
        let (_dir, home, mut sessions) = scratch();
        for n in 0..50 {
            for session in ["gone", "stays"] {
                sessions.record(&event(session, &format!("the zyxwvut {session} number {n}"), NOW)).unwrap();
            }
        }
        delete(&mut sessions, "gone");
        let files = std::fs::read_dir(home.root()).unwrap().flatten().map(|entry| entry.path());
        let bytes: Vec<u8> =
            files.filter(|path| path.is_file()).flat_map(|path| std::fs::read(path).unwrap()).collect();
        let has = |word: &str| bytes.windows(word.len()).any(|part| part == word.as_bytes());
        assert!(has("zyxwvut stays") && !has("zyxwvut gone"));
    }
}

#[test]
fn a_purge_counts_what_it_removes_and_removes_nothing_else() {
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
        (RecordScope::Session("a".into()), 1, 4),
        (RecordScope::Project("/w/shop/".into()), 2, 2),
        (RecordScope::Project("/elsewhere".into()), 0, 2),
        (RecordScope::All, 2, 0),
    ] {
        let counted = sessions.count_records(&which).unwrap();
        assert_eq!(counted.events, events, "{which:?}");
        assert_eq!(total(&sessions), left + events, "counting removes nothing");
        assert_eq!(sessions.forget_records(&which).unwrap(), counted);
        assert_eq!(total(&sessions), left, "{which:?}");
        assert!(sessions.count_records(&which).unwrap().is_nothing());
        // A figure always matches its calls.
        let calls = sessions.calls(&LedgerFilter::default(), Page::default()).unwrap();
        let stats = sessions.stats(0).unwrap();
        assert_eq!(stats.totals, Totals::of(calls.items.iter().map(|call| &call.row)), "{which:?}");
        assert_eq!(stats.events, left, "{which:?}");
    }
    assert_eq!(sessions.sessions(&SessionFilter::default(), Page::default()).unwrap().total, 0);
}
