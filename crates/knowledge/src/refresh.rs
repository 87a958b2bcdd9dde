//! Keeps file sources current when they are searched: a file that changed since it was indexed is read again before its text
//! is shown. Without changes, the only cost is a stat per file.

use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::file_text;
use crate::ingest::{FileStamp, NewSource, SourceMetadata};
use crate::search::{SearchReply, SearchRequest};
use crate::source_kind::SourceKind;
use crate::sources::SourceText;
use crate::store::Store;

/// Up to this many file sources are all checked, so that a file that only now matches is found too; beyond, only those of
/// the hits.
const CHECK_ALL_UP_TO: i64 = 1_000;
/// Files that have grown beyond this stay as they were indexed.
const MAX_FILE_BYTES: u64 = 50 * 1024 * 1024;

/// What a refresh changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct RefreshResult {
    /// Changed files that were read again.
    pub changed: u64,
    /// Files of an indexed folder that were removed because they are gone.
    pub removed: u64,
}

struct Stale {
    id: i64,
    parent: Option<i64>,
    label: String,
    path: PathBuf,
    session: Option<String>,
    agent: Option<String>,
    stamp: FileStamp,
    hash: Option<Vec<u8>>,
}

/// The sources that a reply shows.
fn sources_of(reply: &SearchReply) -> Vec<i64> {
    let mut ids: Vec<i64> =
        reply.per_query.iter().flat_map(|query| &query.hits).map(|hit| hit.source_id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

impl Store {
    /// Searches after refreshing changed files, and marks the results' sources as used.
    ///
    /// `deny_read`: files that the user's rules forbid to read; they stay as they were indexed.
    ///
    /// # Errors
    /// As [`Store::search`]. A file that can't be read, or a database that can't be written now, isn't an error: the answer is
    /// then what was indexed last.
    pub fn search_fresh(
        &mut self,
        request: &SearchRequest,
        deny_read: &dyn Fn(&Path) -> bool,
        now_ms: i64,
    ) -> Result<(SearchReply, RefreshResult)> {
        let (reply, refreshed) = self.refresh_and_search(request, deny_read, now_ms)?;
        self.mark_used(&sources_of(&reply), now_ms);
        Ok((reply, refreshed))
    }

    fn refresh_and_search(
        &mut self,
        request: &SearchRequest,
        deny_read: &dyn Fn(&Path) -> bool,
        now_ms: i64,
    ) -> Result<(SearchReply, RefreshResult)> {
        let files: i64 = self.read(|db| {
            db.query_row(
                "SELECT count(*) FROM (SELECT 1 FROM sources WHERE kind = 'file' LIMIT ?1)",
                [CHECK_ALL_UP_TO + 1],
                |r| r.get(0),
            )
        })?;
        if files == 0 {
            return Ok((self.search(request)?, RefreshResult::default()));
        }
        if files <= CHECK_ALL_UP_TO {
            let refreshed = self.refresh_changed(None, deny_read, now_ms).unwrap_or_else(|error| {
                log::warn!("files are searched as they were indexed: {error}");
                RefreshResult::default()
            });
            return Ok((self.search(request)?, refreshed));
        }
        let reply = self.search(request)?;
        match self.refresh_changed(Some(&sources_of(&reply)), deny_read, now_ms) {
            Ok(refreshed) if refreshed != RefreshResult::default() => Ok((self.search(request)?, refreshed)),
            Ok(none) => Ok((reply, none)),
            Err(error) => {
                log::warn!("files are searched as they were indexed: {error}");
                Ok((reply, RefreshResult::default()))
            }
        }
    }

    /// A source's full text by label or number, from its file if that has changed since.
    ///
    /// `deny_read` and errors as for [`Store::search_fresh`] and [`Store::source_text`].
    ///
    /// # Errors
    /// [`KnowledgeError::NoSource`](crate::KnowledgeError::NoSource), or if the database can't be read.
    pub fn source_text_fresh(
        &mut self,
        name: &str,
        deny_read: &dyn Fn(&Path) -> bool,
        now_ms: i64,
    ) -> Result<SourceText> {
        let info = self.source(name)?;
        if info.kind == SourceKind::File
            && let Err(error) = self.refresh_changed(Some(&[info.id]), deny_read, now_ms)
        {
            log::warn!("{} is read as it was indexed: {error}", info.label);
        }
        self.source_text(name)
    }

    /// Reads each of the file sources `ids` (all if `None`) again if its file has changed. Missing files of an indexed folder
    /// are removed; a file indexed on its own stays, because it may be the last copy.
    ///
    /// # Errors
    /// If the database can't be read or written.
    pub(crate) fn refresh_changed(
        &mut self,
        ids: Option<&[i64]>,
        deny_read: &dyn Fn(&Path) -> bool,
        now_ms: i64,
    ) -> Result<RefreshResult> {
        let mut refreshed = RefreshResult::default();
        let mut gone = Vec::new();
        for file in self.stale_files(ids)? {
            let meta = match std::fs::metadata(&file.path) {
                Ok(meta) => meta,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound && file.parent.is_some() => {
                    gone.push(file.id);
                    continue;
                }
                Err(_) => continue,
            };
            if !meta.is_file() || meta.len() > MAX_FILE_BYTES || deny_read(&file.path) {
                continue;
            }
            let Ok(bytes) = home::read_regular(&file.path, MAX_FILE_BYTES) else { continue };
            let Ok(read) = file_text::of(&file.path, bytes) else { continue };
            let path = file.path.to_string_lossy();
            let new = NewSource {
                label: &file.label,
                kind: SourceKind::File,
                origin: Some(&path),
                session: file.session.as_deref(),
                agent: file.agent.as_deref(),
                content: &read.content,
                format: read.format,
                now_ms,
            };
            let same = file.hash.as_deref() == Some(crate::ingest::content_hash(&read.content).as_slice());
            let extra = SourceMetadata {
                parent: file.parent,
                file: Some(FileStamp::of(&meta)),
                ..SourceMetadata::default()
            };
            self.index_with(new, extra)?;
            refreshed.changed += u64::from(!same);
        }
        refreshed.removed = self.remove_sources(&gone)?;
        Ok(refreshed)
    }

    /// The file sources whose size or time differs from what was indexed.
    fn stale_files(&self, ids: Option<&[i64]>) -> Result<Vec<Stale>> {
        let read = |r: &rusqlite::Row<'_>| {
            Ok(Stale {
                id: r.get(0)?,
                parent: r.get(1)?,
                label: r.get(2)?,
                path: PathBuf::from(r.get::<_, String>(3)?),
                session: r.get(4)?,
                agent: r.get(5)?,
                stamp: FileStamp { size: r.get(6)?, mtime_ns: r.get(7)? },
                hash: r.get(8)?,
            })
        };
        let sql = |condition: &str| {
            format!(
                "SELECT id, parent, label, origin, session, agent, coalesce(file_size, -1), coalesce(file_mtime_ns, -1), hash
                 FROM sources WHERE kind = 'file' AND origin IS NOT NULL {condition}"
            )
        };
        let mut all = self.read(|db| {
            let mut all: Vec<Stale> = Vec::new();
            match ids {
                None => {
                    let mut statement = db.prepare_cached(&sql(""))?;
                    let rows = statement.query_map([], read)?;
                    for row in rows {
                        all.push(row?);
                    }
                }
                Some(ids) => {
                    let mut statement = db.prepare_cached(&sql("AND id = ?1"))?;
                    for id in ids {
                        for row in statement.query_map([id], read)? {
                            all.push(row?);
                        }
                    }
                }
            }
            Ok(all)
        })?;
        all.retain(|file| {
            !may_be_another_file(&file.path)
                && std::fs::metadata(&file.path).map_or(true, |meta| FileStamp::of(&meta) != file.stamp)
        });
        Ok(all)
    }
}

/// Whether a stored path may be another one's: what wasn't UTF-8 in it is U+FFFD, and a file of that name is a different one.
pub(crate) fn may_be_another_file(path: &Path) -> bool {
    path.to_string_lossy().contains(char::REPLACEMENT_CHARACTER)
}
