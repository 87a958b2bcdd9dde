//! Lists sources and reads them back in full.

use std::time::Duration;

use rusqlite::OptionalExtension;

use crate::error::{KnowledgeError, Result};
use crate::source_kind::SourceKind;
use crate::store::Store;

/// A document, or a folder with its documents, in a list.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SourceInfo {
    /// Its number; addresses use it.
    pub id: i64,
    /// Its name.
    pub label: String,
    /// Its kind.
    pub kind: SourceKind,
    /// The path or URL behind it.
    pub origin: Option<String>,
    /// The session that indexed it last.
    pub session: Option<String>,
    /// The agent of that session.
    pub agent: Option<String>,
    /// Documents: 1, or a folder's number of files.
    pub files: u64,
    /// Chunks; for a folder, all of its files'.
    pub chunks: u64,
    /// Code chunks.
    pub code_chunks: u64,
    /// Bytes of text.
    pub bytes: u64,
    /// When it was indexed last, in milliseconds since 1970.
    pub indexed_ms: i64,
    /// When a search last showed text from it, in milliseconds since 1970 and to within an hour.
    pub used_ms: Option<i64>,
    /// The folder it belongs to.
    #[serde(skip)]
    pub folder: Option<i64>,
}

/// A page of the list.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SourceList {
    /// Newest first.
    pub sources: Vec<SourceInfo>,
    /// The total number.
    pub total: u64,
}

/// A document read back.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SourceText {
    /// Its description.
    pub info: SourceInfo,
    /// Its chunks in order, joined; overlapping lines appear once.
    pub text: String,
}

pub(crate) const COLUMNS: &str = "s.id, s.label, s.kind, s.origin, s.session, s.agent,
    CASE s.kind WHEN 'folder' THEN (SELECT count(*) FROM sources k WHERE k.parent = s.id) ELSE 1 END,
    s.chunks + coalesce((SELECT sum(k.chunks) FROM sources k WHERE k.parent = s.id), 0),
    s.code_chunks + coalesce((SELECT sum(k.code_chunks) FROM sources k WHERE k.parent = s.id), 0),
    s.bytes + coalesce((SELECT sum(k.bytes) FROM sources k WHERE k.parent = s.id), 0),
    s.indexed_ms, s.used_ms, s.parent";

pub(crate) fn info(r: &rusqlite::Row<'_>) -> rusqlite::Result<SourceInfo> {
    Ok(SourceInfo {
        id: r.get(0)?,
        label: r.get(1)?,
        kind: SourceKind::from_stored(r.get_ref(2)?.as_str()?),
        origin: r.get(3)?,
        session: r.get(4)?,
        agent: r.get(5)?,
        files: r.get(6)?,
        chunks: r.get(7)?,
        code_chunks: r.get(8)?,
        bytes: r.get(9)?,
        indexed_ms: r.get(10)?,
        used_ms: r.get(11)?,
        folder: r.get(12)?,
    })
}

/// Within this time, in milliseconds, a source isn't marked as used again: searching should mostly read.
const SAME_USE_MS: i64 = 60 * 60 * 1000;

impl Store {
    /// Marks these sources as used, and the folders of those that are files. The caller has its answer already, so a
    /// database that can't be written now isn't an error.
    pub fn mark_used(&self, ids: &[i64], now_ms: i64) {
        let mark = |id: &i64| -> rusqlite::Result<()> {
            let one = "WHERE (id = ?1 OR id = (SELECT parent FROM sources WHERE id = ?1)) AND coalesce(used_ms, 0) < ?2";
            let before = now_ms - SAME_USE_MS;
            let due =
                self.db.prepare_cached(&format!("SELECT 1 FROM sources {one}"))?.exists((id, before))?;
            if due {
                let sql = format!("UPDATE sources SET used_ms = ?3 {one}");
                self.db.prepare_cached(&sql)?.execute((id, before, now_ms))?;
            }
            Ok(())
        };
        // It isn't worth waiting for another writer either.
        let wait = self.db.busy_timeout(Duration::ZERO);
        if let Some(error) = wait.err().or_else(|| ids.iter().find_map(|id| mark(id).err())) {
            log::debug!("what was used is not marked: {error}");
        }
        if let Err(error) = self.db.busy_timeout(home::BUSY_TIMEOUT) {
            log::warn!("{} will not be waited for: {error}", self.path().display());
        }
    }

    /// The sources, newest first; a folder stands for its files.
    ///
    /// # Errors
    /// If the database can't be read.
    pub fn sources(&self, offset: usize, limit: usize) -> Result<SourceList> {
        let sql = format!(
            "SELECT {COLUMNS} FROM sources s WHERE s.parent IS NULL ORDER BY s.indexed_ms DESC, s.id DESC LIMIT ?1 OFFSET ?2"
        );
        let page = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        self.read(|db| {
            let total =
                db.query_row("SELECT count(*) FROM sources WHERE parent IS NULL", [], |r| r.get(0))?;
            let mut statement = db.prepare_cached(&sql)?;
            let sources = statement.query_map([page(limit), page(offset)], info)?;
            Ok(SourceList { sources: sources.collect::<rusqlite::Result<_>>()?, total })
        })
    }

    /// The files of an indexed folder, by label.
    ///
    /// # Errors
    /// If the database can't be read.
    pub fn folder_files(&self, folder_id: i64, offset: usize, limit: usize) -> Result<Vec<SourceInfo>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM sources s WHERE s.parent = ?1 ORDER BY s.label LIMIT ?2 OFFSET ?3"
        );
        let page = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        self.read(|db| {
            let mut statement = db.prepare_cached(&sql)?;
            statement.query_map([folder_id, page(limit), page(offset)], info)?.collect()
        })
    }

    /// One source by label or number.
    ///
    /// # Errors
    /// [`KnowledgeError::NoSource`], or if the database can't be read.
    pub fn source(&self, name: &str) -> Result<SourceInfo> {
        let missing = || KnowledgeError::NoSource(crate::cut(name, 200).to_owned());
        let (id, _) = self.find_source(name)?.ok_or_else(missing)?;
        let sql = format!("SELECT {COLUMNS} FROM sources s WHERE s.id = ?1");
        self.read(|db| db.prepare_cached(&sql)?.query_row([id], info).optional())?.ok_or_else(missing)
    }

    /// A source's full text, by label or number; for an output in parts, all parts from this one on.
    ///
    /// # Errors
    /// [`KnowledgeError::NoSource`], or if the database can't be read.
    pub fn source_text(&self, name: &str) -> Result<SourceText> {
        let info = self.source(name)?;
        let parts = self.parts_of(info.id)?;
        let text = self.read(|db| {
            let mut text = String::new();
            for part in &parts {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
                add_text(db, *part, &mut text)?;
            }
            Ok(text)
        })?;
        Ok(SourceText { info, text })
    }

    /// A chunk's full text, by its number.
    ///
    /// # Errors
    /// [`KnowledgeError::NoSource`], or if the database can't be read.
    pub fn chunk_text(&self, chunk_id: i64) -> Result<String> {
        let text = self.read(|db| {
            db.prepare_cached("SELECT text FROM chunks WHERE id = ?1")?
                .query_row([chunk_id], |r| r.get(0))
                .optional()
        })?;
        text.ok_or_else(|| KnowledgeError::NoSource(format!("chunk {chunk_id}")))
    }
}

/// Appends a source's chunks in order.
fn add_text(db: &rusqlite::Connection, source: i64, text: &mut String) -> rusqlite::Result<()> {
    let mut statement =
        db.prepare_cached("SELECT text, start_line, end_line FROM chunks WHERE source = ?1 ORDER BY id")?;
    let mut rows = statement.query([source])?;
    let (mut first, mut last_line) = (true, 0u32);
    while let Some(row) = rows.next()? {
        let chunk = row.get_ref(0)?.as_str().unwrap_or_default();
        let (start, end): (u32, u32) = (row.get(1)?, row.get(2)?);
        // A chunk that begins on the line where the last one ended continues that line.
        if !first && start > last_line {
            let blank = start.saturating_sub(last_line).clamp(1, 2);
            text.extend(std::iter::repeat_n('\n', blank as usize));
        }
        text.push_str(chunk);
        (first, last_line) = (false, end);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NewSource, PurgeScope, SearchRequest};

    #[test]
    fn an_output_in_parts_is_one_for_its_label_and_its_number() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Store::open(&dir.path().join("knowledge.db")).unwrap();
        let mut store_as = |label: &str, kind, content: &str| {
            let (origin, session, agent, format) = (None, None, None, Some(text::Format::Plain));
            let source = NewSource { label, kind, origin, session, agent, content, format, now_ms: 1 };
            store.index_text(source).unwrap().source_id
        };
        let first = store_as("output:a", SourceKind::Output, "alpha one\n");
        store_as("output:a/2", SourceKind::Output, "alpha two\n");
        store_as("output:a/3", SourceKind::Output, "alpha three\n");
        store_as("output:ab", SourceKind::Output, "alpha of another\n");
        store_as("notes", SourceKind::Text, "alpha notes\n");
        store_as("notes/2", SourceKind::Text, "alpha other notes\n");
        let found = |source: &str| {
            let request = SearchRequest {
                queries: vec!["alpha".into()],
                source: Some(source.to_owned()),
                limit: 10,
                budget_bytes: 9_000,
                ..SearchRequest::default()
            };
            let mut labels: Vec<String> = store.search(&request).unwrap().per_query[0]
                .hits
                .iter()
                .map(|hit| hit.source.clone())
                .collect();
            labels.sort();
            labels
        };
        assert_eq!(found("output:a"), ["output:a", "output:a/2", "output:a/3"]);
        assert_eq!(found(&first.to_string()), ["output:a", "output:a/2", "output:a/3"]);
        assert_eq!(found("output:a/2"), ["output:a/2"]);
        assert_eq!(found("notes"), ["notes"]);
        let whole = store.source_text(&first.to_string()).unwrap().text;
        assert_eq!(whole.lines().collect::<Vec<_>>(), ["alpha one", "alpha two", "alpha three"]);
        assert_eq!(store.purge(&PurgeScope::Source("output:a".into()), None, 2).unwrap().sources, 3);
    }
}
