//! Removes what was indexed. A purge first copies what it removes into a file of `trash`; only a purge without a trash folder
//! deletes for good. It reports what and how much, and returns the space to the system.

use std::collections::HashSet;
use std::path::Path;

use rusqlite::Transaction;

use crate::error::{KnowledgeError, Result};
use crate::ingest::delete_chunks;
use crate::purge_result::{PurgeResult, count};
use crate::search::SourceFilter;
use crate::store::Store;
use crate::trash::{copy_to_trash, new_trash_file};
use ranking::quote;
use ranking::words;

/// What to purge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PurgeScope {
    /// One source by label or number (a folder with its files), or those below it: `docs` and `docs/` mean `docs/a`, not `docs-old`.
    Source(String),
    /// Everything a session indexed.
    Session(String),
    /// The whole knowledge base of the project.
    All,
}

impl std::fmt::Display for PurgeScope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PurgeScope::Source(name) => write!(f, "the source \"{}\"", crate::cut(name, 200)),
            PurgeScope::Session(id) => write!(f, "the session \"{}\"", crate::cut(id, 200)),
            PurgeScope::All => write!(f, "this project"),
        }
    }
}

impl Store {
    /// What [`Store::purge`] would remove.
    ///
    /// # Errors
    /// [`KnowledgeError::NothingToPurge`] if nothing matches the scope.
    pub fn purge_preview(&self, scope: &PurgeScope) -> Result<PurgeResult> {
        let ids = self.purge_ids(scope)?;
        self.read(|db| count(db, &ids))
    }

    /// Moves what the scope matches to a new file in `trash_dir`, or deletes it for good without one.
    ///
    /// The trash file is complete and on disk before anything is removed; the removal is one transaction.
    ///
    /// # Errors
    /// [`KnowledgeError::NothingToPurge`]; or if the trash or the database can't be written, and then nothing is
    /// removed.
    pub fn purge(
        &mut self,
        scope: &PurgeScope,
        trash_dir: Option<&Path>,
        now_ms: i64,
    ) -> Result<PurgeResult> {
        let trash = match trash_dir {
            Some(dir) => Some(new_trash_file(dir, now_ms)?),
            None => None,
        };
        // Removed data is overwritten in the file, here and when the index is merged afterwards.
        let _ = self.db.pragma_update(None, "secure_delete", "ON");
        let purged = self.purge_into(scope, trash.as_deref());
        match &purged {
            Ok(_) => self.reclaim_space(),
            Err(_) => {
                if let Some(file) = &trash {
                    // Half a copy is worthless: the originals are all still there.
                    let _ = std::fs::remove_file(file);
                }
            }
        }
        let _ = self.db.pragma_update(None, "secure_delete", "OFF");
        purged
    }

    fn purge_into(&self, scope: &PurgeScope, trash: Option<&Path>) -> Result<PurgeResult> {
        // Other processes may write meanwhile, so the copy is made inside the removing transaction.
        let path = self.path().to_path_buf();
        let sqlite = |error| KnowledgeError::Db(home::DbError::from_sqlite(&path, error));
        let tx = Transaction::new_unchecked(&self.db, rusqlite::TransactionBehavior::Immediate)
            .map_err(&sqlite)?;
        // The sources are selected in there too: one stored a moment later isn't removed without a copy.
        let ids = self.purge_ids(scope)?;
        let mut purged = count(&tx, &ids).map_err(&sqlite)?;
        if let Some(file) = trash {
            copy_to_trash(&tx, &path, &ids, file)?;
            purged.trash = Some(file.to_path_buf());
        }
        remove(&tx, &ids, *scope == PurgeScope::All).map_err(&sqlite)?;
        tx.commit().map_err(&sqlite)?;
        Ok(purged)
    }

    /// Deletes the command outputs stored before a moment (milliseconds since the Unix epoch) for good, and returns how many.
    /// The file doesn't shrink: later data reuses the space.
    ///
    /// # Errors
    /// If the database can't be written; then nothing is deleted.
    pub fn delete_outputs(&mut self, before_ms: i64) -> Result<u64> {
        let forgotten = home::write(&mut self.db, |tx| {
            let ids: Vec<i64> = tx
                .prepare("SELECT id FROM sources WHERE kind = ?1 AND indexed_ms < ?2")?
                .query_map((crate::SourceKind::Output.as_str(), before_ms), |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            remove(tx, &ids, false)?;
            Ok(ids.len() as u64)
        })?;
        Ok(forgotten)
    }

    fn purge_ids(&self, scope: &PurgeScope) -> Result<Vec<i64>> {
        let mut ids: Vec<i64> = match scope {
            PurgeScope::All => self.ids("SELECT id FROM sources", &[])?,
            PurgeScope::Session(session) => {
                self.ids("SELECT id FROM sources WHERE session = ?1", &[session])?
            }
            PurgeScope::Source(name) => match self.filter_for(name) {
                Ok(SourceFilter::One(id) | SourceFilter::Folder(id)) => vec![id],
                Ok(SourceFilter::Parts(ids)) => ids,
                // A search may take a beginning for a name; what is removed must have been named.
                Ok(SourceFilter::Labels { from, to }) => self.ids(
                    "SELECT id FROM sources WHERE label >= ?1 AND label < ?2
                     AND (substr(?1, -1) IN ('/', '\\') OR substr(label, length(?1) + 1, 1) IN ('/', '\\'))",
                    &[&from, &to],
                )?,
                Err(KnowledgeError::NoSource(_)) => Vec::new(),
                Err(other) => return Err(other),
            },
        };
        // A folder goes with its files.
        let children = self.read(|db| {
            let mut children = Vec::new();
            let mut of = db.prepare_cached("SELECT id FROM sources WHERE parent = ?1")?;
            for id in &ids {
                let found = of.query_map([id], |r| r.get(0))?;
                children.extend(found.collect::<rusqlite::Result<Vec<i64>>>()?);
            }
            Ok(children)
        })?;
        ids.extend(children);
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() {
            return Err(KnowledgeError::NothingToPurge(scope.to_string()));
        }
        Ok(ids)
    }

    fn ids(&self, sql: &str, values: &[&str]) -> Result<Vec<i64>> {
        self.read(|db| {
            let mut statement = db.prepare_cached(sql)?;
            statement.query_map(rusqlite::params_from_iter(values), |r| r.get(0))?.collect()
        })
    }

    /// Merges what the removal left in the index and shrinks the file. The data is safe already, so a failure (another process
    /// reads) is only logged; the next purge tries again.
    fn reclaim_space(&mut self) {
        let free = self.db.query_row("PRAGMA freelist_count", [], |r| r.get::<_, i64>(0)).unwrap_or(0);
        let pages = self.db.query_row("PRAGMA page_count", [], |r| r.get::<_, i64>(0)).unwrap_or(0);
        let optimised = self.db.execute("INSERT INTO chunk_index(chunk_index) VALUES('optimize')", []);
        // Rewriting a file to save less than a quarter isn't worth the time.
        let vacuumed = if free * 4 > pages { self.db.execute_batch("VACUUM") } else { Ok(()) };
        let checkpoint = self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        for error in [optimised.map(|_| ()), vacuumed, checkpoint].into_iter().filter_map(Result::err) {
            log::info!("{}: space is given back later: {error}", self.path().display());
        }
    }
}

pub(crate) fn remove(tx: &Transaction<'_>, ids: &[i64], all: bool) -> rusqlite::Result<()> {
    if all {
        tx.execute("INSERT INTO chunk_index(chunk_index) VALUES('delete-all')", [])?;
        tx.execute("DELETE FROM chunks", [])?;
        tx.execute("DELETE FROM sources", [])?;
        tx.execute("DELETE FROM words", [])?;
        return Ok(());
    }
    let mut gone = HashSet::new();
    for id in ids {
        let mut read = tx.prepare_cached("SELECT title, text FROM chunks WHERE source = ?1")?;
        let mut rows = read.query([id])?;
        while let Some(row) = rows.next()? {
            words::vocabulary(row.get_ref(0)?.as_str()?, &mut gone);
            words::vocabulary(row.get_ref(1)?.as_str()?, &mut gone);
        }
    }
    for id in ids {
        delete_chunks(tx, *id)?;
    }
    for id in ids.iter().rev() {
        tx.execute("DELETE FROM sources WHERE id = ?1", [id])?;
    }
    // The purged text must not remain in the vocabulary.
    let mut known = tx.prepare("SELECT 1 FROM chunk_index WHERE chunk_index MATCH ?1 LIMIT 1")?;
    let mut forget = tx.prepare("DELETE FROM words WHERE word = ?1")?;
    for word in &gone {
        if !known.exists([quote(word)])? {
            forget.execute([word])?;
        }
    }
    Ok(())
}
