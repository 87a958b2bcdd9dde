//! Deletes for good: what is purged is afterwards in no page of the file, in no part of the index and not in the log.
//!
//! Overwriting what is deleted isn't enough. Each earlier change of a memory, and each merge of the index, left a copy
//! in space that nothing refers to. So the file is written again without that space. That this has to be done is stored with
//! what is removed, so that it's done by whoever opens the file next if this process is killed or another one is in the way.

use std::time::Duration;

use rusqlite::{Connection, ffi};

use super::SqliteStore;
use super::write::{Outcome, purge};
use crate::store::Result;

/// The beginning of a `tasks` row that stays until the data removed with it is overwritten.
const TASK: &str = "erase ";

/// Stores that what this transaction removes has to be overwritten.
pub(super) fn plan_erasure(db: &Connection) -> rusqlite::Result<()> {
    db.execute("INSERT INTO tasks VALUES(?1 || hex(randomblob(8)))", [TASK]).map(|_| ())
}

impl SqliteStore {
    /// Removes memories with their history; ids that don't exist are left out. Returns how many there were.
    ///
    /// # Errors
    /// If the database fails; then nothing is removed.
    pub fn purge_all(&mut self, ids: &[String]) -> Result<u64> {
        if ids.is_empty() {
            return Ok(0);
        }
        let purged = home::write(&mut self.db, |db| {
            let mut purged = 0;
            for id in ids {
                purged += u64::from(matches!(purge(db, id)?, Outcome::Done(())));
            }
            if purged > 0 {
                plan_erasure(db)?;
            }
            Ok(purged)
        })?;
        if purged > 0 {
            self.erase_leftovers();
        }
        Ok(purged)
    }

    /// Records that these texts of memories (project, id, hash) were removed for good.
    ///
    /// # Errors
    /// If the database fails.
    pub fn record_purged(&mut self, texts: &[(String, String, [u8; 16])]) -> Result<()> {
        if texts.is_empty() {
            return Ok(());
        }
        Ok(home::write(&mut self.db, |db| {
            let mut put = db.prepare_cached("INSERT OR IGNORE INTO purged VALUES(?1, ?2, ?3)")?;
            texts.iter().try_for_each(|(project, id, hash)| put.execute((project, id, hash)).map(|_| ()))
        })?)
    }

    /// Whether this text of a memory was removed for good.
    ///
    /// # Errors
    /// If the database fails.
    pub fn is_purged(&self, project: &str, id: &str, hash: [u8; 16]) -> Result<bool> {
        self.look(|db| {
            db.prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM purged WHERE project = ?1 AND id = ?2 AND hash = ?3)",
            )?
            .query_row((project, id, hash), |r| r.get(0))
        })
    }

    /// Forgets what was removed for good, and where memories were captured: of a project, or of all.
    ///
    /// # Errors
    /// If the database fails.
    pub fn forget_traces(&mut self, project: Option<&str>) -> Result<()> {
        Ok(home::write(&mut self.db, |db| {
            for table in ["purged", "clones", "trees"] {
                db.execute(&format!("DELETE FROM {table} WHERE ?1 IS NULL OR project = ?1"), [project])?;
            }
            db.execute("DELETE FROM same_projects WHERE ?1 IS NULL OR one = ?1 OR other = ?1", [project])?;
            Ok(())
        })?)
    }

    /// Writes index and file again without what was deleted. That is gone for every reader already, so where another
    /// process is in the way, it's only logged, and whoever opens the file next does it.
    pub(super) fn erase_leftovers(&self) {
        if let Err(error) = self.erase() {
            log::warn!("{}: what was deleted is overwritten later: {error}", self.path.display());
        }
    }

    /// Overwrites what an earlier process deleted and did not get to overwrite. Waits for nobody: it may be that process which
    /// is just doing it.
    pub(super) fn finish_erasures(&self) {
        if !self.awaits_erasure() {
            return;
        }
        let _ = self.db.busy_timeout(Duration::ZERO);
        if let Err(error) = self.erase() {
            log::info!("{}: what was deleted is overwritten later: {error}", self.path.display());
        }
        let _ = self.db.busy_timeout(home::BUSY_TIMEOUT);
    }

    /// Whether something that was deleted isn't overwritten yet.
    pub(crate) fn awaits_erasure(&self) -> bool {
        self.erasures().is_ok_and(|waiting| !waiting.is_empty())
    }

    /// The tasks of what was deleted and isn't overwritten yet.
    fn erasures(&self) -> rusqlite::Result<Vec<String>> {
        self.db
            .prepare("SELECT name FROM tasks WHERE name GLOB ?1 || '*'")?
            .query_map([TASK], |r| r.get(0))?
            .collect()
    }

    fn erase(&self) -> rusqlite::Result<()> {
        // Deletions made meanwhile belong to another task.
        let tasks = self.erasures()?;
        let done = self.overwrite().and_then(|()| {
            tasks
                .iter()
                .try_for_each(|name| self.db.execute("DELETE FROM tasks WHERE name = ?1", [name]).map(|_| ()))
        });
        let _ = self.db.pragma_update(None, "secure_delete", "OFF");
        done
    }

    fn overwrite(&self) -> rusqlite::Result<()> {
        self.db.pragma_update(None, "secure_delete", "ON")?;
        merged(&self.db)?;
        self.db.execute_batch("VACUUM")?;
        emptied(&self.db)
    }
}

/// Merges the index into one part, because each part keeps the words of what was deleted from it.
fn merged(db: &Connection) -> rusqlite::Result<()> {
    db.execute("INSERT INTO memory_index(memory_index) VALUES('optimize')", []).map(|_| ())
}

/// Empties the log, which has the pages as they were.
fn emptied(db: &Connection) -> rusqlite::Result<()> {
    // Somebody who is still reading the pages as they were doesn't make the statement fail.
    let is_busy: bool = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |r| r.get(0))?;
    if is_busy {
        return Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), None));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Domain, Namespace};
    use crate::store::{Actor, Draft, Secrets, Store as _};

    #[test]
    fn the_next_open_overwrites_a_killed_processes_deletions() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory.db");
        let who = Actor { at_ms: 1_000, client: None, session: None };
        let mut store = SqliteStore::open(&path).unwrap();
        let mut ids = Vec::new();
        for n in 0..40 {
            let content = format!("Memory {n}: {}", "the lighthouse keeper ".repeat(100));
            let draft = Draft::new(&content, Namespace::Decisions, Domain::User);
            ids.push(store.capture(&draft.check(Secrets::Redact).unwrap(), &who).unwrap().memory.id);
        }
        emptied(&store.db).unwrap();
        // The state left by a process that is killed before it overwrites anything.
        home::write(&mut store.db, |db| {
            plan_erasure(db)?;
            ids.iter().try_for_each(|id| purge(db, id).map(|_| ()))
        })
        .unwrap();
        emptied(&store.db).unwrap();
        drop(store);
        let is_there = || std::fs::read(&path).unwrap().windows(10).any(|part| part == b"lighthouse");
        assert!(is_there(), "otherwise this shows nothing");
        let store = SqliteStore::open(&path).unwrap();
        assert_eq!(store.erasures().unwrap(), Vec::<String>::new());
        drop(store);
        assert!(!is_there());
    }

    #[test]
    fn an_overwriting_task_waits_for_readers_of_the_old_pages() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory.db");
        let mut store = SqliteStore::open(&path).unwrap();
        let reader = SqliteStore::open_read_only(&path).unwrap().unwrap();
        reader.hold_view().unwrap();
        assert!(reader.erasures().unwrap().is_empty());
        home::write(&mut store.db, |db| plan_erasure(db)).unwrap();
        store.finish_erasures();
        assert_eq!(store.erasures().unwrap().len(), 1);
        drop(reader);
        store.finish_erasures();
        assert!(store.erasures().unwrap().is_empty());
    }
}
