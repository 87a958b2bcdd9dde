//! An agent waits for a call's row and for a reader's figures, but not for who goes on writing.

use plimsoll_sessions::{Class, EventFilter, Note, Page, Sessions, TOOL_LIST, append_notes};
use rusqlite::{Connection, TransactionBehavior};

use crate::{NOW, call, event, scratch};

fn noted(sessions: &Sessions) -> Vec<String> {
    let page = Page { offset: 0, limit: 10 };
    let events = sessions.events(&EventFilter::default(), page).unwrap().items;
    events.into_iter().map(|one| one.event.summary).collect()
}

/// Who writes may be a backup, or a program that was stopped in the middle.
#[test]
fn neither_a_call_nor_a_reader_waits_for_who_goes_on_writing() {
    let (_dir, home, mut sessions) = scratch();
    append_notes(&home, &[Note::Event(event("s", "one", NOW))]).unwrap();
    let mut list = call(Class::None, true, 0, 0, 4);
    list.tool = TOOL_LIST.into();
    let mut other = Connection::open(home.main_db()).unwrap();
    let writing = other.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
    let started = std::time::Instant::now();
    sessions.ledger_many(&[call(Class::Measured, true, 900, 100, 9), list]).unwrap();
    assert!(noted(&sessions).is_empty(), "figures without the latest events are better than none");
    drop(Sessions::open(&home, &[]).unwrap());
    assert!(started.elapsed() < home::BUSY_TIMEOUT, "{:?}", started.elapsed());
    writing.rollback().unwrap();
    assert_eq!(noted(&sessions), ["one"]);
    let totals = sessions.stats(0).unwrap().totals;
    assert_eq!((totals.calls, totals.measured_bytes, totals.overhead_bytes), (1, 800, 13), "booked once");
    sessions.ledger_many(&[call(Class::None, true, 0, 0, 1)]).unwrap();
    assert_eq!(sessions.stats(0).unwrap().totals.overhead_bytes, 14);
}
