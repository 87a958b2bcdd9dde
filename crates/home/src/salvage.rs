//! Salvages a damaged database. Every readable row of every table in the schema is copied into a new file; the
//! damaged file is kept beside it under a name with the time. If not a single row can be read, nothing is replaced
//! and the caller gets an error instead. A salvage that was interrupted is done again. `schema_recovery` finds the tables if
//! their list can't be read.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OpenFlags};

use crate::db_error::{DbError, mark_damaged, sibling};
use crate::schema_recovery::{self, HEADER, page_size};

/// How many rowids are probed one by one inside an unreadable gap.
const PROBES: i64 = 20_000;

/// What was salvaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Salvaged {
    /// The number of copied rows.
    pub rows: u64,
    /// Where the damaged file is kept.
    pub kept: PathBuf,
}

pub(crate) fn salvage(
    path: &Path,
    reason: &str,
    create: impl FnOnce(&Path) -> Result<Connection, DbError>,
) -> Result<Salvaged, DbError> {
    let damaged = || DbError::Damaged { path: path.to_owned(), reason: reason.to_owned() };
    let stamp = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    for (_, left) in unfinished(path) {
        remove_fresh(&left);
    }
    let fresh = sibling(path, &format!("{FRESH}{stamp}"));
    let copied = create(&fresh).and_then(|mut target| {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let whole = without_half_page(path, &fresh);
        let source = Connection::open_with_flags(whole.as_deref().unwrap_or(path), flags);
        let source = source.map_err(|_| damaged())?;
        // A truncated file is refused as a whole, and so is one with a broken table definition, unless SQLite is told
        // that its reader knows; then the existing pages are read. Nothing is written.
        source.pragma_update(None, "writable_schema", true).map_err(|_| damaged())?;
        let rebuilt = if schema_recovery::is_complete(&source, &target) {
            None
        } else {
            schema_recovery::with_schema_of(&target, &fresh, &source, &sibling(&fresh, REBUILT))
        };
        let source = rebuilt.unwrap_or(source);
        copy_all(&source, &mut target).map_err(|error| DbError::from_sqlite(&fresh, error))
    });
    remove_copies(&fresh);
    let (rows, unread) = match copied {
        Ok((rows, unread)) if rows > 0 => (rows, unread),
        other => {
            remove_fresh(&fresh);
            return Err(other.err().unwrap_or_else(damaged));
        }
    };
    for table in unread {
        log::warn!("{table}");
    }
    let kept = sibling(path, &format!("{KEPT}{stamp}"));
    let io = |source| DbError::Io { path: path.to_owned(), source };
    std::fs::rename(path, &kept).map_err(io)?;
    move_log(path, &kept);
    std::fs::rename(&fresh, path).map_err(io)?;
    log::warn!(
        "{} was damaged: {rows} rows were saved, the damaged file is kept as {}",
        path.display(),
        kept.display()
    );
    Ok(Salvaged { rows, kept })
}

/// Puts a damaged file back if its salvage was interrupted after it was moved aside and before the new one was in its
/// place; otherwise an empty one would be created there. A later open with enough time checks it and salvages it again.
pub(crate) fn put_back_interrupted(path: &Path) -> std::io::Result<()> {
    let kept = |stamp: &str| sibling(path, &format!("{KEPT}{stamp}"));
    let Some((stamp, _)) = unfinished(path).into_iter().find(|(stamp, _)| kept(stamp).exists()) else {
        return Ok(());
    };
    mark_damaged(path);
    move_log(&kept(&stamp), path);
    std::fs::rename(kept(&stamp), path)
}

/// The copies of a database that were kept when it was found damaged, oldest first. One whose salvage was interrupted isn't
/// among them, because it's put back.
pub fn damaged_copies(path: &Path) -> Vec<PathBuf> {
    let unfinished: Vec<String> = unfinished(path).into_iter().map(|(stamp, _)| stamp).collect();
    let mut all = stamped(path, KEPT);
    all.retain(|(stamp, _)| !unfinished.contains(stamp));
    all.sort_by_cached_key(|(stamp, _)| (stamp.len(), stamp.clone()));
    all.into_iter().map(|(_, copy)| copy).collect()
}

/// Removes such a copy and the files that SQLite kept beside it.
///
/// # Errors
/// The operating system's, if one of them can't be removed; then the copy is still found.
pub fn remove_damaged_copy(copy: &Path) -> std::io::Result<()> {
    // The copy last: the others are found by its name only, and its log has texts, too.
    for suffix in SUFFIXES.into_iter().filter(|suffix| !suffix.is_empty()) {
        match std::fs::remove_file(sibling(copy, suffix)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    std::fs::remove_file(copy)
}

/// The new files that salvages of this one left, each with the time in its name.
fn unfinished(path: &Path) -> Vec<(String, PathBuf)> {
    stamped(path, FRESH)
}

/// The files beside a database that are named after it, with `part` and a time at the end; each with its time.
fn stamped(path: &Path, part: &str) -> Vec<(String, PathBuf)> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let folder = path.parent().map(std::fs::read_dir);
    let files = folder.into_iter().flatten().flatten().flatten().map(|entry| entry.path());
    files
        .filter_map(|file| {
            let stamp = file.file_name()?.to_str()?.strip_prefix(name)?.strip_prefix(part)?.to_owned();
            stamp.bytes().all(|byte| byte.is_ascii_digit()).then_some((stamp, file))
        })
        .collect()
}

/// Moves a database's log along with the database, replacing the log of any other one there.
fn move_log(from: &Path, to: &Path) {
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::rename(sibling(from, suffix), sibling(to, suffix));
    }
}

/// Removes a new file that isn't wanted.
fn remove_fresh(fresh: &Path) {
    remove_copies(fresh);
    for suffix in SUFFIXES {
        let _ = std::fs::remove_file(sibling(fresh, suffix));
    }
}

/// Removes the copies that were read to make a new file.
fn remove_copies(fresh: &Path) {
    for (copy, suffix) in [COPY, REBUILT].into_iter().flat_map(|copy| SUFFIXES.map(|suffix| (copy, suffix))) {
        let _ = std::fs::remove_file(sibling(fresh, &format!("{copy}{suffix}")));
    }
}

/// Added to the database's name, before the time, to name the new file and the kept damaged one.
const FRESH: &str = ".salvage-";
const KEPT: &str = ".damaged-";

/// The suffix of the copy that is read if the file itself can't be.
const COPY: &str = ".copy";

/// The suffix of the copy whose list of tables was unreadable and is replaced.
const REBUILT: &str = ".rebuilt";

/// What SQLite adds to a file's name for itself and the files beside it.
const SUFFIXES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// A copy without its last page if that was truncated: SQLite fills the missing part with zeros, and zeros in a row
/// are taken for values. `None` if the file ends with a complete page, or can't be copied.
fn without_half_page(path: &Path, fresh: &Path) -> Option<PathBuf> {
    let mut header = [0; HEADER];
    std::fs::File::open(path).ok()?.read_exact(&mut header).ok()?;
    let size = page_size(&header)?;
    let length = std::fs::metadata(path).ok()?.len();
    if length.is_multiple_of(size) {
        return None;
    }
    let copy = sibling(fresh, COPY);
    std::fs::copy(path, &copy).ok()?;
    OpenOptions::new().write(true).open(&copy).ok()?.set_len(length - length % size).ok()?;
    // The log may contain some of the missing pages.
    let _ = std::fs::copy(sibling(path, "-wal"), sibling(&copy, "-wal"));
    Some(copy)
}

/// Copies row by row what both schemas have. Virtual tables and their shadow tables are left out: they are derived,
/// and their owner rebuilds them. Returns the number of rows, and what to say of tables that can't be read if there are any
/// rows: where nothing can be read, the error alone says it.
fn copy_all(source: &Connection, target: &mut Connection) -> rusqlite::Result<(u64, Vec<String>)> {
    let tables: Vec<String> = target
        .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let transaction = target.transaction()?;
    transaction.pragma_update(None, "defer_foreign_keys", true)?;
    let (mut numbered, mut rows) = (None, 0);
    let mut unread = Vec::new();
    for table in &tables {
        let has_numbers = key_instead_of_row_number(&transaction, table)?.is_none();
        match copy_table(source, &transaction, table) {
            Ok(copied) => rows += copied,
            Err(error) => unread.push(format!("table {table} could not be read: {error}")),
        }
        if has_numbers {
            numbered = Some(table_rows(&transaction, table)?.saturating_add(numbered.unwrap_or(0)));
        }
    }
    let lost = drop_orphans(&transaction)?;
    transaction.commit()?;
    // Tables without row numbers only list what those with row numbers contain, so they are useless by themselves.
    if numbered.is_some_and(|numbered| numbered <= lost) {
        return Ok((0, unread));
    }
    Ok((rows.saturating_sub(lost), unread))
}

fn table_rows(target: &Connection, table: &str) -> rusqlite::Result<u64> {
    let table = table.replace('"', "\"\"");
    let count: i64 = target.query_row(&format!("SELECT count(*) FROM \"{table}\""), [], |row| row.get(0))?;
    Ok(count.unsigned_abs())
}

/// Handles rows that refer to an unreadable one: the reference is cleared if the schema allows that, otherwise the
/// row is left behind (it is in the kept file). Otherwise nothing could be committed. Returns how many were left
/// behind.
fn drop_orphans(target: &Connection) -> rusqlite::Result<u64> {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let mut left = 0;
    loop {
        // A removed row may be another one's parent, so this is repeated until nothing is found.
        let orphans: Vec<(String, i64, String)> = target
            .prepare(
                "SELECT found.\"table\", found.rowid, keys.\"from\" FROM pragma_foreign_key_check AS found
                 JOIN pragma_foreign_key_list(found.\"table\") AS keys ON keys.id = found.fkid
                 WHERE found.rowid IS NOT NULL",
            )?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .collect::<Result<_, _>>()?;
        if orphans.is_empty() {
            return Ok(left);
        }
        for (table, row, column) in orphans {
            let (table, column) = (quoted(&table), quoted(&column));
            let loosened =
                target.execute(&format!("UPDATE {table} SET {column} = NULL WHERE rowid = ?1"), [row]);
            if loosened.is_err() {
                left += target.execute(&format!("DELETE FROM {table} WHERE rowid = ?1"), [row])? as u64;
            }
        }
    }
}

fn copy_table(source: &Connection, target: &Connection, table: &str) -> rusqlite::Result<u64> {
    let columns = |conn: &Connection| -> rusqlite::Result<Vec<String>> {
        conn.prepare("SELECT name FROM pragma_table_info(?1)")?
            .query_map([table], |row| row.get(0))?
            .collect()
    };
    let known = columns(source)?;
    let shared: Vec<String> = columns(target)?.into_iter().filter(|name| known.contains(name)).collect();
    if shared.is_empty() {
        return Ok(0);
    }
    let quoted: Vec<String> =
        shared.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
    let list = quoted.join(",");
    let key = key_instead_of_row_number(target, table)?;
    let table = format!("\"{}\"", table.replace('"', "\"\""));
    if let Some(key) = key {
        return copy_by_key(source, target, (&table, &list, shared.len()), &key);
    }
    let marks = vec!["?"; shared.len() + 1].join(",");
    let mut insert =
        target.prepare(&format!("INSERT OR IGNORE INTO {table} (rowid,{list}) VALUES ({marks})"))?;
    let mut copy = |sql: &str, bound: i64| -> (u64, Option<i64>, bool) {
        let mut copied = 0;
        let mut last = None;
        let Ok(mut statement) = source.prepare(sql) else { return (0, None, true) };
        let Ok(mut rows) = statement.query([bound]) else { return (0, None, true) };
        loop {
            match rows.next() {
                Ok(Some(row)) => {
                    let values: rusqlite::Result<Vec<rusqlite::types::Value>> =
                        (0..=shared.len()).map(|index| row.get(index)).collect();
                    if let Ok(values) = values {
                        if let Some(rusqlite::types::Value::Integer(id)) = values.first() {
                            last = Some(*id);
                        }
                        copied += insert.execute(rusqlite::params_from_iter(values)).unwrap_or(0) as u64;
                    }
                }
                Ok(None) => return (copied, last, false),
                Err(_) => return (copied, last, true),
            }
        }
    };
    let (mut copied, low, broke) =
        copy(&format!("SELECT rowid,{list} FROM {table} WHERE rowid >= ?1 ORDER BY rowid"), i64::MIN);
    if broke {
        let (more, high, _) = copy(
            &format!("SELECT rowid,{list} FROM {table} WHERE rowid <= ?1 ORDER BY rowid DESC"),
            i64::MAX,
        );
        copied += more;
        // Rows between the two readable ends, one by one: a single bad page hides only its own rows.
        let from = low.map_or(1, |id| id.saturating_add(1));
        let to = high.map_or(from.saturating_add(PROBES), |id| id.saturating_sub(1));
        let one = format!("SELECT rowid,{list} FROM {table} WHERE rowid = ?1");
        for id in from..=to.min(from.saturating_add(PROBES)) {
            copied += copy(&one, id).0;
        }
    }
    Ok(copied)
}

/// The columns by which a table without row numbers is ordered; `None` for one that has them. One with parents isn't
/// copied by its key: a row without a row number can't be dropped when its parent was lost.
fn key_instead_of_row_number(target: &Connection, table: &str) -> rusqlite::Result<Option<Vec<String>>> {
    let by_key: bool = target.query_row(
        "SELECT EXISTS (SELECT 1 FROM pragma_table_list(?1) WHERE schema = 'main' AND wr)
            AND NOT EXISTS (SELECT 1 FROM pragma_foreign_key_list(?1))",
        [table],
        |row| row.get(0),
    )?;
    if !by_key {
        return Ok(None);
    }
    let names: Vec<String> = target
        .prepare("SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk")?
        .query_map([table], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    Ok(Some(names.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect()))
}

/// Copies a table without row numbers from both ends of its key, each as far as it can be read.
fn copy_by_key(
    source: &Connection,
    target: &Connection,
    (table, list, width): (&str, &str, usize),
    key: &[String],
) -> rusqlite::Result<u64> {
    let marks = vec!["?"; width].join(",");
    let mut insert = target.prepare(&format!("INSERT OR IGNORE INTO {table} ({list}) VALUES ({marks})"))?;
    let mut copied = 0;
    for direction in ["ASC", "DESC"] {
        let order: Vec<String> = key.iter().map(|column| format!("{column} {direction}")).collect();
        let sql = format!("SELECT {list} FROM {table} ORDER BY {}", order.join(","));
        let Ok(mut statement) = source.prepare(&sql) else { continue };
        let Ok(mut rows) = statement.query([]) else { continue };
        let whole = loop {
            match rows.next() {
                Ok(Some(row)) => {
                    let values: rusqlite::Result<Vec<rusqlite::types::Value>> =
                        (0..width).map(|index| row.get(index)).collect();
                    if let Ok(values) = values {
                        copied += insert.execute(rusqlite::params_from_iter(values)).unwrap_or(0) as u64;
                    }
                }
                Ok(None) => break true,
                Err(_) => break false,
            }
        };
        if whole {
            break;
        }
    }
    Ok(copied)
}
