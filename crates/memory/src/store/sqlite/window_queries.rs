//! Queries for the window only: projects, capturing agents, a memory's entities.

use rusqlite::params_from_iter;

use super::SqliteStore;
use super::condition::Condition;
use crate::query::Selection;
use crate::store::Result;

/// Maximum number of entities shown for a memory.
const MAX_ENTITIES: u32 = 20;

impl SqliteStore {
    /// The projects that have memories, with their number, latest capture first.
    ///
    /// # Errors
    /// If the database fails.
    pub fn projects(&self) -> Result<Vec<(String, u64)>> {
        self.look(|db| {
            db.prepare_cached(
                "SELECT project, sum(status = 'active') FROM memories WHERE domain = 'project' AND project IS NOT NULL
                 GROUP BY 1 ORDER BY max(created_ms) DESC, 1",
            )?
            .query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?
            .collect()
        })
    }

    /// Who captured the selected memories: agents by id, `None` for the user, most captures first.
    ///
    /// # Errors
    /// If the database fails.
    pub fn clients(&self, selection: &Selection) -> Result<Vec<(Option<String>, u64)>> {
        let condition = Condition::of(selection);
        self.look(|db| {
            db.prepare_cached(&format!(
                "SELECT m.client, count(*) FROM memories m WHERE {} GROUP BY 1 ORDER BY 2 DESC, 1",
                condition.sql
            ))?
            .query_map(params_from_iter(&condition.values), |r| Ok((r.get(0)?, r.get(1)?)))?
            .collect()
        })
    }

    /// The entities that a memory mentions: id and name, most mentioned first.
    ///
    /// # Errors
    /// If the database fails.
    pub fn mentioned(&self, id: &str) -> Result<Vec<(String, String)>> {
        self.look(|db| {
            db.prepare_cached(
                "SELECT e.id, e.name FROM memories m JOIN mentions t ON t.memory = m.row JOIN entities e ON e.row = t.entity
                 WHERE m.id = ?1 ORDER BY (SELECT count(*) FROM mentions o WHERE o.entity = e.row) DESC, e.row LIMIT ?2",
            )?
            .query_map((id, MAX_ENTITIES), |r| Ok((r.get(0)?, r.get(1)?)))?
            .collect()
        })
    }
}
