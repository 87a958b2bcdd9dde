//! What is told of an index that is too large for a hook to read all its files.

use super::*;

#[test]
fn of_a_large_index_a_session_is_told_that_it_is_there_and_nothing_is_counted() {
    let world = World::new();
    let starts = |session: &str| {
        let told = world.tell_main(session, EventKind::SessionStart { source: Some("startup".into()) });
        told.map(|told| told.text).unwrap()
    };
    let small = starts("a");
    assert!(small.contains("code: 13 files, ") && small.contains("src/cart.ts 4"), "{small}");
    // Its last part has the number that it has in an index of so many.
    let db = rusqlite::Connection::open(world.db()).unwrap();
    let last = "UPDATE chunks SET id = ?1 WHERE id = (SELECT max(id) FROM chunks)";
    assert_eq!(db.execute(last, [i64::try_from(MOST_PARTS).unwrap() + 1]).unwrap(), 1);
    drop(db);
    let large = starts("b");
    assert!(large.starts_with("Plimsoll has an index of this project's code. "), "{large}");
    assert!(large.contains("mcp__plimsoll__codebase answers") && !large.contains("src"), "{large}");
}
