//! Stores a text in the knowledge base: chunks it, indexes it, replaces what had the same label. One source is one transaction,
//! so a reader sees the old text or the new one, never a mixture. The caller knows where the text came from.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;

use rusqlite::{OptionalExtension, Transaction};
use text::ChunkKind;

use crate::error::Result;
use crate::source_kind::SourceKind;
use crate::store::Store;
use crate::subject::subject;
use ranking::words;

/// A text to index.
#[derive(Debug, Clone)]
pub struct NewSource<'a> {
    /// Its name; a source with the same name is replaced.
    pub label: &'a str,
    /// Its kind.
    pub kind: SourceKind,
    /// The path or URL behind it.
    pub origin: Option<&'a str>,
    /// The session that indexed it.
    pub session: Option<&'a str>,
    /// The agent of that session.
    pub agent: Option<&'a str>,
    /// The text. Its secrets are redacted before anything is stored.
    pub content: &'a str,
    /// How to chunk it; `None` decides by label and content.
    pub format: Option<text::Format>,
    /// The time now, in milliseconds since 1970.
    pub now_ms: i64,
}

/// The result of indexing.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct IndexResult {
    /// The number of the source.
    pub source_id: i64,
    /// Its chunks.
    pub chunks: u64,
    /// Its code chunks.
    pub code_chunks: u64,
    /// Bytes of text.
    pub bytes: u64,
    /// Whether it replaced a source with this label.
    pub replaced: bool,
    /// Whether the text was the same as before, so nothing was done.
    pub unchanged: bool,
}

/// A source's metadata besides its text.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct SourceMetadata<'a> {
    pub(crate) parent: Option<i64>,
    pub(crate) file: Option<FileStamp>,
    pub(crate) web: Option<WebStamp<'a>>,
}

/// Tells whether a file may have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileStamp {
    pub(crate) size: i64,
    pub(crate) mtime_ns: i64,
}

impl FileStamp {
    pub(crate) fn of(meta: &std::fs::Metadata) -> FileStamp {
        let mtime_ns = meta
            .modified()
            .ok()
            .and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok())
            .and_then(|d| i64::try_from(d.as_nanos()).ok())
            .unwrap_or(-1);
        FileStamp { size: i64::try_from(meta.len()).unwrap_or(i64::MAX), mtime_ns }
    }
}

/// What a later conditional request for the same page sends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WebStamp<'a> {
    pub(crate) etag: Option<&'a str>,
    pub(crate) last_modified: Option<&'a str>,
    pub(crate) fetched_ms: i64,
}

/// A chunked text, ready to be written: all the work that needs no lock.
#[derive(Debug)]
pub(crate) struct PreparedSource<'a> {
    new: NewSource<'a>,
    /// Label and origin as stored.
    label: Cow<'a, str>,
    origin: Option<Cow<'a, str>>,
    extra: SourceMetadata<'a>,
    hash: [u8; 32],
    chunks: Vec<text::Chunk>,
    parts: Vec<String>,
    vocabulary: Vec<String>,
}

pub(crate) fn content_hash(content: &str) -> [u8; 32] {
    *blake3::hash(content.as_bytes()).as_bytes()
}

pub(crate) fn prepare<'a>(new: NewSource<'a>, extra: SourceMetadata<'a>) -> PreparedSource<'a> {
    let format =
        new.format.clone().unwrap_or_else(|| text::format_of(new.origin.unwrap_or(new.label), new.content));
    // All paths into the knowledge base meet here: no secret reaches the disk, whoever indexes what.
    let content = text::redact(new.content);
    // An address may contain a token; files and folders are found by their unchanged paths.
    let is_path = matches!(new.kind, SourceKind::File | SourceKind::Folder);
    let named = |name: &'a str| if is_path { Cow::Borrowed(name) } else { text::redact(name) };
    let (label, origin) = (named(new.label), new.origin.map(named));
    let chunks = text::chunk(&content, &format, base_title(new.kind, &label), text::MAX_CHUNK_BYTES);
    let parts = chunks.iter().map(|c| words::parts(&c.text)).collect();
    let mut vocabulary = HashSet::new();
    for chunk in &chunks {
        words::vocabulary(&chunk.text, &mut vocabulary);
        words::vocabulary(&subject_of(new.kind, &label, chunk), &mut vocabulary);
    }
    let mut vocabulary: Vec<String> = vocabulary.into_iter().collect();
    // Sorted, so that neighbours in the tree are written together.
    vocabulary.sort_unstable();
    PreparedSource { hash: content_hash(new.content), new, label, origin, extra, chunks, parts, vocabulary }
}

fn subject_of<'a>(kind: SourceKind, label: &str, chunk: &'a text::Chunk) -> Cow<'a, str> {
    subject(kind, label, &chunk.title, (chunk.start_line, chunk.end_line))
}

/// The title of a chunk without a heading: the file's own name, or the label.
pub(crate) fn base_title(kind: SourceKind, label: &str) -> &str {
    match kind {
        SourceKind::File => Path::new(label).file_name().and_then(|n| n.to_str()).unwrap_or(label),
        _ => label,
    }
}

pub(crate) fn write_source(tx: &Transaction<'_>, p: &PreparedSource<'_>) -> rusqlite::Result<IndexResult> {
    let code_chunks = p.chunks.iter().filter(|c| matches!(c.kind, ChunkKind::Code)).count() as u64;
    let old: Option<i64> = tx
        .prepare_cached("SELECT id FROM sources WHERE label = ?1")?
        .query_row([&*p.label], |r| r.get(0))
        .optional()?;
    let (size, mtime) = p.extra.file.map_or((None, None), |f| (Some(f.size), Some(f.mtime_ns)));
    let row = (
        p.extra.parent,
        &*p.label,
        p.new.kind.as_str(),
        p.origin.as_deref(),
        p.new.session,
        p.new.agent,
        p.hash.as_slice(),
        p.new.content.len() as i64,
        p.chunks.len() as i64,
        code_chunks as i64,
        size,
        mtime,
        p.extra.web.and_then(|w| w.etag),
        p.extra.web.and_then(|w| w.last_modified),
        p.extra.web.map(|w| w.fetched_ms),
        p.new.now_ms,
    );
    let id = match old {
        // The id stays, so that an address shared earlier shows the current text.
        Some(id) => {
            delete_chunks(tx, id)?;
            tx.prepare_cached(
                "UPDATE sources SET parent = ?1, label = ?2, kind = ?3, origin = ?4, session = ?5, agent = ?6, hash = ?7,
                    bytes = ?8, chunks = ?9, code_chunks = ?10, file_size = ?11, file_mtime_ns = ?12, etag = ?13,
                    last_modified = ?14, fetched_ms = ?15, indexed_ms = ?16
                 WHERE label = ?2",
            )?
            .execute(row)?;
            id
        }
        None => {
            tx.prepare_cached(
                "INSERT INTO sources(parent, label, kind, origin, session, agent, hash, bytes, chunks, code_chunks,
                    file_size, file_mtime_ns, etag, last_modified, fetched_ms, indexed_ms)
                 VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16)",
            )?
            .execute(row)?;
            tx.last_insert_rowid()
        }
    };
    let mut keep = tx.prepare_cached(
        "INSERT INTO chunks(source, title, text, code, start_line, end_line) VALUES(?1,?2,?3,?4,?5,?6)",
    )?;
    let mut post =
        tx.prepare_cached("INSERT INTO chunk_index(rowid, title, text, parts) VALUES(?1,?2,?3,?4)")?;
    for (chunk, parts) in p.chunks.iter().zip(&p.parts) {
        let code = matches!(chunk.kind, ChunkKind::Code);
        keep.execute((id, &chunk.title, &chunk.text, code, chunk.start_line, chunk.end_line))?;
        let subject = subject_of(p.new.kind, &p.label, chunk);
        post.execute((tx.last_insert_rowid(), &*subject, &chunk.text, parts))?;
    }
    let mut word = tx.prepare_cached("INSERT OR IGNORE INTO words(word) VALUES(?1)")?;
    for w in &p.vocabulary {
        word.execute([w])?;
    }
    Ok(IndexResult {
        source_id: id,
        chunks: p.chunks.len() as u64,
        code_chunks,
        bytes: p.new.content.len() as u64,
        replaced: old.is_some(),
        unchanged: false,
    })
}

/// Removes a source's chunks and their postings; the source's own row stays.
pub(crate) fn delete_chunks(tx: &Transaction<'_>, source: i64) -> rusqlite::Result<usize> {
    tx.prepare_cached("DELETE FROM chunk_index WHERE rowid IN (SELECT id FROM chunks WHERE source = ?1)")?
        .execute([source])?;
    tx.prepare_cached("DELETE FROM chunks WHERE source = ?1")?.execute([source])
}

impl Store {
    /// Indexes a text under its label, replacing the previous one.
    ///
    /// A text equal to the stored one isn't written again; only its time is updated.
    ///
    /// # Errors
    /// If the database can't be written: disk full, busy for longer than the limit, or damaged.
    pub fn index_text(&mut self, new: NewSource<'_>) -> Result<IndexResult> {
        self.index_with(new, SourceMetadata::default())
    }

    /// The label for a text that came without one: `label`, or if another text has that, with a mark of the text's own. The
    /// same text has the same label each time, and no text takes another's place.
    ///
    /// # Errors
    /// If the database can't be read.
    pub fn label_of_text(&self, label: &str, content: &str) -> Result<String> {
        let hash = content_hash(content);
        let marked = format!("{label} ({})", &blake3::Hash::from(hash).to_hex()[..8]);
        let there: Vec<(String, Option<Vec<u8>>)> = self.read(|db| {
            db.prepare_cached("SELECT label, hash FROM sources WHERE label IN (?1, ?2)")?
                .query_map([label, marked.as_str()], |r| Ok((r.get(0)?, r.get(1)?)))?
                .collect()
        })?;
        let is_other = |had: Option<&[u8]>| had != Some(hash.as_slice());
        let is_taken = there.iter().any(|(known, had)| *known == marked || is_other(had.as_deref()));
        Ok(if is_taken { marked } else { label.to_owned() })
    }

    pub(crate) fn index_with(
        &mut self,
        new: NewSource<'_>,
        extra: SourceMetadata<'_>,
    ) -> Result<IndexResult> {
        let prepared = prepare(new, extra);
        write_with_retry(&mut self.db, |tx| match renew_unchanged(tx, &prepared)? {
            Some(indexed) => Ok(indexed),
            None => write_source(tx, &prepared),
        })
    }
}

/// How often a write is retried when the file is busy; each try waits by itself first.
const BUSY_TRIES: usize = 6;

/// One immediate transaction that waits for other writers instead of failing at once.
pub(crate) fn write_with_retry<T>(
    db: &mut rusqlite::Connection,
    work: impl Fn(&Transaction<'_>) -> rusqlite::Result<T>,
) -> Result<T> {
    for _ in 1..BUSY_TRIES {
        match home::write(db, &work) {
            Err(home::DbError::Busy { .. }) => {}
            other => return Ok(other?),
        }
    }
    Ok(home::write(db, &work)?)
}

/// If the same text is already stored under the same label, updates its time stamps and returns the result.
pub(crate) fn renew_unchanged(
    tx: &Transaction<'_>,
    p: &PreparedSource<'_>,
) -> rusqlite::Result<Option<IndexResult>> {
    let same = tx
        .prepare_cached(
            "UPDATE sources SET parent = coalesce(?3, parent), session = coalesce(?4, session), agent = coalesce(?5, agent),
                file_size = ?6, file_mtime_ns = ?7, etag = ?8, last_modified = ?9, fetched_ms = ?10, indexed_ms = ?11,
                origin = ?12
             WHERE label = ?1 AND hash = ?2 AND kind = ?13 RETURNING id, chunks, code_chunks, bytes",
        )?
        .query_row(
            (
                &*p.label,
                p.hash.as_slice(),
                p.extra.parent,
                p.new.session,
                p.new.agent,
                p.extra.file.map(|f| f.size),
                p.extra.file.map(|f| f.mtime_ns),
                p.extra.web.and_then(|w| w.etag),
                p.extra.web.and_then(|w| w.last_modified),
                p.extra.web.map(|w| w.fetched_ms),
                p.new.now_ms,
                p.origin.as_deref(),
                p.new.kind.as_str(),
            ),
            |r| {
                Ok(IndexResult {
                    source_id: r.get(0)?,
                    chunks: r.get(1)?,
                    code_chunks: r.get(2)?,
                    bytes: r.get(3)?,
                    replaced: true,
                    unchanged: true,
                })
            },
        )
        .optional()?;
    Ok(same)
}
