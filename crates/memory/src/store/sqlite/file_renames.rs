//! Where a project is: the folders it was captured in, and renamed files, whose memories and entities are updated.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension};

use super::SqliteStore;
use super::entities::add_name;
use super::{postings, rows, write};
use crate::graph::{EntityKind, folded};
use crate::store::store_trait::ChangeKind;
use crate::store::{Actor, Result};

impl SqliteStore {
    /// When the first memory or entity that names a file of this project was created (ms since the epoch); `None`
    /// without any.
    ///
    /// # Errors
    /// If the database fails.
    pub fn names_files_since(&self, project: &str) -> Result<Option<i64>> {
        self.look(|db| {
            db.prepare_cached(
                "SELECT min(at) FROM (
                    SELECT min(created_ms) AS at FROM memories
                     WHERE domain = 'project' AND project = ?1 AND file IS NOT NULL AND status <> 'tombstoned'
                    UNION ALL SELECT min(created_ms) FROM entities WHERE project = ?1 AND kind = ?2)",
            )?
            .query_row((project, EntityKind::File.as_str()), |r| r.get(0))
        })
    }

    /// Applies renames (old path, new path) to this project's memories and entities; returns how many of each
    /// changed.
    ///
    /// # Errors
    /// If the database fails; then nothing has changed.
    pub fn follow(
        &mut self,
        project: &str,
        renamed: &[(String, String)],
        who: &Actor,
    ) -> Result<(usize, usize)> {
        let project = project.to_owned();
        Ok(home::write(&mut self.db, |db| {
            let mut moved = (0, 0);
            for (old, new) in renamed {
                moved.0 += memories(db, &project, old, new, who)?;
                moved.1 += usize::from(entity(db, &project, old, new)?);
            }
            Ok(moved)
        })?)
    }

    /// The folders in which memories of this project were captured.
    ///
    /// # Errors
    /// If the database fails.
    pub fn clones(&self, project: &str) -> Result<Vec<PathBuf>> {
        self.look(|db| {
            // Who only reads may come before the first who writes, and with that before the table.
            let is_there =
                "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'clones')";
            if !db.prepare_cached(is_there)?.query_row([], |r| r.get(0))? {
                return Ok(Vec::new());
            }
            db.prepare_cached("SELECT root FROM clones WHERE project = ?1")?
                .query_map([project], |r| r.get::<_, String>(0).map(PathBuf::from))?
                .collect()
        })
    }

    /// Records a folder in which a memory of this project was captured.
    ///
    /// # Errors
    /// If the database fails.
    pub fn record_clone(&mut self, project: &str, root: &Path) -> Result<()> {
        // A path that isn't text can't be told from another one like it.
        let Some(root) = root.to_str().filter(|root| !root.is_empty()) else { return Ok(()) };
        if self.clones(project)?.iter().any(|known| known == Path::new(root)) {
            return Ok(());
        }
        Ok(home::write(&mut self.db, |db| {
            db.execute("INSERT OR IGNORE INTO clones VALUES(?1, ?2)", (project, root)).map(|_| ())
        })?)
    }

    /// Gives a memory, in whatever state, another source.
    ///
    /// # Errors
    /// `NotFound`, or if the database fails.
    pub fn move_to_source(&mut self, id: &str, to: &str, who: &Actor) -> Result<()> {
        self.change(id, None, |db| source(db, id, to, who))
    }
}

fn source(db: &Connection, id: &str, source: &str, who: &Actor) -> rusqlite::Result<write::Outcome<()>> {
    let Some((row, old)) = rows::by_id(db, id)? else { return Ok(write::Outcome::Unknown(id.to_owned())) };
    db.prepare_cached("UPDATE memories SET source = ?2, updated_ms = ?3 WHERE row = ?1")?.execute((
        row,
        source,
        write::after(&old, who),
    ))?;
    write::record(db, row, old.version, ChangeKind::Updated, who, None)?;
    postings::post(db, row)?;
    Ok(write::Outcome::Done(()))
}

fn memories(db: &Connection, project: &str, old: &str, new: &str, who: &Actor) -> rusqlite::Result<usize> {
    let rows: Vec<(i64, u32)> = db
        .prepare_cached(
            "SELECT row, version FROM memories
             WHERE domain = 'project' AND project = ?1 AND file = ?2 AND status <> 'tombstoned'",
        )?
        .query_map((project, old), |r| Ok((r.get(0)?, r.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (row, version) in &rows {
        db.prepare_cached(
            "UPDATE memories SET file = ?2, source = CASE WHEN source = ?3 THEN ?2
                 WHEN substr(source, 1, length(?3) + 1) IN (?3 || '#', ?3 || ':') THEN ?2 || substr(source, length(?3) + 1)
                 ELSE source END WHERE row = ?1",
        )?
        .execute((row, new, old))?;
        // The text is unchanged, and so is its version.
        write::record(db, *row, *version, ChangeKind::Updated, who, None)?;
        postings::post(db, *row)?;
    }
    Ok(rows.len())
}

/// Renames the old path's entity and keeps the old path as an alias, since memories still use it.
fn entity(db: &Connection, project: &str, old: &str, new: &str) -> rusqlite::Result<bool> {
    let named = |name: &str| {
        db.prepare_cached(
            "SELECT e.row, e.name, e.aliases FROM names n JOIN entities e ON e.row = n.entity
             WHERE n.name = ?1 AND n.project = ?2 AND e.kind = ?3",
        )?
        .query_row((folded(name), project, EntityKind::File.as_str()), |r| {
            Ok((r.get::<_, i64>(0)?, r.get::<_, String>(1)?, r.get::<_, String>(2)?))
        })
        .optional()
    };
    let Some((row, name, aliases)) = named(old)? else { return Ok(false) };
    if folded(&name) != folded(old) {
        return Ok(false);
    }
    let mut aliases: Vec<String> = serde_json::from_str(&aliases).unwrap_or_default();
    if let Some((other, _, more)) = named(new)?.filter(|(other, _, _)| *other != row) {
        // Both were mentioned: merge them.
        for sql in [
            "UPDATE OR IGNORE mentions SET entity = ?1 WHERE entity = ?2",
            "UPDATE OR IGNORE relations SET source = ?1 WHERE source = ?2 AND target <> ?1",
            "UPDATE OR IGNORE relations SET target = ?1 WHERE target = ?2 AND source <> ?1",
            "UPDATE OR IGNORE names SET entity = ?1 WHERE entity = ?2",
        ] {
            db.prepare_cached(sql)?.execute((row, other))?;
        }
        db.prepare_cached("DELETE FROM entities WHERE row = ?1")?.execute([other])?;
        aliases.extend(serde_json::from_str::<Vec<String>>(&more).unwrap_or_default());
    }
    aliases.push(name);
    aliases.retain(|alias| folded(alias) != folded(new));
    aliases.sort();
    aliases.dedup();
    db.prepare_cached("UPDATE entities SET name = ?2, aliases = ?3 WHERE row = ?1")?.execute((
        row,
        new,
        serde_json::Value::from(aliases).to_string(),
    ))?;
    add_name(db, row, project, &folded(new))?;
    Ok(true)
}
