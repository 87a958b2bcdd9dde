//! Replaces keys of projects with a name and a password in them, once. An earlier version made the key of a mistyped remote
//! from all its parts, so they came into each table that names a project.

use rusqlite::Connection;

use super::SqliteStore;
use super::erase::plan_erasure;
use crate::domain::redacted_key;
use crate::store::Result;

/// The row of `tasks` that is there until it's done.
const TASK: &str = "redact keys";

/// Every key that may have a password.
const DOUBTFUL: &str = "
SELECT key FROM (SELECT project AS key FROM memories UNION SELECT project FROM prompts UNION SELECT project FROM entities
    UNION SELECT project FROM names UNION SELECT project FROM purged UNION SELECT project FROM clones
    UNION SELECT project FROM trees UNION SELECT one FROM same_projects UNION SELECT other FROM same_projects
    UNION SELECT place FROM records)
WHERE instr(key, '@') > 0 OR instr(key, ':') > 0";

/// Rows under the first key get the second. Pairs of keys are in alphabetical order.
const MOVE_STEPS: &[&str] = &[
    "UPDATE memories SET project = ?2 WHERE project = ?1",
    "UPDATE OR IGNORE prompts SET project = ?2 WHERE project = ?1",
    "UPDATE OR IGNORE entities SET project = ?2 WHERE project = ?1",
    "UPDATE OR IGNORE names SET project = ?2 WHERE project = ?1",
    "UPDATE OR IGNORE purged SET project = ?2 WHERE project = ?1",
    "UPDATE OR IGNORE clones SET project = ?2 WHERE project = ?1",
    "UPDATE trees SET project = ?2 WHERE project = ?1",
    "UPDATE OR IGNORE same_projects SET one = min(?2, other), other = max(?2, other) WHERE one = ?1",
    "UPDATE OR IGNORE same_projects SET one = min(?2, one), other = max(?2, one) WHERE other = ?1",
];

/// A project of this computer isn't shared. What would be sent is in the other tables as well.
const UNSHARE: &str = "DELETE FROM records WHERE place = ?1";

impl SqliteStore {
    /// Replaces keys with a password, if that wasn't done yet. A failure is only logged: the memories are there all the same,
    /// and whoever opens the database next tries again.
    pub(super) fn redact_keys(&mut self) {
        match self.replace_keys() {
            Ok(0) => {}
            // A later open with enough time overwrites the old bytes, see `erase`.
            Ok(_) => log::info!("{}: a password was taken out of the keys of projects", self.path.display()),
            Err(error) => {
                log::warn!("{}: keys of projects are looked at later: {error}", self.path.display());
            }
        }
    }

    fn replace_keys(&mut self) -> Result<usize> {
        let waits: bool = self.look(|db| {
            db.query_row("SELECT EXISTS (SELECT 1 FROM tasks WHERE name = ?1)", [TASK], |r| r.get(0))
        })?;
        if !waits {
            return Ok(0);
        }
        Ok(home::write(&mut self.db, |db| {
            let mut replaced = 0;
            for key in doubtful_keys(db)? {
                let Some(new_key) = redacted_key(&key) else { continue };
                for step in MOVE_STEPS {
                    db.execute(step, (&key, &new_key))?;
                }
                db.execute(UNSHARE, [&key])?;
                replaced += 1;
            }
            if replaced > 0 {
                plan_erasure(db)?;
            }
            db.execute("DELETE FROM tasks WHERE name = ?1", [TASK])?;
            Ok(replaced)
        })?)
    }
}

fn doubtful_keys(db: &Connection) -> rusqlite::Result<Vec<String>> {
    db.prepare(DOUBTFUL)?.query_map([], |r| r.get(0))?.collect()
}
