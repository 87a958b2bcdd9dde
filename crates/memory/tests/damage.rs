//! A `memory.db` that was damaged while nobody had it open: what can be read is read, the damaged file is kept, and an
//! error names the file, what can't be read and a way out. The place of the damage in the file is sampled.

#![allow(clippy::unwrap_used, reason = "a test")]

#[expect(dead_code, reason = "some of it is for the other tests")]
mod contract;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use contract::{ALL, NOW, capture, draft, select, shop};
use plimsoll_memory::actions::{ActionContext, RecallArgs, recall_memories};
use plimsoll_memory::store::{Actor, Draft, Effort, SqliteStore, Store, StoreError};

const MEMORIES: usize = 300;
const PAGE: usize = 4_096;
/// The number of places in the file that are damaged, one at a time.
const SAMPLES: usize = 14;

/// A database with memories in it that was closed as it should be; what each id says.
fn filled(path: &Path) -> HashMap<String, String> {
    let mut store = SqliteStore::open(path).unwrap();
    (0..MEMORIES)
        .map(|n| {
            let content = format!("memory number{n} {}", "filling ".repeat(40));
            let tags = vec![format!("tag{n}")];
            let captured = capture(&mut store, Draft { tags, ..draft(&content) });
            (captured.memory.id, content)
        })
        .collect()
}

/// Opens a damaged file as one process after the other does; the first may only find the damage out.
fn opened(path: &Path) -> Result<SqliteStore, StoreError> {
    match SqliteStore::open(path) {
        Err(error) if error.is_damage() => SqliteStore::open(path),
        other => other,
    }
}

/// Whether the damaged bytes are still somewhere, under whatever name.
fn is_kept(folder: &Path, bytes: &[u8]) -> bool {
    let files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.iter().any(|file| std::fs::read(file).is_ok_and(|now| now == bytes))
}

/// The outcome for a damaged file: how many of the memories are there, word for word. An error says what happened and
/// why.
fn outcome(what: &str, path: &Path, known: &HashMap<String, String>, damaged: &[u8]) -> Option<usize> {
    let folder = path.parent().unwrap();
    let store = match opened(path) {
        Ok(store) => store,
        Err(error) => {
            let noted = error.to_string();
            assert!(error.is_damage() && noted.contains("memory.db"), "{what}: {noted}");
            assert!(noted.contains("backup") || noted.contains("plimsoll doctor"), "{what}: {noted}");
            assert!(is_kept(folder, damaged), "{what}: the damaged file is gone");
            return None;
        }
    };
    if let Some(salvaged) = store.salvaged() {
        assert!(
            is_kept(folder, damaged),
            "{what}: the damaged file is not kept as {}",
            salvaged.kept.display()
        );
    }
    let all = store.list(&select(shop(), "", NOW), ALL).unwrap();
    for memory in &all.memories {
        assert_eq!(known.get(&memory.id), Some(&memory.content), "{what}: {} says something else", memory.id);
    }
    let found = store.matches(&select(shop(), "", NOW), &contract::terms("filling"), Effort::Quick);
    assert!(found.is_ok_and(|found| !found.all.is_empty()), "{what}: nothing is found");
    Some(all.memories.len())
}

#[test]
fn an_overwritten_page_loses_only_its_own_rows() {
    let dir = tempfile::tempdir().unwrap();
    let whole_path = dir.path().join("whole/memory.db");
    let known = filled(&whole_path);
    let whole = std::fs::read(&whole_path).unwrap();
    let pages = whole.len() / PAGE;
    let (mut unread, mut least) = (Vec::new(), MEMORIES);
    for sample in 0..SAMPLES {
        // From the second page on: without the first it is a file of something else.
        let page = 1 + sample * (pages - 2) / (SAMPLES - 1);
        let what = format!("page {page} of {pages}");
        let path = dir.path().join(format!("page{page}/memory.db"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut bytes = whole.clone();
        bytes[page * PAGE..(page + 1) * PAGE].fill(0xA5);
        std::fs::write(&path, &bytes).unwrap();
        // As a killed process leaves it, so that it is checked before it is trusted.
        std::fs::write(path.with_extension("db-wal"), b"x").unwrap();
        match outcome(&what, &path, &known, &bytes) {
            Some(there) => least = least.min(there),
            None => unread.push(what),
        }
    }
    // A memory of this size has a page for eight to itself; a page of an inner node has none.
    assert!(least >= MEMORIES - 16, "only {least} of {MEMORIES} are there");
    assert_eq!(unread, Vec::<String>::new(), "of these nothing was read");
}

#[test]
fn a_truncated_file_is_salvaged_as_far_as_it_goes() {
    let dir = tempfile::tempdir().unwrap();
    let whole_path = dir.path().join("whole/memory.db");
    let known = filled(&whole_path);
    let whole = std::fs::read(&whole_path).unwrap();
    for (share, within) in [(9, 0), (7, 100), (5, 2_000)] {
        let length = whole.len() * share / 10 / PAGE * PAGE + within;
        let path = dir.path().join(format!("cut{share}/memory.db"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &whole[..length]).unwrap();
        let what = format!("{length} of {} bytes", whole.len());
        let there = outcome(&what, &path, &known, &whole[..length]);
        eprintln!("{what}: {there:?} of {MEMORIES}");
        // Memories are spread over the file as they came, so that the longer it is the more are there.
        assert!(there.is_none_or(|there| there * 10 >= MEMORIES * (share - 4)), "{what}: {there:?}");
    }
}

/// A reader gets the error once, and the readable memories the next time, for each number of missing pages at the end.
#[test]
fn a_reader_misses_only_the_truncated_end() {
    let dir = tempfile::tempdir().unwrap();
    let whole_path = dir.path().join("whole/memory.db");
    let known = filled(&whole_path);
    let whole = std::fs::read(&whole_path).unwrap();
    for pages in [1, 2, 3, 8] {
        let database = dir.path().join(format!("cut{pages}/memory.db"));
        std::fs::create_dir_all(database.parent().unwrap()).unwrap();
        let cut = &whole[..whole.len() - pages * PAGE];
        std::fs::write(&database, cut).unwrap();
        let context = ActionContext {
            project: Some("github.com/acme/shop".into()),
            ..ActionContext::in_project(&database, None, Actor::local_user(NOW))
        };
        let asked = RecallArgs { filter: Some("status:any".into()), limit: Some(1), ..RecallArgs::default() };
        let told = recall_memories(&context, &asked);
        let total = told.or_else(|_| recall_memories(&context, &asked)).unwrap()["total"].as_u64().unwrap();
        // A page has eight of them at most.
        assert!(total as usize + 8 * pages >= known.len(), "{pages}: {total} of {}", known.len());
        if (total as usize) < known.len() {
            assert!(is_kept(database.parent().unwrap(), cut), "{pages}");
        }
    }
}

#[test]
fn a_foreign_database_is_left_as_it_is_and_reported() {
    type Make = fn(&Path);
    let foreign: [(&str, Make); 4] = [
        ("garbage", |path| std::fs::write(path, b"this was never a database ".repeat(400)).unwrap()),
        ("its head overwritten", |path| {
            filled(path);
            let mut bytes = std::fs::read(path).unwrap();
            bytes[..200].fill(0xff);
            std::fs::write(path, bytes).unwrap();
        }),
        ("a newer version's", |path| {
            let db = rusqlite::Connection::open(path).unwrap();
            db.execute_batch("CREATE TABLE x (y); INSERT INTO x VALUES (1); PRAGMA user_version = 4000")
                .unwrap();
        }),
        ("a folder", |path| std::fs::create_dir(path).unwrap()),
    ];
    for (what, make) in foreign {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory.db");
        make(&path);
        let before = std::fs::read(&path).ok();
        let error = opened(&path).err().unwrap_or_else(|| panic!("{what} was opened")).to_string();
        assert!(error.contains("memory.db"), "{what}: {error}");
        assert_eq!(std::fs::read(&path).ok(), before, "{what} was changed");
        // Looking says the same and makes nothing either.
        assert!(
            SqliteStore::open_read_only(&path).and_then(|store| store.unwrap().get("x")).is_err(),
            "{what}"
        );
    }
}

#[test]
fn a_clock_that_jumps_hides_nothing_that_has_no_end() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
    let mut ids = Vec::new();
    let year = 365 * 86_400_000_i64;
    for (n, at) in [NOW, NOW + 30 * year, 0, NOW - 5 * year, i64::MAX / 2, NOW + 1].into_iter().enumerate() {
        let checked =
            draft(&format!("said at {n} tide")).check(plimsoll_memory::store::Secrets::Redact).unwrap();
        let who = Actor { at_ms: at, ..contract::who() };
        ids.push(store.capture(&checked, &who).unwrap().memory.id);
    }
    for now in [NOW, 0, -1, NOW + 60 * year, i64::MAX - 1] {
        let selection = select(shop(), "", now);
        assert_eq!(store.list(&selection, ALL).unwrap().total, ids.len() as u64, "{now}");
        let asked = plimsoll_memory::recall::RecallRequest {
            query: Some("tide".into()),
            selection,
            limit: 20,
            ..Default::default()
        };
        let found = plimsoll_memory::recall::recall(&store, &asked).unwrap();
        assert_eq!(found.total, ids.len() as u64, "{now}");
        assert!(found.hits.iter().all(|hit| hit.score.is_some_and(f64::is_finite)), "{now}");
    }
}
