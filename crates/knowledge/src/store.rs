//! The open knowledge base: its connection, its statistics, and rebuilding the index if the postings and the texts disagree
//! (as after a salvage). `ingest` writes, `search` reads.

use std::path::{Path, PathBuf};

use home::Db;
use rusqlite::Connection;

use crate::error::{KnowledgeError, Result};
use crate::schema::{MIGRATIONS, NEWEST};
use crate::source_kind::SourceKind;
use crate::subject::subject;
use ranking::words;

/// The knowledge base of one project.
#[derive(Debug)]
pub struct Store {
    pub(crate) db: Db,
    path: PathBuf,
}

/// Sizes of a knowledge base.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Stats {
    /// Documents, not counting folders.
    pub sources: u64,
    /// Indexed folders.
    pub folders: u64,
    /// Chunks of all sources.
    pub chunks: u64,
    /// Chunks that are code.
    pub code_chunks: u64,
    /// Bytes of indexed text.
    pub text_bytes: u64,
    /// Bytes of the database file, without its write-ahead log.
    pub database_bytes: u64,
}

impl Store {
    /// Opens the knowledge base at `path`, creating it if missing.
    ///
    /// # Errors
    /// [`home::open_db`]'s errors: a newer schema, damage that couldn't be salvaged, disk full, busy.
    pub fn open(path: &Path) -> Result<Store> {
        let db = home::open_db(path, MIGRATIONS)?;
        let mut store = Store::from_db(db, path);
        store.repair_index()?;
        Ok(store)
    }

    /// Opens an existing knowledge base read-only for one answer, also where nothing can be written; `None` if there is none
    /// yet, or one without its tables.
    ///
    /// # Errors
    /// [`home::open_db_briefly`]'s errors.
    pub fn open_read_only(path: &Path) -> Result<Option<Store>> {
        let Some(db) = home::open_db_briefly(path, NEWEST)? else { return Ok(None) };
        Ok(if db.has_tables()? { Some(Store::from_db(db, path)) } else { None })
    }

    fn from_db(db: Db, path: &Path) -> Store {
        db.set_prepared_statement_cache_capacity(48);
        Store { db, path: path.to_path_buf() }
    }

    /// The store's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads from the database; SQLite's errors are reported with the file.
    pub(crate) fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        work(&self.db).map_err(|source| KnowledgeError::Sqlite { path: self.path.clone(), source })
    }

    /// Limits the file to `pages` pages: how a test fills the disk.
    #[doc(hidden)]
    pub fn limit_pages_for_test(&self, pages: u32) {
        let _ = self.db.pragma_update(None, "max_page_count", pages);
    }

    /// Counts and sizes, for `stats` and `doctor`.
    ///
    /// # Errors
    /// If the database can't be read.
    pub fn stats(&self) -> Result<Stats> {
        self.read(|db| {
        let mut stats = db.query_row(
            "SELECT coalesce(sum(kind <> 'folder'), 0), coalesce(sum(kind = 'folder'), 0), coalesce(sum(chunks), 0),
                    coalesce(sum(code_chunks), 0), coalesce(sum(bytes), 0)
             FROM sources",
            [],
            |r| {
                Ok(Stats {
                    sources: r.get(0)?,
                    folders: r.get(1)?,
                    chunks: r.get(2)?,
                    code_chunks: r.get(3)?,
                    text_bytes: r.get(4)?,
                    database_bytes: 0,
                })
            },
        )?;
        let pages: u64 = db.query_row("PRAGMA page_count", [], |r| r.get(0))?;
        let page_size: u64 = db.query_row("PRAGMA page_size", [], |r| r.get(0))?;
        stats.database_bytes = pages * page_size;
        Ok(stats)
        })
    }

    /// Whether index and texts agree, by a count of both, for `doctor`. Doesn't read the postings: SQLite's check of them wants
    /// to write.
    ///
    /// # Errors
    /// If the database can't be read.
    pub fn index_is_sound(&self) -> Result<bool> {
        self.read(|db| {
            let chunks: u64 = db.query_row("SELECT count(*) FROM chunks", [], |r| r.get(0))?;
            let indexed: u64 = db.query_row("SELECT count(*) FROM chunk_index_docsize", [], |r| r.get(0))?;
            let declared: u64 =
                db.query_row("SELECT coalesce(sum(chunks), 0) FROM sources", [], |r| r.get(0))?;
            Ok(chunks == indexed && chunks == declared)
        })
    }

    /// Rebuilds the full-text index and the vocabulary from the texts.
    ///
    /// # Errors
    /// If the database can't be written.
    pub fn rebuild_index(&mut self) -> Result<()> {
        home::write(&mut self.db, |tx| {
            tx.execute("INSERT INTO chunk_index(chunk_index) VALUES('delete-all')", [])?;
            tx.execute("DELETE FROM words", [])?;
            let mut read = tx.prepare(
                "SELECT c.id, c.title, c.text, c.start_line, c.end_line, coalesce(s.kind, ''), coalesce(s.label, '')
                 FROM chunks c LEFT JOIN sources s ON s.id = c.source ORDER BY c.id",
            )?;
            let mut post =
                tx.prepare("INSERT INTO chunk_index(rowid, title, text, parts) VALUES(?1, ?2, ?3, ?4)")?;
            let mut keep = tx.prepare("INSERT OR IGNORE INTO words(word) VALUES(?1)")?;
            let mut vocabulary = std::collections::HashSet::new();
            let mut rows = read.query([])?;
            while let Some(row) = rows.next()? {
                let id: i64 = row.get(0)?;
                let title: String = row.get(1)?;
                let text: String = row.get(2)?;
                let kind = SourceKind::from_stored(row.get_ref(5)?.as_str()?);
                let label: String = row.get(6)?;
                let subject = subject(kind, &label, &title, (row.get(3)?, row.get(4)?));
                post.execute((id, &*subject, &text, words::parts(&text)))?;
                words::vocabulary(&text, &mut vocabulary);
                words::vocabulary(&subject, &mut vocabulary);
            }
            for word in &vocabulary {
                keep.execute([word])?;
            }
            // A salvaged source may have lost chunks; record what exists, and read its file again if it has one.
            tx.execute(
                "UPDATE sources SET hash = NULL, file_mtime_ns = NULL,
                        chunks = (SELECT count(*) FROM chunks WHERE source = sources.id),
                        code_chunks = (SELECT count(*) FROM chunks WHERE source = sources.id AND code)
                 WHERE chunks <> (SELECT count(*) FROM chunks WHERE source = sources.id)",
                [],
            )?;
            tx.execute("DELETE FROM chunks WHERE source NOT IN (SELECT id FROM sources)", [])?;
            Ok(())
        })?;
        Ok(())
    }

    /// A salvage recovers tables, not postings. Compares the newest row of both, which costs nothing on a sound file.
    fn repair_index(&mut self) -> Result<()> {
        if self.db.salvaged().is_some() {
            return self.rebuild_index();
        }
        // A file without its shadow tables returns an error here; a rebuild fixes that too.
        if self.newest_is_indexed().unwrap_or(false) {
            return Ok(());
        }
        log::warn!("{}: the search index does not match its texts and is rebuilt", self.path.display());
        self.rebuild_index()
    }

    /// Whether the newest text is indexed. One statement sees one moment; between two another process may store something,
    /// which isn't damage.
    fn newest_is_indexed(&self) -> Result<bool> {
        let same = "SELECT (SELECT max(id) FROM chunks) IS (SELECT max(id) FROM chunk_index_docsize)";
        self.read(|db| db.query_row(same, [], |r| r.get(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NewSource;

    #[test]
    fn rows_stored_during_the_check_are_not_damage() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("knowledge.db");
        let store = Store::open(&path).unwrap();
        let asked = std::thread::scope(|threads| {
            let writer = threads.spawn(|| {
                let mut other = Store::open(&path).unwrap();
                for number in 0..400 {
                    let (label, content) = (format!("notes {number}"), format!("words {number}"));
                    let new = NewSource {
                        label: &label,
                        kind: SourceKind::Text,
                        origin: None,
                        session: None,
                        agent: None,
                        content: &content,
                        format: None,
                        now_ms: 5,
                    };
                    other.index_text(new).unwrap();
                }
            });
            let mut asked = 0;
            while !writer.is_finished() {
                assert!(store.newest_is_indexed().unwrap(), "question {asked}");
                asked += 1;
            }
            asked
        });
        assert!(asked > 10, "{asked}");
        assert_eq!(store.stats().unwrap().sources, 400);
    }

    #[test]
    fn an_index_without_the_newest_text_is_rebuilt() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("knowledge.db");
        let store = Store::open(&path).unwrap();
        assert!(store.newest_is_indexed().unwrap(), "nothing is stored, and nothing is missing");
        store
            .db
            .execute("INSERT INTO chunk_index(rowid, title, text, parts) VALUES(7, 'a', 'b', '')", [])
            .unwrap();
        assert!(!store.newest_is_indexed().unwrap());
        drop(store);
        assert!(Store::open(&path).unwrap().newest_is_indexed().unwrap());
    }
}
