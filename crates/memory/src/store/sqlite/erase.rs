//! Deletes for good: what is purged is afterwards in no page of the file, in no part of the index and not in the log.
//!
//! Overwriting what is deleted isn't enough. Each earlier change of a memory, and each merge of the index, left a copy
//! in space that nothing refers to. So the file is written again without that space.

use rusqlite::Connection;

use super::SqliteStore;
use super::write::{Outcome, purge};
use crate::store::Result;

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
    /// process is in the way, it's only logged, and the next purge does it.
    pub(super) fn erase_leftovers(&self) {
        let overwritten = self.db.pragma_update(None, "secure_delete", "ON");
        for step in [overwritten, merged(&self.db), self.db.execute_batch("VACUUM"), emptied(&self.db)] {
            if let Err(error) = step {
                log::warn!("{}: what was deleted is overwritten later: {error}", self.path.display());
                break;
            }
        }
        let _ = self.db.pragma_update(None, "secure_delete", "OFF");
    }
}

/// Merges the index into one part, because each part keeps the words of what was deleted from it.
fn merged(db: &Connection) -> rusqlite::Result<()> {
    db.execute("INSERT INTO memory_index(memory_index) VALUES('optimize')", []).map(|_| ())
}

/// Empties the log, which has the pages as they were.
fn emptied(db: &Connection) -> rusqlite::Result<()> {
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}
