//! Hints when the index is too large for a hook to read all its files, and the size at which that begins.

use super::*;

fn starts(world: &World, session: &str) -> String {
    let told = world.tell_main(session, EventKind::SessionStart { source: Some("startup".into()) });
    told.map(|told| told.text).unwrap()
}

#[test]
fn a_large_index_is_announced_without_counting() {
    let world = World::new();
    let small = starts(&world, "a");
    assert!(small.contains("code: 13 files, ") && small.contains("src/cart.ts 4"), "{small}");
    let db = rusqlite::Connection::open(world.db()).unwrap();
    let more = "INSERT INTO chunks(file, key, start_line, end_line)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         SELECT (SELECT min(id) FROM files), x'00', 1, 1 FROM n";
    db.execute(more, [i64::try_from(MOST_PARTS).unwrap()]).unwrap();
    drop(db);
    let large = starts(&world, "b");
    assert!(large.starts_with("Plimsoll has an index of this project's code. "), "{large}");
    assert!(large.contains("mcp__plimsoll__codebase answers") && !large.contains("src"), "{large}");
    assert_eq!(world.grep(r"total_of_cart\(", "No matches found"), None);
}

/// Every part ever indexed has used up a number.
#[test]
fn a_frequently_rewritten_index_is_not_a_large_one() {
    let world = World::new();
    let db = rusqlite::Connection::open(world.db()).unwrap();
    let last = "UPDATE sqlite_sequence SET seq = ?1 WHERE name = 'chunks'";
    assert_eq!(db.execute(last, [i64::try_from(MOST_PARTS).unwrap()]).unwrap(), 1);
    drop(db);
    world.write("src/d.ts", "export const d = 41;\n");
    world.index();
    let store = Store::open_read_only(&world.db()).unwrap().unwrap();
    assert!(store.max_chunk_id().unwrap() > MOST_PARTS);
    drop(store);
    let told = starts(&world, "a");
    assert!(told.contains("code: 13 files, ") && told.contains("src/cart.ts 4"), "{told}");
    let told = world.grep(r"total_of_cart\(", "No matches found").unwrap();
    assert!(told.contains("src/cart.ts:1 function cartTotal"), "{told}");
}
