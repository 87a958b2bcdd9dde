//! What a purge removed or a restore brought back, counted in any database with the tables of sources.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde::{Serialize as _, Serializer};

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
    #[serde(serialize_with = "shown_path")]
    pub trash: Option<PathBuf>,
}

/// A name that isn't UTF-8 can't be in JSON, but the purge must be reported all the same.
fn shown_path<S: Serializer>(path: &Option<PathBuf>, to: S) -> Result<S::Ok, S::Error> {
    path.as_deref().map(Path::to_string_lossy).serialize(to)
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

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    #[test]
    fn a_trash_file_whose_name_isnt_utf8_is_told() {
        let trash = std::ffi::OsStr::from_bytes(b"/ke\xffel/trash/a.db").into();
        let purged = PurgeResult { trash: Some(trash), ..PurgeResult::default() };
        assert_eq!(serde_json::json!(purged)["trash"], "/ke\u{fffd}el/trash/a.db");
        assert!(serde_json::json!(PurgeResult::default())["trash"].is_null());
    }
}
