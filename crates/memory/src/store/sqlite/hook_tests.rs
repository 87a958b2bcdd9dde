//! Questions about one project, such as a hook's, take no longer for what other projects have, and find the same.

use super::condition::Condition;
use super::{SqliteStore, lists};
use crate::domain::{Domain, Namespace};
use crate::query::{Filter, Scope, Selection};
use crate::store::{Actor, Draft, Effort, NewMemory, Page, Secrets, Store as _, Term};

const MINE: &str = "example.org/mine";
const NOW: i64 = 1_800_000_000_000;

fn of(project: &str, content: String, at_ms: i64) -> (NewMemory, Actor) {
    let project = Some(project.to_owned());
    let draft = Draft { project, ..Draft::new(content, Namespace::Decisions, Domain::Project) };
    (draft.check(Secrets::Redact).unwrap(), Actor::local_user(at_ms))
}

fn others(from: u64, to: u64) -> Vec<(NewMemory, Actor)> {
    (from..to).map(|n| of("example.org/other", format!("walrus harbour {n}"), NOW)).collect()
}

fn in_mine() -> Selection {
    Selection { scope: Scope::Project(MINE.into()), filter: Filter::default(), now_ms: NOW + 1 }
}

#[test]
fn a_hook_finds_the_projects_memory_of_a_word_that_others_use_too() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
    let parts = ranking::Query::parse("walrus harbour").parts.into_iter();
    let terms: Vec<Term> = parts.map(|part| Term { part, forms: Vec::new() }).collect();
    let found = |store: &SqliteStore, terms: &[Term], effort| -> Vec<i64> {
        let found = store.matches(&in_mine(), terms, effort).unwrap().all;
        let mut rows: Vec<i64> = found.into_iter().map(|one| one.key).collect();
        rows.sort_unstable();
        rows
    };
    store.capture_all(&[of(MINE, "a walrus in the harbour".into(), NOW)]).unwrap();
    store.capture_all(&others(0, 2_100)).unwrap();
    store.capture_all(&[of(MINE, "the walrus left the harbour".into(), NOW)]).unwrap();
    store.capture_all(&others(2_100, 4_200)).unwrap();
    for terms in [&terms[..1], &terms[..]] {
        for effort in [Effort::Usual, Effort::Quick] {
            assert_eq!(found(&store, terms, effort), [1, 2_102], "{effort:?}");
        }
    }
    // A database that nobody opened for writing since the last version: each match is looked at, and no more than so many.
    store.db.execute_batch("DROP INDEX memories_place").unwrap();
    assert_eq!(found(&store, &terms[..1], Effort::Usual), [1, 2_102]);
    assert_eq!(found(&store, &terms[..1], Effort::Quick), [2_102]);
}

#[test]
fn the_newest_of_a_project_are_found_whatever_others_have() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
    let mine = |n: i64| of(MINE, format!("mine {n}"), NOW - n);
    store.capture_all(&[mine(30), mine(20), mine(10)]).unwrap();
    // All at once, and in time after those.
    store.capture_all(&others(0, 9)).unwrap();
    let newest = |store: &SqliteStore, since_ms: i64, most: usize, among: i64| -> Vec<String> {
        let found = store.look(|db| lists::newest(db, &in_mine(), since_ms, (most, among))).unwrap();
        found.into_iter().map(|memory| memory.content).collect()
    };
    assert_eq!(newest(&store, 0, 9, 100), ["mine 10", "mine 20", "mine 30"]);
    assert_eq!(newest(&store, 0, 2, 100), ["mine 10", "mine 20"]);
    assert_eq!(newest(&store, NOW - 20, 9, 100), ["mine 10", "mine 20"]);
    assert_eq!(newest(&store, NOW - 19, 9, 100), ["mine 10"]);
    // Half of those that are looked at are the project's own.
    for (among, expected) in [(6, 3), (5, 2), (4, 2), (2, 1), (1, 0)] {
        assert_eq!(newest(&store, 0, 9, among).len(), expected, "{among}");
    }
    // The user's memories of every project are among them, by their time.
    let everywhere = Draft::new("everywhere", Namespace::Decisions, Domain::User);
    let everywhere = everywhere.check(Secrets::Redact).unwrap();
    store
        .capture_all(&[(everywhere, Actor::local_user(NOW - 15)), of(MINE, "mine 15".into(), NOW - 15)])
        .unwrap();
    let expected = ["mine 10", "mine 15", "everywhere", "mine 20", "mine 30"];
    assert_eq!(newest(&store, 0, 9, 8), expected);
    // It's what a list has, whose pages count everything.
    let listed = store.list(&in_mine(), Page { offset: 0, limit: 9 }).unwrap();
    let listed: Vec<String> = listed.memories.into_iter().map(|memory| memory.content).collect();
    assert_eq!(newest(&store, i64::MIN, 9, 8), listed);
    // A database that nobody opened for writing since the last version.
    store.db.execute_batch("DROP INDEX memories_place").unwrap();
    assert_eq!(newest(&store, 0, 9, 100), expected);
}

/// Checking takes as long as reading the whole file, and a hook is ended before that.
#[test]
fn a_hook_stores_and_leaves_the_check_of_a_file_to_others() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("memory.db");
    SqliteStore::open(&path).unwrap().capture_all(&others(0, 1)).unwrap();
    let log = dir.path().join("memory.db-wal");
    std::fs::write(&log, b"left behind").unwrap();
    SqliteStore::open_for_hook(&path).unwrap().capture_all(&others(1, 2)).unwrap();
    assert!(log.exists(), "it tells that a check is due");
    let store = SqliteStore::open(&path).unwrap();
    let everything = Selection { scope: Scope::Everywhere, filter: Filter::default(), now_ms: NOW + 1 };
    assert_eq!(store.list(&everything, Page { offset: 0, limit: 9 }).unwrap().total, 2);
    drop(store);
    assert!(!log.exists());
}

/// Building the index takes as long as reading every memory, and a memory that is captured meanwhile doesn't make it look complete.
#[test]
fn a_hook_stores_and_leaves_the_building_of_an_index_to_others() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("memory.db");
    let mut store = SqliteStore::open(&path).unwrap();
    store.capture_all(&others(0, 3)).unwrap();
    // What a process leaves that is ended between salvaging the file and building the index.
    store.db.execute_batch("INSERT INTO memory_index(memory_index) VALUES('delete-all')").unwrap();
    drop(store);
    let indexed = |store: &SqliteStore| -> i64 {
        let count = "SELECT count(*) FROM memory_index_docsize";
        store.look(|db| db.query_row(count, [], |r| r.get(0))).unwrap()
    };
    for n in 3..5 {
        let mut hook = SqliteStore::open_for_hook(&path).unwrap();
        hook.capture_all(&others(n, n + 1)).unwrap();
        assert_eq!((indexed(&hook), hook.has_whole_index()), (n as i64 - 2, false));
    }
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!((indexed(&store), store.has_whole_index()), (5, true));
}

/// A word is looked for within others when nothing else matches: at a million memories of other projects that may not be slow.
#[test]
fn a_part_of_a_word_is_looked_for_in_the_projects_own_memories() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
    let mine = |n: i64| of(MINE, format!("Hafenmeisterei {n}"), NOW - n);
    store.capture_all(&[mine(30), mine(10), mine(20)]).unwrap();
    store.capture_all(&[of("example.org/other", "Hafenmeisterei".into(), NOW)]).unwrap();
    let found = |store: &SqliteStore, most: usize, among: usize| -> Vec<String> {
        let found = store.containing(&in_mine(), &["%meisterei%".into()], (most, among)).unwrap();
        found.into_iter().map(|(_, memory)| memory.content).collect()
    };
    let newest_first = ["Hafenmeisterei 10", "Hafenmeisterei 20", "Hafenmeisterei 30"];
    for (most, among, expected) in [(9, 9, 3), (2, 9, 2), (9, 1, 1), (9, 0, 0)] {
        assert_eq!(found(&store, most, among), newest_first[..expected], "{most} {among}");
    }
    let condition = Condition::of(&in_mine());
    let sql = lists::containing_sql(&condition, Some(MINE), 1, (9, 9));
    let plan = store
        .look(|db| {
            let mut plan = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
            let steps = plan.raw_query().mapped(|r| r.get::<_, String>(3)).collect::<Result<Vec<_>, _>>()?;
            Ok(steps.join("; "))
        })
        .unwrap();
    assert!(plan.contains("USING INDEX memories_place"), "{plan}");
    // A database that nobody opened for writing since the last version.
    store.db.execute_batch("DROP INDEX memories_place").unwrap();
    assert_eq!(found(&store, 9, 9), newest_first);
}
