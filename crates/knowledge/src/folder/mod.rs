//! Indexes a folder: which files belong ([`walk`]), and keeping the knowledge base in step with them.
//!
//! A folder is a source, and each of its files is a source below it, so a file can be replaced, found and removed on its
//! own. Indexing again reads only what changed; include patterns say what one run looks at, and what earlier runs with
//! other patterns stored stays, unless it's gone, excluded or forbidden. The caller knows which files the user forbids to read and passes a
//! predicate.

mod untouched;
mod walk;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusqlite::OptionalExtension;

use untouched::Untouched;
pub use walk::{Skipped, Walk, WalkOptions, walk};

use crate::error::{KnowledgeError, Result};
use crate::file_text::{self, FileText};
use crate::ingest::{
    FileStamp, IndexResult, NewSource, SourceMetadata, prepare, renew_unchanged, write_source,
    write_with_retry,
};
use crate::source_kind::SourceKind;
use crate::store::Store;

/// How much text one transaction writes: enough to be fast, little enough not to keep others waiting.
const BATCH_BYTES: usize = 256 * 1024;
/// How many files one transaction writes.
const BATCH_FILES: usize = 64;
/// A file modified within this time of being indexed may have changed again with the same time stamp.
const RACY_MS: i64 = 2_000;

/// Values shared by all files of one run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Origin<'a> {
    /// The label of the folder or file; `None` for its path.
    pub label: Option<&'a str>,
    /// The session that indexes.
    pub session: Option<&'a str>,
    /// Its agent.
    pub agent: Option<&'a str>,
    /// The time now, in milliseconds since 1970.
    pub now_ms: i64,
    /// Whether to read files that seem unchanged, too.
    pub force: bool,
}

/// A run's progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Files looked at.
    pub done: usize,
    /// Files to look at.
    pub total: usize,
}

/// The result of indexing a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct FolderIndexResult {
    /// The number of the folder's source.
    pub source_id: i64,
    /// Its label.
    pub label: String,
    /// Files in the knowledge base now.
    pub files: u64,
    /// New files.
    pub added: u64,
    /// Files replaced because they had changed.
    pub changed: u64,
    /// Files left as they were.
    pub unchanged: u64,
    /// Files removed because the folder no longer has them.
    pub removed: u64,
    /// Files of earlier runs that this run's include patterns don't name.
    pub kept: u64,
    /// Chunks written in this run.
    pub chunks: u64,
    /// Bytes of text read in this run.
    pub bytes: u64,
    /// What was skipped, and why.
    pub skipped: Skipped,
    /// Whether the caller stopped the run, or a purge of the folder did; nothing more was written or removed.
    pub stopped: bool,
}

struct Known {
    id: i64,
    stamp: FileStamp,
    indexed_ms: i64,
    path: PathBuf,
}

struct Pending {
    label: String,
    path: String,
    text: FileText,
    stamp: FileStamp,
    new: bool,
}

/// Indexes every text file below `root`. Calls `progress` from time to time; `false` stops the run.
///
/// # Errors
/// If `root` isn't a readable folder, a pattern doesn't parse, or the database can't be written.
pub fn index(
    store: &mut Store,
    root: &Path,
    options: &WalkOptions<'_>,
    origin: &Origin<'_>,
    progress: &mut dyn FnMut(Progress) -> bool,
) -> Result<FolderIndexResult> {
    let found = walk(root, options)?;
    let path = root.to_string_lossy();
    let label = match origin.label {
        Some(label) => label.to_owned(),
        None => marked(root, path.clone().into_owned()),
    };
    let stem = label.trim_end_matches(['/', '\\']).to_owned();
    // A name of nothing but separators, such as the root's, would be empty, and nobody could name it.
    let label = if stem.is_empty() { label } else { stem.clone() };
    let folder = store.folder_row(&label, &path, origin)?;
    let mut known = store.known_files(folder)?;
    let mut report = FolderIndexResult {
        source_id: folder,
        label: label.clone(),
        skipped: found.skipped.clone(),
        ..FolderIndexResult::default()
    };
    let mut batch: Vec<Pending> = Vec::new();
    let mut batch_bytes = 0;
    let total = found.files.len();
    for (done, file) in found.files.iter().enumerate() {
        if !progress(Progress { done, total }) {
            report.stopped = true;
            break;
        }
        let file_label = format!("{stem}/{}", relative_label(root, file));
        let before = known.remove(&file_label);
        let Ok(meta) = std::fs::metadata(file) else {
            report.skipped.unreadable += 1;
            continue;
        };
        let stamp = FileStamp::of(&meta);
        if let Some(before) = &before
            && !origin.force
            && before.stamp == stamp
            && before.stamp.mtime_ns / 1_000_000 + RACY_MS < before.indexed_ms
        {
            report.unchanged += 1;
            continue;
        }
        let Ok(bytes) = home::read_regular(file, options.max_file_bytes) else {
            report.skipped.unreadable += 1;
            continue;
        };
        let Ok(text) = file_text::of(file, bytes) else {
            // It was text when the walk looked at its beginning.
            report.skipped.binary += 1;
            continue;
        };
        report.bytes += text.content.len() as u64;
        batch_bytes += text.content.len();
        let path = file.to_string_lossy().into_owned();
        batch.push(Pending { label: file_label, path, text, stamp, new: before.is_none() });
        if batch_bytes >= BATCH_BYTES || batch.len() >= BATCH_FILES {
            let is_there = store.write_files(&batch, folder, origin, &mut report)?;
            batch.clear();
            batch_bytes = 0;
            if !is_there {
                report.stopped = true;
                break;
            }
        }
    }
    if !store.write_files(&batch, folder, origin, &mut report)? {
        report.stopped = true;
    }
    let untouched = Untouched::of(root, options, &found)?;
    let everything = known.len();
    known.retain(|_, k| !untouched.has(&k.path));
    report.kept = (everything - known.len()) as u64;
    // Only a complete walk proves that a file is gone; one below an unreadable folder may still exist.
    let complete = found.skipped.over_limit == 0 && untouched.is_complete();
    if !report.stopped && complete {
        let gone: Vec<i64> = known
            .iter()
            .filter(|(_, k)| !found.unreadable.iter().any(|dir| k.path.starts_with(home::as_text(dir))))
            .map(|(_, k)| k.id)
            .collect();
        report.removed = store.remove_sources(&gone)?;
    }
    progress(Progress { done: total, total });
    report.files = report.added + report.changed + report.unchanged + report.kept;
    Ok(report)
}

/// Indexes one file, whatever its extension. Its label is its path unless `origin` has one.
///
/// # Errors
/// If the file can't be read, isn't text (a PDF's text is used), is larger than `max_bytes`, or the database can't be
/// written.
pub fn index_file(
    store: &mut Store,
    path: &Path,
    max_bytes: u64,
    origin: &Origin<'_>,
) -> Result<IndexResult> {
    let io = |error| KnowledgeError::Io { path: path.to_path_buf(), error };
    let meta = std::fs::metadata(path).map_err(io)?;
    if !meta.is_file() {
        return Err(io(std::io::Error::other("not a file")));
    }
    if meta.len() > max_bytes {
        let words = format!("it has {} bytes; files of up to {max_bytes} are indexed", meta.len());
        return Err(io(std::io::Error::other(words)));
    }
    let bytes = home::read_regular(path, max_bytes).map_err(io)?;
    let read = file_text::of(path, bytes).map_err(|reason| io(std::io::Error::other(reason)))?;
    let shown = path.to_string_lossy();
    let new = NewSource {
        label: origin.label.unwrap_or(&shown),
        kind: SourceKind::File,
        origin: Some(&shown),
        session: origin.session,
        agent: origin.agent,
        content: &read.content,
        format: read.format,
        now_ms: origin.now_ms,
    };
    store.index_with(new, SourceMetadata { file: Some(FileStamp::of(&meta)), ..SourceMetadata::default() })
}

/// The path below `root`, with `/` on every system.
fn relative_label(root: &Path, file: &Path) -> String {
    let relative = file.strip_prefix(root).unwrap_or(file);
    let steps: Vec<_> = relative.components().map(|c| c.as_os_str().to_string_lossy()).collect();
    marked(relative, steps.join("/"))
}

/// The text of a path, with a mark of its own if it isn't UTF-8: two such paths may read the same.
fn marked(path: &Path, text: String) -> String {
    if path.to_str().is_some() {
        return text;
    }
    let mark = blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex();
    format!("{text} ({})", &mark[..8])
}

impl Store {
    /// The folder's own row, created if missing.
    fn folder_row(&mut self, label: &str, path: &str, origin: &Origin<'_>) -> Result<i64> {
        Ok(home::write(&mut self.db, |tx| {
            let old: Option<(i64, String)> = tx
                .query_row("SELECT id, kind FROM sources WHERE label = ?1", [label], |r| {
                    Ok((r.get(0)?, r.get(1)?))
                })
                .optional()?;
            if let Some((id, kind)) = old {
                if kind != "folder" {
                    crate::ingest::delete_chunks(tx, id)?;
                }
                tx.execute(
                    "UPDATE sources SET kind = 'folder', origin = ?2, session = coalesce(?3, session),
                        agent = coalesce(?4, agent), indexed_ms = ?5, hash = NULL, bytes = 0, chunks = 0, code_chunks = 0
                     WHERE id = ?1",
                    (id, path, origin.session, origin.agent, origin.now_ms),
                )?;
                return Ok(id);
            }
            tx.execute(
                "INSERT INTO sources(label, kind, origin, session, agent, bytes, chunks, code_chunks, indexed_ms)
                 VALUES(?1, 'folder', ?2, ?3, ?4, 0, 0, 0, ?5)",
                (label, path, origin.session, origin.agent, origin.now_ms),
            )?;
            Ok(tx.last_insert_rowid())
        })?)
    }

    fn known_files(&self, folder: i64) -> Result<HashMap<String, Known>> {
        self.read(|db| {
        let mut statement = db.prepare_cached(
            "SELECT label, id, coalesce(file_size, -1), coalesce(file_mtime_ns, -1), indexed_ms, coalesce(origin, '')
             FROM sources WHERE parent = ?1",
        )?;
        let rows = statement.query_map([folder], |r| {
            let stamp = FileStamp { size: r.get(2)?, mtime_ns: r.get(3)? };
            let path = PathBuf::from(r.get::<_, String>(5)?);
            Ok((r.get(0)?, Known { id: r.get(1)?, stamp, indexed_ms: r.get(4)?, path }))
        })?;
        rows.collect()
        })
    }

    /// Whether the folder is still there. One that was purged meanwhile gets no more files: what is purged doesn't come back.
    fn write_files(
        &mut self,
        batch: &[Pending],
        folder: i64,
        origin: &Origin<'_>,
        report: &mut FolderIndexResult,
    ) -> Result<bool> {
        if batch.is_empty() {
            return Ok(true);
        }
        // Chunking needs no lock, so it is done before the transaction.
        let prepared: Vec<_> = batch
            .iter()
            .map(|file| {
                let new = NewSource {
                    label: &file.label,
                    kind: SourceKind::File,
                    origin: Some(&file.path),
                    session: origin.session,
                    agent: origin.agent,
                    content: &file.text.content,
                    format: file.text.format.clone(),
                    now_ms: origin.now_ms,
                };
                prepare(
                    new,
                    SourceMetadata {
                        parent: Some(folder),
                        file: Some(file.stamp),
                        ..SourceMetadata::default()
                    },
                )
            })
            .collect();
        let written = write_with_retry(&mut self.db, |tx| {
            let is_there = tx
                .prepare_cached("SELECT 1 FROM sources WHERE id = ?1 AND kind = 'folder'")?
                .exists([folder])?;
            if !is_there {
                return Ok(None);
            }
            let mut written = Vec::with_capacity(prepared.len());
            for p in &prepared {
                written.push(match renew_unchanged(tx, p)? {
                    Some(same) => same,
                    None => write_source(tx, p)?,
                });
            }
            Ok(Some(written))
        })?;
        let Some(written) = written else { return Ok(false) };
        for (file, indexed) in batch.iter().zip(written) {
            match (indexed.unchanged, file.new) {
                (true, false) => report.unchanged += 1,
                (_, true) => report.added += 1,
                (false, false) => report.changed += 1,
            }
            if !indexed.unchanged {
                report.chunks += indexed.chunks;
            }
        }
        Ok(true)
    }

    /// Removes sources for good, because their files are gone.
    pub(crate) fn remove_sources(&mut self, ids: &[i64]) -> Result<u64> {
        if ids.is_empty() {
            return Ok(0);
        }
        Ok(home::write(&mut self.db, |tx| {
            let mut removed = 0;
            for id in ids {
                crate::ingest::delete_chunks(tx, *id)?;
                removed += tx.execute("DELETE FROM sources WHERE id = ?1", [id])? as u64;
            }
            Ok(removed)
        })?)
    }
}
