//! Reads rows of `memories` as [`Memory`], with their tags.

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row};

use crate::domain::{Domain, Memory, Namespace, Status, Trust};

/// The columns that [`memory`] reads, in this order.
pub(super) const COLUMNS: &str = "m.row, m.id, m.namespace, m.domain, m.status, m.project, m.created_ms, m.expires_ms, m.branch, \
     m.file, m.source, m.author, m.client, m.session, m.trust, m.version, m.updated_ms, m.tombstoned_ms, m.content";

/// A row without its tags.
pub(super) fn memory(row: &Row<'_>) -> rusqlite::Result<(i64, Memory)> {
    Ok((
        row.get(0)?,
        Memory {
            id: row.get(1)?,
            namespace: word(row, 2, Namespace::from_name)?,
            domain: word(row, 3, Domain::from_name)?,
            status: word(row, 4, Status::from_name)?,
            project: row.get(5)?,
            created_ms: row.get(6)?,
            expires_ms: row.get(7)?,
            branch: row.get(8)?,
            file: row.get(9)?,
            source: row.get(10)?,
            author: row.get(11)?,
            client: row.get(12)?,
            session: row.get(13)?,
            trust: word(row, 14, Trust::from_name)?,
            version: row.get(15)?,
            updated_ms: row.get(16)?,
            tombstoned_ms: row.get(17)?,
            content: row.get(18)?,
            tags: Vec::new(),
        },
    ))
}

/// A column that contains a name of an enumeration.
fn word<T>(row: &Row<'_>, column: usize, named: impl Fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    named(text).ok_or_else(|| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, format!("unknown word {text:?}").into())
    })
}

pub(super) fn tags(db: &Connection, row: i64) -> rusqlite::Result<Vec<String>> {
    db.prepare_cached("SELECT tag FROM tags WHERE memory = ?1 ORDER BY position")?
        .query_map([row], |r| r.get(0))?
        .collect()
}

/// The memory with this id and its row.
pub(super) fn by_id(db: &Connection, id: &str) -> rusqlite::Result<Option<(i64, Memory)>> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM memories m WHERE m.id = ?1"))?
        .query_row([id], memory)
        .optional()?;
    found.map(|found| with_tags(db, found)).transpose()
}

/// The memory in this row.
pub(super) fn by_row(db: &Connection, row: i64) -> rusqlite::Result<Option<(i64, Memory)>> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM memories m WHERE m.row = ?1"))?
        .query_row([row], memory)
        .optional()?;
    found.map(|found| with_tags(db, found)).transpose()
}

/// The memories in these rows, in their order; a row without one is left out. Each is looked up by itself: a list in one
/// statement would take a hook, which reads ten, longer to prepare than to read.
pub(super) fn by_rows(db: &Connection, rows: &[i64]) -> rusqlite::Result<Vec<(i64, Memory)>> {
    rows.iter().filter_map(|row| by_row(db, *row).transpose()).collect()
}

pub(super) fn with_tags(
    db: &Connection,
    (row, mut memory): (i64, Memory),
) -> rusqlite::Result<(i64, Memory)> {
    memory.tags = tags(db, row)?;
    Ok((row, memory))
}
