//! Counts the writes to an index and records which files the latest ones changed, so that a reader reloads only those. A
//! write that may affect any file forces a full reload.

use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// The number for everything besides files that is watched; no file has it.
pub(crate) const WATCHED: i64 = 0;
/// The number of writes that are remembered; a reader with an older state reloads everything.
const KEPT: i64 = 256;

/// How often the index was written.
pub(crate) fn now(db: &Connection) -> rusqlite::Result<i64> {
    let told: Option<String> = db
        .prepare_cached("SELECT value FROM facts WHERE name = 'generation'")?
        .query_row([], |r| r.get(0))
        .optional()?;
    Ok(told.and_then(|told| told.parse().ok()).unwrap_or(0))
}

/// Counts a write about these files, or about anything. Must be called in the transaction that writes.
pub(crate) fn advance(tx: &Transaction<'_>, files: Option<&[i64]>) -> rusqlite::Result<()> {
    let next = now(tx)?.saturating_add(1);
    tx.prepare_cached("INSERT OR REPLACE INTO facts(name, value) VALUES('generation', ?1)")?
        .execute([next.to_string()])?;
    let forgotten = if files.is_some() { next - KEPT } else { next };
    tx.prepare_cached("DELETE FROM edits WHERE generation <= ?1")?.execute([forgotten])?;
    let mut put = tx.prepare_cached("INSERT OR IGNORE INTO edits(generation, file) VALUES(?1, ?2)")?;
    for file in files.unwrap_or_default() {
        put.execute(params![next, file])?;
    }
    Ok(())
}

/// The files that were written after `before` until `now`; `None` when it may have been anything.
pub(crate) fn changed_since(db: &Connection, before: i64, now: i64) -> rusqlite::Result<Option<Vec<i64>>> {
    let mut statement = db.prepare_cached(
        "SELECT generation, file FROM edits WHERE generation > ?1 AND generation <= ?2 ORDER BY 1, 2",
    )?;
    let rows = statement.query_map([before, now], |r| Ok((r.get::<_, i64>(0)?, r.get::<_, i64>(1)?)))?;
    let (mut files, mut last) = (Vec::new(), before);
    for row in rows {
        let (generation, file) = row?;
        if generation > last + 1 {
            return Ok(None);
        }
        last = generation;
        files.push(file);
    }
    files.sort_unstable();
    files.dedup();
    Ok((last == now).then_some(files))
}
