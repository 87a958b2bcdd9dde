//! Makes room: how much command outputs take of a knowledge base, which of them to delete, and returning the space to the
//! system. Never touches what a user or an agent indexed on purpose.

use crate::SourceKind;
use crate::error::Result;
use crate::purge::remove;
use crate::store::Store;

/// A stored output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredOutput {
    /// Its number.
    pub id: i64,
    /// When it was stored, in milliseconds since 1970.
    pub indexed_ms: i64,
    /// The session that stored it.
    pub session: Option<String>,
    /// Its approximate size on disk, including its part of the index, in bytes.
    pub disk_bytes: u64,
}

/// How much text one transaction removes, in bytes: other writers wait for it.
const AT_ONCE: u64 = 1024 * 1024;
/// Index pages merged in one transaction.
const MERGED: i64 = 400;
/// The most merges; the rest is merged next time.
const MERGES: usize = 60;

impl Store {
    /// The outputs, oldest first. The file's size is divided among all sources by text length.
    ///
    /// # Errors
    /// If the database can't be read.
    pub fn stored_outputs(&self) -> Result<Vec<StoredOutput>> {
        self.read(|db| {
            let pragma = |name: &str| db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, u64>(0));
            let used = pragma("page_count")?.saturating_sub(pragma("freelist_count")?) * pragma("page_size")?;
            let text: u64 = db.query_row(
                "SELECT coalesce(sum(bytes), 0) FROM sources WHERE kind <> 'folder'",
                [],
                |row| row.get(0),
            )?;
            let mut read = db.prepare(
                "SELECT id, indexed_ms, session, bytes FROM sources WHERE kind = ?1 ORDER BY indexed_ms, id",
            )?;
            let outputs = read.query_map([SourceKind::Output.as_str()], |row| {
                let bytes: u64 = row.get(3)?;
                let share = u128::from(bytes) * u128::from(used) / u128::from(text.max(1));
                Ok(StoredOutput {
                    id: row.get(0)?,
                    indexed_ms: row.get(1)?,
                    session: row.get(2)?,
                    disk_bytes: u64::try_from(share).unwrap_or(u64::MAX),
                })
            })?;
            outputs.collect()
        })
    }

    /// Deletes these outputs for good, a few at a time so that others can write in between, and returns how many. Ids that
    /// aren't outputs are skipped.
    ///
    /// # Errors
    /// If the database can't be written; what was deleted so far stays deleted.
    pub fn evict_outputs(&mut self, ids: &[i64]) -> Result<u64> {
        let mut gone = 0;
        let mut rest = ids;
        while !rest.is_empty() {
            let (count, evicted) = home::write(&mut self.db, |tx| {
                let mut bytes_of =
                    tx.prepare_cached("SELECT bytes FROM sources WHERE id = ?1 AND kind = ?2")?;
                let (mut count, mut bytes, mut outputs) = (0, 0, Vec::new());
                for id in rest {
                    count += 1;
                    let mut found = bytes_of.query((id, SourceKind::Output.as_str()))?;
                    if let Some(row) = found.next()? {
                        outputs.push(*id);
                        bytes += row.get::<_, u64>(0)?;
                    }
                    if bytes >= AT_ONCE {
                        break;
                    }
                }
                drop(bytes_of);
                remove(tx, &outputs, false)?;
                Ok((count, outputs.len() as u64))
            })?;
            gone += evicted;
            rest = rest.get(count..).unwrap_or_default();
        }
        Ok(gone)
    }

    /// Returns the deleted data's space to the system, in steps between which others can write. What can't be returned now
    /// (another process reads) is returned next time.
    pub fn shrink(&mut self) {
        if let Err(error) = self.try_shrink() {
            log::info!("{}: space is given back later: {error}", self.path().display());
        }
    }

    /// Releases cached pages; they are read again when needed.
    pub fn release_memory(&self) {
        self.db.release_memory();
    }

    fn try_shrink(&mut self) -> rusqlite::Result<()> {
        let pragma =
            |name: &str| self.db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, u64>(0));
        // Postings of deleted rows are only marked until their segment is merged.
        let mut pages = -MERGED;
        for _ in 0..MERGES {
            let before = self.db.total_changes();
            self.db.execute("INSERT INTO chunk_index(chunk_index, rank) VALUES('merge', ?1)", [pages])?;
            if self.db.total_changes() - before < 2 {
                break;
            }
            pages = MERGED;
        }
        let (all, free) = (pragma("page_count")?, pragma("freelist_count")?);
        if pragma("auto_vacuum")? == 2 {
            if free * 16 > all {
                let mut step = self.db.prepare(&format!("PRAGMA incremental_vacuum({free})"))?;
                let mut rows = step.query([])?;
                while rows.next()?.is_some() {}
            }
        } else if free * 4 > all {
            // An earlier version's file can't shrink in steps; after a rewrite it can.
            self.db.execute_batch("PRAGMA auto_vacuum = INCREMENTAL; VACUUM")?;
        }
        self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NewSource, SearchRequest};

    fn store_of(path: &std::path::Path) -> Store {
        let mut store = Store::open(path).unwrap();
        let words = |n: usize| -> String {
            (0..9_000).map(|line| format!("line {line} of number {n}: word{}\n", line * 7919 + n)).collect()
        };
        for (n, kind) in
            [SourceKind::Output, SourceKind::Text, SourceKind::Output, SourceKind::Url, SourceKind::Output]
                .into_iter()
                .enumerate()
        {
            let source = NewSource {
                label: &format!("source {n}"),
                kind,
                origin: None,
                session: Some("s"),
                agent: None,
                content: &words(n),
                format: None,
                now_ms: 100 - i64::try_from(n).unwrap(),
            };
            store.index_text(source).unwrap();
        }
        store
    }

    fn size(path: &std::path::Path) -> u64 {
        let wal = path.with_extension("db-wal");
        path.metadata().unwrap().len() + wal.metadata().map_or(0, |meta| meta.len())
    }

    #[test]
    fn only_outputs_go_and_the_file_shrinks() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("knowledge.db");
        let mut store = store_of(&path);
        let outputs = store.stored_outputs().unwrap();
        let times: Vec<i64> = outputs.iter().map(|output| output.indexed_ms).collect();
        assert_eq!(times, [96, 98, 100]);
        store.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        let before = size(&path);
        let share: u64 = outputs.iter().map(|output| output.disk_bytes).sum();
        assert!((before / 2..before * 7 / 10).contains(&share), "{share} of {before}");
        // Every id, including those that aren't outputs.
        assert_eq!(store.evict_outputs(&[1, 2, 3, 4, 5, 99]).unwrap(), 3);
        store.shrink();
        let after = size(&path);
        assert!(after < before * 6 / 10, "{after} of {before}");
        let left = store.sources(0, 10).unwrap().sources;
        let mut labels: Vec<&str> = left.iter().map(|source| source.label.as_str()).collect();
        labels.sort_unstable();
        assert_eq!(labels, ["source 1", "source 3"]);
        assert!(store.index_is_sound().unwrap());
        let request = SearchRequest { queries: vec!["number 3".into()], ..SearchRequest::default() };
        assert!(!store.search(&request).unwrap().per_query[0].hits.is_empty());
    }

    #[test]
    fn a_file_of_an_earlier_version_shrinks_as_well() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("knowledge.db");
        let mut store = store_of(&path);
        store.db.execute_batch("PRAGMA auto_vacuum = NONE; VACUUM").unwrap();
        store.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        let before = size(&path);
        store.evict_outputs(&[1, 3, 5]).unwrap();
        store.shrink();
        assert!(size(&path) < before * 6 / 10, "{} of {before}", size(&path));
    }
}
