//! When a source was last used: a search marks what it shows, and nothing else.

use std::path::Path;

use plimsoll_knowledge::folder::{Origin, WalkOptions, index};
use plimsoll_knowledge::{PurgeScope, SourceQuery, SourceSort, Store};

use crate::common::{request, temp};

const HOUR: i64 = 3_600_000;
const NOW: i64 = 100 * HOUR;

fn used(store: &Store) -> Vec<(String, Option<i64>)> {
    let wanted = SourceQuery { sort: SourceSort::Used, limit: 10, ..SourceQuery::default() };
    let listed = store.browse(&wanted).expect("browse").sources;
    listed.into_iter().map(|source| (source.label, source.used_ms)).collect()
}

fn search(store: &mut Store, words: &str, now_ms: i64) {
    let (reply, _) = store.search_fresh(&request(&[words]), &|_: &Path| false, now_ms).expect("search");
    assert_eq!(reply.per_query[0].hits.len(), 1);
}

#[test]
fn a_source_that_a_search_shows_counts_as_used() {
    let mut t = temp();
    t.add("tides", "The manatee drifts with the tide.");
    t.add("rivers", "The dugong keeps to the river.");
    assert_eq!(used(&t.store), [("rivers".to_owned(), None), ("tides".to_owned(), None)]);
    search(&mut t.store, "manatee", NOW);
    assert_eq!(used(&t.store), [("tides".to_owned(), Some(NOW)), ("rivers".to_owned(), None)]);
    // The same hour is the same use, and nothing is written for it.
    search(&mut t.store, "manatee", NOW + HOUR - 1);
    assert_eq!(used(&t.store)[0].1, Some(NOW));
    search(&mut t.store, "manatee", NOW + HOUR + 1);
    assert_eq!(used(&t.store)[0].1, Some(NOW + HOUR + 1));
    // Stored again under its name, it is the same source.
    t.add("tides", "The manatee drifts with the current.");
    assert_eq!(used(&t.store)[0], ("tides".to_owned(), Some(NOW + HOUR + 1)));
}

#[test]
fn a_folder_is_used_with_its_files() {
    let mut t = temp();
    let root = t.dir.path().join("docs");
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("gear.md"), "# Gear\n\nThe capstan raises the anchor.\n").unwrap();
    std::fs::write(root.join("tide.md"), "# Tide\n\nThe moon does it.\n").unwrap();
    let walk = WalkOptions::default();
    index(&mut t.store, &root, &walk, &Origin { now_ms: 1, ..Origin::default() }, &mut |_| true).unwrap();
    search(&mut t.store, "capstan", NOW);
    let folder = &t.store.sources(0, 10).unwrap().sources[0];
    assert_eq!(folder.used_ms, Some(NOW));
    let files = t.store.folder_files(folder.id, 0, 10).unwrap();
    assert_eq!(files.iter().map(|file| file.used_ms).collect::<Vec<_>>(), [Some(NOW), None]);
}

#[test]
fn a_search_does_not_wait_for_a_writer() {
    let mut t = temp();
    t.add("tides", "The manatee drifts with the tide.");
    let writer = rusqlite::Connection::open(t.dir.path().join("knowledge.db")).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    let started = std::time::Instant::now();
    search(&mut t.store, "manatee", NOW);
    assert!(started.elapsed() < std::time::Duration::from_secs(1));
    assert_eq!(used(&t.store)[0].1, None);
    writer.execute_batch("ROLLBACK").unwrap();
    search(&mut t.store, "manatee", NOW);
    assert_eq!(used(&t.store)[0].1, Some(NOW));
}

#[test]
fn it_survives_a_purge_that_is_undone() {
    let mut t = temp();
    t.add("tides", "The manatee drifts with the tide.");
    search(&mut t.store, "manatee", NOW);
    let trash = t.dir.path().join("trash");
    let purged = t.store.purge(&PurgeScope::All, Some(&trash), NOW).unwrap();
    let file = purged.trash.unwrap();
    t.store.restore(&file).unwrap();
    assert_eq!(used(&t.store), [("tides".to_owned(), Some(NOW))]);
    // What an earlier version purged comes back as well.
    let purged = t.store.purge(&PurgeScope::All, Some(&trash), NOW + 1).unwrap();
    let file = purged.trash.unwrap();
    let old = rusqlite::Connection::open(&file).unwrap();
    old.execute_batch("ALTER TABLE sources DROP COLUMN used_ms").unwrap();
    drop(old);
    t.store.restore(&file).unwrap();
    assert_eq!(used(&t.store), [("tides".to_owned(), None)]);
}

#[test]
fn a_knowledge_base_of_the_first_version_is_brought_up_to_date() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("knowledge.db");
    let mut store = Store::open(&path).unwrap();
    crate::common::add(&mut store, "tides", "The manatee drifts with the tide.");
    drop(store);
    let first = rusqlite::Connection::open(&path).unwrap();
    first.execute_batch("ALTER TABLE sources DROP COLUMN used_ms; PRAGMA user_version = 1").unwrap();
    drop(first);
    let mut store = Store::open(&path).unwrap();
    search(&mut store, "manatee", NOW);
    assert_eq!(used(&store), [("tides".to_owned(), Some(NOW))]);
}
