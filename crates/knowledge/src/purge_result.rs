//! What a purge removed or a restore brought back, counted in any database with the tables of sources.

use std::path::PathBuf;

use rusqlite::Connection;

/// What a purge removed, or what a restore brought back.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct PurgeResult {
    /// Documents, not counting folders.
    pub sources: u64,
    /// Their chunks.
    pub chunks: u64,
    /// Bytes of their text.
    pub bytes: u64,
    /// The first labels, up to ten; a folder's label for its files.
    pub labels: Vec<String>,
    /// The trash file; after a restore, the one that still has something; `None` if it was deleted.
    pub trash: Option<PathBuf>,
}

/// What these sources amount to, in any database with their tables.
pub(crate) fn count(db: &Connection, ids: &[i64]) -> rusqlite::Result<PurgeResult> {
    let mut purged = PurgeResult::default();
    let mut read =
        db.prepare_cached("SELECT label, kind, parent, chunks, bytes FROM sources WHERE id = ?1")?;
    for id in ids {
        let mut rows = read.query([id])?;
        let Some(row) = rows.next()? else { continue };
        purged.sources += u64::from(row.get_ref(1)?.as_str()? != "folder");
        purged.chunks += row.get::<_, u64>(3)?;
        purged.bytes += row.get::<_, u64>(4)?;
        let parent: Option<i64> = row.get(2)?;
        if purged.labels.len() < 10 && parent.is_none_or(|p| ids.binary_search(&p).is_err()) {
            purged.labels.push(row.get(0)?);
        }
    }
    Ok(purged)
}
