//! What is in the data folder, and whether its databases are sound.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use plimsoll_tests::{Scratch, Tree};

pub(crate) fn data(scratch: &Scratch) -> PathBuf {
    scratch.home.join(".plimsoll")
}

pub(crate) fn files_below(root: &Path) -> Vec<PathBuf> {
    Tree::of(root, &["."]).0.into_keys().map(|path| root.join(path)).collect()
}

/// Every database is sound, and none had to be salvaged. A server should be running, so that closing the database here doesn't
/// clean up.
pub(crate) fn databases_are_sound(scratch: &Scratch) {
    let files = files_below(&data(scratch));
    let mut seen = 0;
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(!name.contains(".damaged-"), "{} was found damaged", file.display());
        if name.ends_with(".db") {
            let db = rusqlite::Connection::open(&file).unwrap();
            db.busy_timeout(Duration::from_secs(10)).unwrap();
            let answer: String = db.query_row("PRAGMA quick_check", [], |row| row.get(0)).unwrap();
            assert_eq!(answer, "ok", "{}", file.display());
            seen += 1;
        }
    }
    assert!(seen > 0);
}

/// How many sources with such a label the knowledge base has, from a copy: opening the file itself would recover the log that a
/// killed process left, which the next server must prove it can.
pub(crate) fn sources_like(scratch: &Scratch, label: &str) -> usize {
    let is_part = |file: &PathBuf| {
        file.file_name().is_some_and(|name| name == "knowledge.db" || name == "knowledge.db-wal")
    };
    let copy = tempfile::tempdir_in(&scratch.tmp).unwrap();
    for file in files_below(&data(scratch)).into_iter().filter(is_part) {
        std::fs::copy(&file, copy.path().join(file.file_name().unwrap())).unwrap();
    }
    let db = rusqlite::Connection::open(copy.path().join("knowledge.db")).unwrap();
    let count: i64 =
        db.query_row("SELECT count(*) FROM sources WHERE label LIKE ?1", [label], |row| row.get(0)).unwrap();
    usize::try_from(count).unwrap()
}

/// The knowledge base's log, which every write goes to first.
pub(crate) fn knowledge_log(scratch: &Scratch) -> PathBuf {
    let db = files_below(&data(scratch)).into_iter().find(|file| file.ends_with("knowledge.db"));
    db.unwrap().with_file_name("knowledge.db-wal")
}

/// Shows that something was written: size and time.
pub(crate) fn written_to(file: &Path) -> Option<(u64, SystemTime)> {
    let meta = std::fs::metadata(file).ok()?;
    Some((meta.len(), meta.modified().ok()?))
}
