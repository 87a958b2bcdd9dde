//! Forgets saved prompts and the graph for a purge: of a project, or all. Whoever shares them through a server keeps them.

use rusqlite::Connection;

use super::SqliteStore;
use super::erase::plan_erasure;
use crate::store::Result;

/// How many saved prompts there are, each with its versions, and how many entities and relations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SavedCounts {
    /// Saved prompts and templates.
    pub prompts: u64,
    /// Entities, made by hand or found by rules.
    pub entities: u64,
    /// Relations.
    pub relations: u64,
}

/// The rows of a project, by its keys as a JSON list; all without one. A relation belongs to the projects of both its ends.
const PROMPTS: &str =
    "FROM prompts WHERE ?1 IS NULL OR domain = 'project' AND project IN (SELECT value FROM json_each(?1))";
const ENTITIES: &str = "FROM entities WHERE ?1 IS NULL OR project IN (SELECT value FROM json_each(?1))";
const RELATIONS: &str = "FROM relations WHERE ?1 IS NULL
    OR source IN (SELECT row FROM entities WHERE project IN (SELECT value FROM json_each(?1)))
    OR target IN (SELECT row FROM entities WHERE project IN (SELECT value FROM json_each(?1)))";
/// What is recorded of them for others has their texts, too.
const RECORDS: &str = "FROM records WHERE ?1 IS NULL OR place IN (SELECT value FROM json_each(?1))";

impl SqliteStore {
    /// How much [`Self::forget_saved`] would remove.
    ///
    /// # Errors
    /// If the database fails.
    pub fn saved_counts(&self, keys: Option<&[String]>) -> Result<SavedCounts> {
        let keys = as_json(keys);
        self.look(|db| counts(db, keys.as_deref()))
    }

    /// Removes the saved prompts, entities and relations of a project, by its keys, or all of them.
    ///
    /// # Errors
    /// If the database fails; then nothing is removed.
    pub fn forget_saved(&mut self, keys: Option<&[String]>) -> Result<SavedCounts> {
        let keys = as_json(keys);
        let (counted, removed) = home::write(&mut self.db, |db| {
            let counted = counts(db, keys.as_deref())?;
            let mut removed = 0;
            for rows in [RELATIONS, ENTITIES, PROMPTS, RECORDS] {
                removed += db.execute(&format!("DELETE {rows}"), [keys.as_deref()])?;
            }
            if removed > 0 {
                plan_erasure(db)?;
            }
            Ok((counted, removed))
        })?;
        if removed > 0 {
            self.erase_leftovers();
        }
        Ok(counted)
    }
}

fn as_json(keys: Option<&[String]>) -> Option<String> {
    keys.map(|keys| serde_json::json!(keys).to_string())
}

fn counts(db: &Connection, keys: Option<&str>) -> rusqlite::Result<SavedCounts> {
    let count =
        |what: &str, rows: &str| db.query_row(&format!("SELECT count({what}) {rows}"), [keys], |r| r.get(0));
    Ok(SavedCounts {
        prompts: count("DISTINCT kind || '/' || domain || '/' || project || '/' || name", PROMPTS)?,
        entities: count("*", ENTITIES)?,
        relations: count("*", RELATIONS)?,
    })
}
