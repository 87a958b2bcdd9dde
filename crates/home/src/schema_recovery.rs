//! Finds the tables of a damaged database whose list of tables (`sqlite_schema`) can't be read.
//!
//! The list may take several pages, and without one of them SQLite no longer knows where any table begins. Where they
//! begin is known all the same: the databases are created with auto-vacuum, which places the roots in the order of
//! their creation, so a new file with the same migrations has them on the same pages. Page layout:
//! <https://sqlite.org/fileformat2.html>.

use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use rusqlite::Connection;

use crate::db_error::sibling;

/// An entry of `sqlite_schema` that has a root page.
struct Entry {
    kind: String,
    name: String,
    table: String,
    root: u32,
    sql: Option<String>,
}

/// The kind of page that its first byte declares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PageClass {
    Table,
    Index,
    Unreadable,
}

impl PageClass {
    fn of(byte: u8) -> Self {
        match byte {
            0x05 | 0x0D => Self::Table,
            0x02 | 0x0A => Self::Index,
            _ => Self::Unreadable,
        }
    }
}

/// Whether `source` knows every table of `target`.
pub(crate) fn is_complete(source: &Connection, target: &Connection) -> bool {
    let tables = |conn: &Connection| -> rusqlite::Result<Vec<String>> {
        conn.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?
            .query_map([], |row| row.get(0))?
            .collect()
    };
    let Ok(known) = tables(source) else { return false };
    tables(target).is_ok_and(|wanted| wanted.iter().all(|name| known.contains(name)))
}

/// Copies the database of `source` to `copy`, with the list of tables of `target`, a new database at `target_path`.
/// `None` if the copy can't be made, or its pages don't fit that list, as those of an older version don't.
pub(crate) fn with_schema_of(
    target: &Connection,
    target_path: &Path,
    source: &Connection,
    copy: &Path,
) -> Option<Connection> {
    // Page by page, and with what the log contains.
    source.backup("main", copy, None::<fn(rusqlite::backup::Progress)>).ok()?;
    let vacuumed = sibling(copy, ".vacuumed");
    let found = matching_entries(target, target_path, copy).or_else(|| {
        // Vacuuming renumbers the roots: all tables first, then all indexes.
        target.execute("VACUUM INTO ?1", [vacuumed.to_str()?]).ok()?;
        let conn = Connection::open(&vacuumed).ok()?;
        matching_entries(&conn, &vacuumed, copy)
    });
    let _ = std::fs::remove_file(&vacuumed);
    let entries = found?;
    empty_schema(copy).ok()?;
    let conn = Connection::open(copy).ok()?;
    conn.pragma_update(None, "writable_schema", true).ok()?;
    let mut insert = conn
        .prepare(
            "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (?1, ?2, ?3, ?4, ?5)",
        )
        .ok()?;
    for entry in entries {
        insert.execute((entry.kind, entry.name, entry.table, entry.root, entry.sql)).ok()?;
    }
    drop(insert);
    drop(conn);
    // A new connection reads the new list.
    let conn = Connection::open(copy).ok()?;
    conn.pragma_update(None, "writable_schema", true).ok()?;
    Some(conn)
}

/// The tables of `template`, and the indexes that belong to their definitions, if what is on their pages in the file
/// `damaged` is what is on them in the template. A page that is neither table nor index is a damaged one.
fn matching_entries(template: &Connection, template_path: &Path, damaged: &Path) -> Option<Vec<Entry>> {
    let version = |conn: &Connection| -> rusqlite::Result<u32> {
        conn.pragma_query_value(None, "user_version", |row| row.get(0))
    };
    let mut header = [0; HEADER];
    let mut file = std::fs::File::open(damaged).ok()?;
    file.read_exact(&mut header).ok()?;
    if version(template).ok()? != u32::from_be_bytes(header[60..64].try_into().ok()?) {
        return None;
    }
    let size = page_size(&header)?;
    let entries: Vec<Entry> = template
        .prepare("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE rootpage > 0")
        .ok()?
        .query_map([], |row| {
            Ok(Entry {
                kind: row.get(0)?,
                name: row.get(1)?,
                table: row.get(2)?,
                root: row.get(3)?,
                sql: row.get(4)?,
            })
        })
        .ok()?
        .collect::<Result<_, _>>()
        .ok()?;
    let mut template_file = std::fs::File::open(template_path).ok()?;
    let mut agreeing = 0;
    for entry in &entries {
        let wanted = page_class(&mut template_file, size, entry.root);
        let found = page_class(&mut file, size, entry.root);
        match found {
            PageClass::Unreadable => {}
            found if found == wanted => agreeing += 1,
            _ => return None,
        }
    }
    let kept = |entry: &Entry| entry.kind == "table" || entry.sql.is_none();
    (agreeing > 0).then(|| entries.into_iter().filter(kept).collect())
}

/// The bytes of the file's header, in the first page before its content.
pub(crate) const HEADER: usize = 100;

/// The size of a page in bytes; `None` if the header is none.
pub(crate) fn page_size(header: &[u8; HEADER]) -> Option<u64> {
    match u64::from(u16::from_be_bytes([header[16], header[17]])) {
        1 => Some(65_536),
        size if size.is_power_of_two() && size >= 512 => Some(size),
        _ => None,
    }
}

fn page_class(file: &mut std::fs::File, size: u64, page: u32) -> PageClass {
    let mut byte = [0];
    let at = (u64::from(page) - 1) * size;
    match file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut byte)) {
        Ok(()) => PageClass::of(byte[0]),
        Err(_) => PageClass::Unreadable,
    }
}

/// Makes the first page an empty list of tables. New pages are added at the end: the lists of free pages and of pages'
/// owners may be damaged, so neither is used from here on.
fn empty_schema(path: &Path) -> std::io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut header = [0; HEADER];
    file.read_exact(&mut header)?;
    let size = page_size(&header).ok_or(std::io::ErrorKind::InvalidData)?;
    let pages = u32::try_from(file.metadata()?.len() / size).map_err(|_| std::io::ErrorKind::InvalidData)?;
    // Written and read with a rollback journal.
    header[18..20].fill(1);
    header[28..32].copy_from_slice(&pages.to_be_bytes());
    header[32..40].fill(0);
    // The largest root page, and whether the file is vacuumed in steps: zero where there is no auto-vacuum.
    header[52..56].fill(0);
    header[64..68].fill(0);
    // The page count counts only if these two are the same.
    let change_counter: [u8; 4] = [header[24], header[25], header[26], header[27]];
    header[92..96].copy_from_slice(&change_counter);
    let mut page = header.to_vec();
    // An empty leaf of a table: type, first free block, number of cells, start of the cells (65,536 is 0), fragments.
    let cells = u16::try_from(size).unwrap_or(0).to_be_bytes();
    page.extend([0x0D, 0, 0, 0, 0, cells[0], cells[1], 0]);
    page.resize(usize::try_from(size).map_err(|_| std::io::ErrorKind::InvalidData)?, 0);
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&page)
}
