//! Records, what is shared besides memories, written in the transaction of the change that they describe, so nothing
//! can be lost in between. `record_import` applies records from other computers.

use rusqlite::{Connection, OptionalExtension, Row};
use serde_json::Value;

use super::SqliteStore;
use crate::domain::{Record, RecordKind, is_shared_project};
use crate::store::Result;

const COLUMNS: &str = "number, place, what, key, body, at_ms";

impl SqliteStore {
    /// The number of the latest record.
    ///
    /// # Errors
    /// If the database fails.
    pub fn last_record(&self) -> Result<i64> {
        self.look(|db| db.query_row("SELECT coalesce(max(number), 0) FROM records", [], |r| r.get(0)))
    }

    /// The local records after a number, oldest first, each with its number.
    ///
    /// # Errors
    /// If the database fails.
    pub fn records_since(&self, number: i64, most: usize) -> Result<Vec<(i64, Record)>> {
        self.look(|db| {
            db.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM records WHERE mine AND number > ?1 ORDER BY number LIMIT ?2"
            ))?
            .query_map((number, most), record)?
            .collect()
        })
    }

    /// The record with this number; `None` if it was changed since.
    ///
    /// # Errors
    /// If the database fails.
    pub fn record_numbered(&self, number: i64) -> Result<Option<Record>> {
        self.look(|db| {
            db.prepare_cached(&format!("SELECT {COLUMNS} FROM records WHERE number = ?1"))?
                .query_row([number], |r| Ok(record(r)?.1))
                .optional()
        })
    }

    pub(super) fn records_of(&self, place: &str, kind: RecordKind) -> Result<Vec<Record>> {
        self.look(|db| {
            db.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM records WHERE place = ?1 AND what = ?2 ORDER BY key"
            ))?
            .query_map((place, kind.as_str()), |r| Ok(record(r)?.1))?
            .collect()
        })
    }
}

/// Records a local change, if others share the scope.
pub(super) fn note(
    db: &Connection,
    (place, kind): (&str, RecordKind),
    key: &str,
    body: Option<Value>,
    at_ms: i64,
) -> rusqlite::Result<()> {
    if !place.is_empty() && !is_shared_project(place) {
        return Ok(());
    }
    let mut record = Record {
        place: place.to_owned(),
        kind,
        key: key.to_owned(),
        body: body.map(|body| body.to_string()),
        at_ms,
    };
    if let Some(known) = find_by_key(db, &record)? {
        if known.body == record.body {
            return Ok(());
        }
        // Whatever the clock says, this change came after the known one.
        record.at_ms = at_ms.max(known.at_ms.saturating_add(1));
    }
    write(db, &record, true)
}

/// The known record with this one's key.
pub(super) fn find_by_key(db: &Connection, record: &Record) -> rusqlite::Result<Option<Record>> {
    of_key(db, &record.place, record.kind, &record.key)
}

/// The known record with a key.
pub(super) fn of_key(
    db: &Connection,
    place: &str,
    kind: RecordKind,
    key: &str,
) -> rusqlite::Result<Option<Record>> {
    db.prepare_cached(&format!("SELECT {COLUMNS} FROM records WHERE place = ?1 AND what = ?2 AND key = ?3"))?
        .query_row((place, kind.as_str(), key), |r| Ok(record(r)?.1))
        .optional()
}

/// Each change gets a new number, larger than all before.
pub(super) fn write(db: &Connection, record: &Record, mine: bool) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT OR REPLACE INTO records(place, what, key, body, at_ms, mine) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute((&record.place, record.kind.as_str(), &record.key, &record.body, record.at_ms, mine))
    .map(|_| ())
}

fn record(r: &Row<'_>) -> rusqlite::Result<(i64, Record)> {
    let record = Record {
        place: r.get(1)?,
        kind: RecordKind::from_name(r.get_ref(2)?.as_str()?).unwrap_or(RecordKind::Link),
        key: r.get(3)?,
        body: r.get(4)?,
        at_ms: r.get(5)?,
    };
    Ok((r.get(0)?, record))
}
