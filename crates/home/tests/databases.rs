//! Tests for the databases: a newer file is left unchanged, a killed process and sixteen concurrent writers
//! lose nothing, and a damaged file is repaired and kept.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::Command;

use plimsoll_home::{DbError, Migration, open_db, open_db_read_only, write};

const SCHEMA: &[Migration] = &[
    Migration { version: 1, sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, who TEXT, body TEXT)" },
    Migration { version: 2, sql: "CREATE INDEX notes_who ON notes (who)" },
];

fn count(path: &Path) -> i64 {
    let db = open_db(path, SCHEMA).unwrap();
    db.query_row("SELECT count(*) FROM notes", [], |row| row.get(0)).unwrap()
}

#[test]
fn a_newer_schema_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    drop(open_db(&path, SCHEMA).unwrap());
    let before = std::fs::read(&path).unwrap();
    let error = open_db(&path, &SCHEMA[..1]).unwrap_err();
    assert!(matches!(error, DbError::NewerSchema { found: 2, known: 1, .. }), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert!(matches!(open_db_read_only(&path, 1), Err(DbError::NewerSchema { .. })));
    assert!(open_db_read_only(&dir.path().join("none.db"), 1).unwrap().is_none());
}

#[test]
fn a_file_that_is_just_being_made_has_no_tables_yet() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let has_tables = || open_db_read_only(&path, 2).unwrap().unwrap().has_tables().unwrap();
    drop(open_db(&path, &[]).unwrap());
    assert!(!has_tables());
    drop(open_db(&path, SCHEMA).unwrap());
    assert!(has_tables());
}

#[cfg(unix)]
#[test]
fn files_are_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("deep/a.db");
    let mut db = open_db(&path, SCHEMA).unwrap();
    write(&mut db, |t| t.execute("INSERT INTO notes (who) VALUES ('a')", [])).unwrap();
    for entry in std::fs::read_dir(path.parent().unwrap()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o077, 0, "{:?}", entry.path());
    }
}

/// Starts this test binary again as a writer. Environment variables give it the folder and the number of rows.
#[test]
fn writer_process() {
    let Ok(path) = std::env::var("TEST_WRITER_DB") else { return };
    let who = std::env::var("TEST_WRITER_NAME").unwrap();
    let rows: usize = std::env::var("TEST_WRITER_ROWS").unwrap().parse().unwrap();
    let mut db = open_db(Path::new(&path), SCHEMA).unwrap();
    for n in 0..rows {
        write(&mut db, |t| t.execute("INSERT INTO notes (who, body) VALUES (?1, ?2)", (&who, n.to_string())))
            .unwrap();
        println!("committed {n}");
    }
}

fn writer(path: &Path, who: &str, rows: usize) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["writer_process", "--exact", "--nocapture"]);
    command
        .env("TEST_WRITER_DB", path)
        .env("TEST_WRITER_NAME", who)
        .env("TEST_WRITER_ROWS", rows.to_string());
    command.stdout(std::process::Stdio::piped());
    command
}

#[test]
fn sixteen_processes_writing_at_once_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let children: Vec<_> = (0..16).map(|n| writer(&path, &format!("w{n}"), 25).spawn().unwrap()).collect();
    for child in children {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    assert_eq!(count(&path), 16 * 25);
}

#[cfg(unix)]
#[test]
fn a_killed_writer_loses_no_committed_row() {
    use std::io::{BufRead, BufReader};
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let mut committed = 0;
    for round in 0..8 {
        let mut child = writer(&path, "w", 1_000_000).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut here = 0;
        for line in lines.by_ref() {
            if line.unwrap().contains("committed") {
                here += 1;
            }
            if here == 5 + round * 7 {
                break;
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // Lines still in the pipe were also committed.
        here += lines.filter(|line| line.as_ref().is_ok_and(|line| line.contains("committed"))).count();
        committed += i64::try_from(here).unwrap();
        let rows = count(&path);
        assert!(rows >= committed, "{rows} rows, {committed} were reported as committed");
        committed = rows;
    }
}

#[test]
fn a_damaged_file_is_salvaged_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let mut db = open_db(&path, SCHEMA).unwrap();
    let body = "x".repeat(900);
    write(&mut db, |t| {
        for n in 0..2_000 {
            t.execute("INSERT INTO notes (who, body) VALUES (?1, ?2)", (n.to_string(), &body))?;
        }
        Ok(())
    })
    .unwrap();
    drop(db);
    let length = std::fs::metadata(&path).unwrap().len();
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(length / 2)).unwrap();
    file.write_all(&[0xAA; 3 * 4096]).unwrap();
    drop(file);
    // The process ended without closing the database, so its log file remains.
    std::fs::write(dir.path().join("a.db-wal"), b"left behind").unwrap();
    let db = open_db(&path, SCHEMA).unwrap();
    let salvaged = db.salvaged().expect("the damage is noticed").clone();
    let rows: i64 = db.query_row("SELECT count(*) FROM notes", [], |row| row.get(0)).unwrap();
    assert!(rows > 1_900, "{rows} of 2000 rows were saved");
    assert_eq!(salvaged.rows, u64::try_from(rows).unwrap());
    assert!(salvaged.kept.exists());
    let ok: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(ok, "ok");
}

/// Two steps to tables whose definitions take several pages; the second drops a table, which moves a root.
fn many_tables() -> Vec<String> {
    let table = |n: usize| {
        let note = "why it is as it is ".repeat(16);
        format!(
            "CREATE TABLE t{n} ( -- {note}
                 id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, body TEXT);
             CREATE INDEX t{n}_body ON t{n}(body);"
        )
    };
    let first: String = (0..14).map(table).collect();
    let second: String = (14..20).map(table).collect();
    vec![first, format!("DROP TABLE t7; {second} CREATE VIRTUAL TABLE found USING fts5(text);")]
}

#[test]
fn any_page_but_the_first_may_be_overwritten_and_the_others_are_read() {
    let steps: Vec<&'static str> = many_tables().into_iter().map(|step| &*step.leak()).collect();
    let schema: Vec<Migration> = (1..).zip(&steps).map(|(version, sql)| Migration { version, sql }).collect();
    let rows = |path: &Path| -> i64 {
        let db = open_db(path, &schema).unwrap();
        (0..20)
            .filter(|n| *n != 7)
            .map(|n| -> i64 {
                db.query_row(&format!("SELECT count(*) FROM t{n} WHERE body = 't{n}'"), [], |row| row.get(0))
                    .unwrap()
            })
            .sum()
    };
    for vacuumed in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.db");
        // As two versions of the program made it.
        drop(open_db(&path, &schema[..1]).unwrap());
        let db = open_db(&path, &schema).unwrap();
        for n in (0..20).filter(|n| *n != 7) {
            let row = format!("INSERT INTO t{n} (name, body) VALUES (?1, 't{n}')");
            (0..5).for_each(|at| assert_eq!(db.execute(&row, [at.to_string()]).unwrap(), 1));
        }
        if vacuumed {
            db.execute_batch("VACUUM").unwrap();
        }
        drop(db);
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(rows(&path), 19 * 5);
        let pages = whole.len() / 4_096;
        for page in 1..pages {
            let mut bytes = whole.clone();
            bytes[page * 4_096..(page + 1) * 4_096].fill(0xA5);
            let damaged = dir.path().join(format!("{page}/a.db"));
            std::fs::create_dir_all(damaged.parent().unwrap()).unwrap();
            std::fs::write(&damaged, &bytes).unwrap();
            std::fs::write(damaged.with_extension("db-wal"), b"left behind").unwrap();
            // One page of a table has all five of its rows.
            assert!(
                rows(&damaged) >= 18 * 5,
                "page {page} of {pages}, vacuumed: {vacuumed}: {}",
                rows(&damaged)
            );
            let left: Vec<_> = std::fs::read_dir(damaged.parent().unwrap())
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .filter(|name| name.contains("salvage"))
                .collect();
            assert_eq!(left, Vec::<String>::new());
        }
    }
}

#[test]
fn a_file_that_was_cut_off_is_salvaged_as_far_as_it_goes() {
    for (part, least) in [(9, 1_500), (5, 700), (1, 50)] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.db");
        let mut db = open_db(&path, SCHEMA).unwrap();
        let body = "x".repeat(900);
        write(&mut db, |t| {
            for n in 0..2_000 {
                t.execute("INSERT INTO notes (who, body) VALUES (?1, ?2)", (n.to_string(), &body))?;
            }
            Ok(())
        })
        .unwrap();
        drop(db);
        let length = std::fs::metadata(&path).unwrap().len();
        let cut = length * part / 10 + 100;
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(cut).unwrap();
        let db = open_db(&path, SCHEMA).unwrap();
        let salvaged = db.salvaged().expect("the damage is noticed").clone();
        let rows: i64 = db.query_row("SELECT count(*) FROM notes", [], |row| row.get(0)).unwrap();
        assert!(rows > least, "{part}/10: {rows} of 2000 rows were saved");
        let whole: i64 = db
            .query_row("SELECT count(*) FROM notes WHERE length(body) = 900", [], |row| row.get(0))
            .unwrap();
        assert_eq!(whole, rows, "{part}/10: half a row is none");
        assert_eq!(std::fs::metadata(&salvaged.kept).unwrap().len(), cut, "what was left is kept as it was");
        let ok: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(ok, "ok");
    }
}

#[test]
fn rows_whose_parents_were_lost_do_not_block_the_rest() {
    let schema = [Migration {
        version: 1,
        sql: "CREATE TABLE folders (id INTEGER PRIMARY KEY, name TEXT);
              CREATE TABLE files (id INTEGER PRIMARY KEY, folder INTEGER REFERENCES folders (id), body TEXT);
              CREATE TABLE parts (id INTEGER PRIMARY KEY, file INTEGER NOT NULL REFERENCES files (id));
              CREATE TABLE tags (id INTEGER PRIMARY KEY, folder INTEGER NOT NULL REFERENCES folders (id));",
    }];
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let db = open_db(&path, &schema).unwrap();
    db.pragma_update(None, "foreign_keys", false).unwrap();
    let body = "x".repeat(900);
    // Folders are written last, so the cut removes them first.
    for n in 0..300 {
        db.execute("INSERT INTO files VALUES (?1, ?2, ?3)", (n, 1_000 + n, &body)).unwrap();
        db.execute("INSERT INTO parts VALUES (?1, ?1)", [n]).unwrap();
        db.execute("INSERT INTO tags VALUES (?1, ?2)", [n, 1_000 + n]).unwrap();
    }
    for n in 0..300 {
        db.execute("INSERT INTO folders VALUES (?1, ?2)", (1_000 + n, &body)).unwrap();
    }
    drop(db);
    let length = std::fs::metadata(&path).unwrap().len();
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length * 6 / 10).unwrap();
    let db = open_db(&path, &schema).unwrap();
    let count = |sql: &str| -> i64 { db.query_row(sql, [], |row| row.get(0)).unwrap() };
    assert!(db.salvaged().is_some());
    assert!(count("SELECT count(*) FROM files") > 200);
    assert!(count("SELECT count(*) FROM parts") > 200);
    assert!(count("SELECT count(*) FROM files WHERE folder IS NULL") > 50, "their folders are lost");
    assert!(count("SELECT count(*) FROM tags") < 300, "these cannot be without their folders");
    assert_eq!(count("SELECT count(*) FROM pragma_foreign_key_check"), 0);
}

/// A table without row numbers is ordered by its key, and is read from both its ends.
#[test]
fn tables_without_row_numbers_are_salvaged_as_well() {
    const KEYED: &[Migration] = &[Migration {
        version: 1,
        sql:
            "CREATE TABLE first (name TEXT, part INTEGER, body TEXT, PRIMARY KEY (name, part)) WITHOUT ROWID;
            CREATE TABLE last (name TEXT PRIMARY KEY) WITHOUT ROWID",
    }];
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let mut db = open_db(&path, KEYED).unwrap();
    let body = "x".repeat(200);
    write(&mut db, |t| {
        for n in 0..2_000 {
            t.execute("INSERT INTO first VALUES (?1, ?2, ?3)", (format!("{:04}", n / 2), n % 2, &body))?;
        }
        t.execute("INSERT INTO last VALUES ('kept')", [])
    })
    .unwrap();
    drop(db);
    let length = std::fs::metadata(&path).unwrap().len();
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(length / 2 / 4096 * 4096)).unwrap();
    file.write_all(&[0xAA; 3 * 4096]).unwrap();
    drop(file);
    // The process ended without closing the database, so its log file remains.
    std::fs::write(dir.path().join("a.db-wal"), b"left behind").unwrap();
    let db = open_db(&path, KEYED).unwrap();
    assert!(db.salvaged().is_some(), "the damage is noticed");
    let number = |sql: &str| -> i64 { db.query_row(sql, [], |row| row.get(0)).unwrap() };
    let rows = number("SELECT count(*) FROM first");
    assert!((1_000..2_000).contains(&rows), "{rows} of 2000 rows were saved");
    for (end, of) in [("min", "0000"), ("max", "0999")] {
        let sql = format!("SELECT {end}(name) = '{of}' FROM first");
        assert_eq!(number(&sql), 1, "{end}: it's read from both ends");
    }
    assert_eq!(number("SELECT count(*) FROM last WHERE name = 'kept'"), 1);
}

/// Words without the texts that they are from are of no use: the damaged file keeps its place.
#[test]
fn a_list_is_not_saved_without_what_it_lists() {
    let sql = "CREATE TABLE texts (body TEXT); CREATE TABLE words (word TEXT PRIMARY KEY) WITHOUT ROWID";
    let listed = [Migration { version: 1, sql }];
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let mut db = open_db(&path, &listed).unwrap();
    write(&mut db, |t| {
        for n in 0..100 {
            t.execute("INSERT INTO texts VALUES (?1)", [format!("{n} {}", "x".repeat(900))])?;
        }
        t.execute("INSERT INTO words VALUES ('keel')", [])
    })
    .unwrap();
    let root = "SELECT rootpage FROM sqlite_master WHERE name = 'texts'";
    let root: usize = db.query_row(root, [], |row| row.get::<_, u16>(0)).unwrap().into();
    drop(db);
    let mut before = std::fs::read(&path).unwrap();
    before[(root - 1) * 4096..root * 4096].fill(0xAA);
    std::fs::write(&path, &before).unwrap();
    std::fs::write(dir.path().join("a.db-wal"), b"left behind").unwrap();
    assert!(matches!(open_db(&path, &listed), Err(DbError::Damaged { .. })));
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn damage_that_a_statement_meets_is_salvaged_when_the_file_is_next_opened() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let mut db = open_db(&path, SCHEMA).unwrap();
    let body = "x".repeat(900);
    write(&mut db, |t| {
        for n in 0..2_000 {
            t.execute("INSERT INTO notes (who, body) VALUES (?1, ?2)", (n.to_string(), &body))?;
        }
        Ok(())
    })
    .unwrap();
    drop(db);
    let length = std::fs::metadata(&path).unwrap().len();
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(length / 2)).unwrap();
    file.write_all(&[0xAA; 3 * 4096]).unwrap();
    drop(file);
    // The damage is noticed only when a statement reads the damaged page.
    let mut db = open_db(&path, SCHEMA).unwrap();
    assert!(db.salvaged().is_none());
    let error = write(&mut db, |t| t.execute("UPDATE notes SET body = body || 'y'", [])).unwrap_err();
    assert!(matches!(error, DbError::Damaged { .. }), "{error}");
    drop(db);
    let db = open_db(&path, SCHEMA).unwrap();
    assert!(db.salvaged().expect("it is salvaged now").rows > 1_900);
    drop(db);
    assert!(open_db(&path, SCHEMA).unwrap().salvaged().is_none(), "and only once");
}

#[test]
fn a_file_of_garbage_is_never_replaced_by_an_empty_one() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    std::fs::write(&path, vec![0x55; 8192]).unwrap();
    let error = open_db(&path, SCHEMA).unwrap_err();
    assert!(matches!(error, DbError::Damaged { .. }), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), vec![0x55; 8192]);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3, "only the file, its presence and the mark");
}
