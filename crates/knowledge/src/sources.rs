//! Listing what is stored and reading it back whole. Finding passages is `search`.

use rusqlite::OptionalExtension;

use crate::error::{KnowledgeError, Result};
use crate::ingest::SourceKind;
use crate::store::Store;

/// One document, or a folder with its documents, as listed.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SourceInfo {
    /// Its number; addresses use it.
    pub id: i64,
    /// Its name.
    pub label: String,
    /// Where it came from.
    pub kind: SourceKind,
    /// The path or URL behind it.
    pub origin: Option<String>,
    /// The session that indexed it last.
    pub session: Option<String>,
    /// The agent of that session.
    pub agent: Option<String>,
    /// Documents: 1, or the number of files of a folder.
    pub files: u64,
    /// Chunks, of a folder all of its files'.
    pub chunks: u64,
    /// Of these, code.
    pub code_chunks: u64,
    /// Bytes of text.
    pub bytes: u64,
    /// When it was indexed last, in milliseconds since 1970.
    pub indexed_ms: i64,
}

/// A page of the list.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SourceList {
    /// Newest first.
    pub sources: Vec<SourceInfo>,
    /// How many there are in all.
    pub total: u64,
}

/// A document read back.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SourceText {
    /// What is known of it.
    pub info: SourceInfo,
    /// Its chunks in order, joined; overlapping lines stand once.
    pub text: String,
}

pub(crate) const COLUMNS: &str = "s.id, s.label, s.kind, s.origin, s.session, s.agent,
    CASE s.kind WHEN 'folder' THEN (SELECT count(*) FROM sources k WHERE k.parent = s.id) ELSE 1 END,
    s.chunks + coalesce((SELECT sum(k.chunks) FROM sources k WHERE k.parent = s.id), 0),
    s.code_chunks + coalesce((SELECT sum(k.code_chunks) FROM sources k WHERE k.parent = s.id), 0),
    s.bytes + coalesce((SELECT sum(k.bytes) FROM sources k WHERE k.parent = s.id), 0),
    s.indexed_ms";

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
    })
}

impl Store {
    /// The sources, newest first; a folder stands for its files.
    ///
    /// # Errors
    /// When the database cannot be read.
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
    /// When the database cannot be read.
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
    /// [`KnowledgeError::NoSource`], or when the database cannot be read.
    pub fn source(&self, name: &str) -> Result<SourceInfo> {
        let missing = || KnowledgeError::NoSource(crate::cut(name, 200).to_owned());
        let (id, _) = self.find_source(name)?.ok_or_else(missing)?;
        let sql = format!("SELECT {COLUMNS} FROM sources s WHERE s.id = ?1");
        self.read(|db| db.prepare_cached(&sql)?.query_row([id], info).optional())?.ok_or_else(missing)
    }

    /// The whole text of a source, by label or number.
    ///
    /// # Errors
    /// [`KnowledgeError::NoSource`], or when the database cannot be read.
    pub fn source_text(&self, name: &str) -> Result<SourceText> {
        let info = self.source(name)?;
        let text = self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT text, start_line, end_line FROM chunks WHERE source = ?1 ORDER BY id",
            )?;
            let mut rows = statement.query([info.id])?;
            let mut text = String::new();
            let mut last_line = 0u32;
            while let Some(row) = rows.next()? {
                let chunk = row.get_ref(0)?.as_str().unwrap_or_default();
                let (start, end): (u32, u32) = (row.get(1)?, row.get(2)?);
                // A chunk that begins on the line where the last one ended continues that line.
                if !text.is_empty() && start > last_line {
                    let blank = start.saturating_sub(last_line).clamp(1, 2);
                    text.extend(std::iter::repeat_n('\n', blank as usize));
                }
                text.push_str(chunk);
                last_line = end;
            }
            Ok(text)
        })?;
        Ok(SourceText { info, text })
    }

    /// The whole text of one chunk, by its number.
    ///
    /// # Errors
    /// [`KnowledgeError::NoSource`], or when the database cannot be read.
    pub fn chunk_text(&self, chunk_id: i64) -> Result<String> {
        let text = self.read(|db| {
            db.prepare_cached("SELECT text FROM chunks WHERE id = ?1")?
                .query_row([chunk_id], |r| r.get(0))
                .optional()
        })?;
        text.ok_or_else(|| KnowledgeError::NoSource(format!("chunk {chunk_id}")))
    }
}
