//! What lies in the data folder, and whether its databases are sound.

use std::path::{Path, PathBuf};
use std::time::Duration;

use plimsoll_tests::{Scratch, Tree};

pub(crate) fn data(scratch: &Scratch) -> PathBuf {
    scratch.home.join(".plimsoll")
}

pub(crate) fn files_below(root: &Path) -> Vec<PathBuf> {
    Tree::of(root, &["."]).0.into_keys().map(|path| root.join(path)).collect()
}

/// Every database is sound, and none had to be salvaged. A server should be running, so that closing here is
/// not what tidies up.
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
