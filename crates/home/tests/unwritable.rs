//! A database beside which nothing can be written is read all the same.
#![cfg(unix)]

use plimsoll_home::{DbError, Migration, open_db, open_db_briefly, open_db_read_only, write};

const SCHEMA: &[Migration] = &[Migration { version: 1, sql: "CREATE TABLE notes (body TEXT)" }];

/// SQLite can't make its log where a link to nowhere has its name, which stops root as well.
#[test]
fn what_is_stored_is_read_where_no_log_can_be_made() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("a b?#%é");
    let path = folder.join("notes.db");
    let mut db = open_db(&path, SCHEMA).unwrap();
    write(&mut db, |t| t.execute("INSERT INTO notes VALUES ('kept')", [])).unwrap();
    drop(db);
    std::os::unix::fs::symlink("no-such-folder/log", folder.join("notes.db-wal")).unwrap();
    assert!(open_db_read_only(&path, 1).is_err_and(|error| error.is_unwritable()));
    let db = open_db_briefly(&path, 1).unwrap().unwrap();
    let body: String = db.query_row("SELECT body FROM notes", [], |row| row.get(0)).unwrap();
    assert_eq!(body, "kept");
    assert!(db.execute("DELETE FROM notes", []).is_err());
    assert!(matches!(open_db_briefly(&path, 0), Err(DbError::NewerSchema { found: 1, known: 0, .. })));
    assert!(open_db_briefly(&folder.join("none.db"), 1).unwrap().is_none());
}
