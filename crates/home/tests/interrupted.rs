//! When a process is ended while it salvages a damaged database, the next one finishes the work.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use plimsoll_home::{
    Migration, damaged_copies, is_marked_damaged, open_db, open_db_unchecked, remove_damaged_copy, set_aside,
    write,
};

const SCHEMA: &[Migration] = &[Migration { version: 1, sql: "CREATE TABLE notes (body TEXT)" }];

/// Makes a database at `path` with a few pages in the middle overwritten.
fn damaged(path: &Path) {
    let mut db = open_db(path, SCHEMA).unwrap();
    let body = "x".repeat(900);
    write(&mut db, |t| {
        for _ in 0..2_000 {
            t.execute("INSERT INTO notes (body) VALUES (?1)", [&body])?;
        }
        Ok(())
    })
    .unwrap();
    drop(db);
    let mut file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
    let length = file.metadata().unwrap().len();
    file.seek(SeekFrom::Start(length / 2)).unwrap();
    file.write_all(&[0xAA; 3 * 4096]).unwrap();
}

#[test]
fn a_salvage_that_was_ended_between_two_moves_is_done_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    damaged(&path);
    // The damaged file is set aside, and the new one isn't in its place yet.
    std::fs::rename(&path, dir.path().join("a.db.damaged-1700000000000")).unwrap();
    for left in ["a.db.salvage-1700000000000", "a.db.salvage-1700000000000.copy"] {
        std::fs::write(dir.path().join(left), b"").unwrap();
    }
    // A hook has no time to salvage, and creates no empty file.
    drop(open_db_unchecked(&path, SCHEMA).unwrap());
    assert!(is_marked_damaged(&path));
    let db = open_db(&path, SCHEMA).unwrap();
    let salvaged = db.salvaged().expect("it is salvaged").clone();
    let rows: i64 = db.query_row("SELECT count(*) FROM notes", [], |row| row.get(0)).unwrap();
    assert!(rows > 1_900 && rows.unsigned_abs() == salvaged.rows, "{rows} of 2000 rows, {salvaged:?}");
    assert!(salvaged.kept.exists() && !is_marked_damaged(&path));
    let names = std::fs::read_dir(dir.path()).unwrap().flatten();
    let names: Vec<String> = names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    assert!(!names.iter().any(|name| name.contains(".salvage-")), "{names:?}");
}

/// A salvage that can't be finished, here because the new file can't be created, is like one that was ended.
#[test]
fn a_salvage_that_did_not_end_is_due_after_its_log_is_gone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    damaged(&path);
    std::fs::write(dir.path().join("a.db-wal"), b"left behind").unwrap();
    // Makes the second step fail: the new file can't be created.
    let unmakeable = [SCHEMA[0], Migration { version: 2, sql: "not a statement" }];
    let taken = &unmakeable[..1];
    assert!(open_db(&path, &unmakeable).is_err());
    assert!(is_marked_damaged(&path));
    let db = open_db(&path, taken).unwrap();
    assert!(db.salvaged().expect("it is still due").rows > 1_900 && !is_marked_damaged(&path));
}

#[test]
fn what_was_set_aside_stays_there() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    damaged(&path);
    std::fs::write(dir.path().join("a.db.salvage-1700000000000"), b"").unwrap();
    let kept = set_aside(&path, 1_700_000_000_001).unwrap();
    let db = open_db(&path, SCHEMA).unwrap();
    let rows: i64 = db.query_row("SELECT count(*) FROM notes", [], |row| row.get(0)).unwrap();
    assert!(rows == 0 && db.salvaged().is_none() && kept.exists());
}

#[test]
fn a_hook_leaves_the_check_to_a_process_with_more_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    damaged(&path);
    // The process ended without closing the database, so its log file remains.
    std::fs::write(dir.path().join("a.db-wal"), b"left behind").unwrap();
    for _ in 0..2 {
        assert!(open_db_unchecked(&path, SCHEMA).unwrap().salvaged().is_none());
    }
    assert!(open_db(&path, SCHEMA).unwrap().salvaged().expect("the damage is noticed").rows > 1_900);
}

/// A copy is listed as long as it exists, unless it's needed to put an interrupted salvage back.
#[test]
fn damaged_copies_are_found_and_removed_with_their_logs() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let at = |name: &str| dir.path().join(name);
    for name in [
        "a.db",
        "a.db.damaged-1700000000001",
        "a.db.damaged-1700000000001-wal",
        "a.db.damaged-900",
        "a.db.damaged-1700000000002",
        "a.db.salvage-1700000000002",
        "a.db.damaged-later",
        "b.db.damaged-1700000000003",
    ] {
        std::fs::write(at(name), b"x").unwrap();
    }
    let copies = damaged_copies(&path);
    assert_eq!(copies, [at("a.db.damaged-900"), at("a.db.damaged-1700000000001")]);
    for copy in &copies {
        remove_damaged_copy(copy).unwrap();
    }
    assert!(damaged_copies(&path).is_empty() && !at("a.db.damaged-1700000000001-wal").exists());
    for left in ["a.db", "a.db.damaged-1700000000002", "a.db.damaged-later", "b.db.damaged-1700000000003"] {
        assert!(at(left).exists(), "{left}");
    }
}

/// The log of a copy has texts as well. Without the copy nobody would find it again.
#[test]
fn a_copy_whose_log_cannot_be_removed_is_still_found() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let copy = dir.path().join("a.db.damaged-1700000000001");
    let log = dir.path().join("a.db.damaged-1700000000001-wal");
    std::fs::write(&copy, b"x").unwrap();
    std::fs::create_dir(&log).unwrap();
    assert!(remove_damaged_copy(&copy).is_err());
    assert_eq!(damaged_copies(&path), std::slice::from_ref(&copy));
    std::fs::remove_dir(&log).unwrap();
    remove_damaged_copy(&copy).unwrap();
    assert!(damaged_copies(&path).is_empty());
}
