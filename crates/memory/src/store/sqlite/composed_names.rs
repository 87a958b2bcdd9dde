//! Composes the names of entities that an earlier version stored as they were written, once: what is looked up is composed, and
//! would find none of these. Owns what becomes of two entities whose names look the same; their ids stay.

use std::borrow::Cow;

use rusqlite::{Connection, OptionalExtension};

use super::SqliteStore;
use super::entities::absorb;
use crate::domain::composed;
use crate::store::Result;

/// The row of `tasks` that is there until it's done.
const TASK: &str = "compose names";

impl SqliteStore {
    /// Composes names, if that wasn't done yet. A failure is only logged: whoever opens the database next tries again.
    pub(super) fn compose_stored_names(&mut self) {
        if let Err(error) = self.compose_once() {
            log::warn!("{}: names of entities are composed later: {error}", self.path.display());
        }
    }

    fn compose_once(&mut self) -> Result<()> {
        let waits: bool = self.look(|db| {
            db.query_row("SELECT EXISTS (SELECT 1 FROM tasks WHERE name = ?1)", [TASK], |r| r.get(0))
        })?;
        if !waits {
            return Ok(());
        }
        Ok(home::write(&mut self.db, |db| {
            compose_names(db)?;
            db.execute("DELETE FROM tasks WHERE name = ?1", [TASK]).map(|_| ())
        })?)
    }
}

/// Composes the names under which entities are found. Of two that are found under the same name then, the one that somebody made
/// by hand has the other's mentions and relations, too; where both were, each stays as it is.
pub(super) fn compose_names(db: &Connection) -> rusqlite::Result<()> {
    let names: Vec<(String, String)> = db
        .prepare("SELECT name, project FROM names")?
        .query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (name, project) in names {
        let Cow::Owned(new) = composed(&name) else { continue };
        // An entity that was looked at before may have taken it over.
        let Some((row, is_by_hand)) = owner(db, &name, &project)? else { continue };
        match owner(db, &new, &project)? {
            Some((other, true)) if other != row && is_by_hand => continue,
            Some((other, _)) if other != row => {
                let (stays, goes) = if is_by_hand { (row, other) } else { (other, row) };
                absorb(db, stays, goes, &project)?;
            }
            Some(_) => {}
            None => {
                db.execute(
                    "UPDATE names SET name = ?3 WHERE name = ?1 AND project = ?2",
                    (&name, &project, &new),
                )?;
            }
        }
        db.execute("DELETE FROM names WHERE name = ?1 AND project = ?2", (&name, &project))?;
    }
    Ok(())
}

/// The entity with this name, and whether somebody made it by hand.
fn owner(db: &Connection, name: &str, project: &str) -> rusqlite::Result<Option<(i64, bool)>> {
    db.prepare_cached(
        "SELECT e.row, e.confidence >= 1 FROM names n JOIN entities e ON e.row = n.entity WHERE n.name = ?1 AND n.project = ?2",
    )?
    .query_row((name, project), |r| Ok((r.get(0)?, r.get(1)?)))
    .optional()
}
