//! Stores which agents were connected, until that is undone.
//!
//! Knows a connection only as JSON; `service` owns its meaning. The table and its column are called `receipts`.

use rusqlite::params;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::SessionsError;
use crate::store::Sessions;

/// A stored connection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredConnection {
    /// Its number; larger is later.
    pub id: i64,
    /// The agent that was connected.
    pub agent: String,
    /// The connection.
    pub connection: Value,
    /// When it was stored, in milliseconds since the Unix epoch.
    pub at_ms: i64,
}

impl Sessions {
    /// Stores a connection and returns its number.
    ///
    /// # Errors
    /// See [`home::DbError`]; nothing is then stored, and the caller should undo what the receipt is about.
    pub fn save_connection(
        &mut self,
        agent: &str,
        connection: &Value,
        at_ms: i64,
    ) -> Result<i64, SessionsError> {
        let text =
            serde_json::to_string(connection).map_err(|source| SessionsError::Receipt { id: 0, source })?;
        self.write(|db| {
            db.execute(
                "INSERT INTO receipts (agent, receipt, at_ms) VALUES (?1, ?2, ?3)",
                params![agent, text, at_ms],
            )?;
            Ok(db.last_insert_rowid())
        })
    }

    /// The connections of `agent` or of all agents, latest first: the order for undoing them.
    ///
    /// # Errors
    /// See [`home::DbError`]; [`SessionsError::Receipt`] for one that cannot be read.
    pub fn connections(&self, agent: Option<&str>) -> Result<Vec<StoredConnection>, SessionsError> {
        let rows: Vec<(i64, String, String, i64)> = self.read(|db| {
            db.prepare(
                "SELECT id, agent, receipt, at_ms FROM receipts WHERE ?1 IS NULL OR agent = ?1 ORDER BY id DESC",
            )?
            .query_map([agent], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
            .collect()
        })?;
        rows.into_iter().map(read_row).collect()
    }

    /// Deletes a connection and returns whether it existed.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn remove_connection(&mut self, id: i64) -> Result<bool, SessionsError> {
        self.write(|db| Ok(db.execute("DELETE FROM receipts WHERE id = ?1", [id])? > 0))
    }
}

fn read_row((id, agent, text, at_ms): (i64, String, String, i64)) -> Result<StoredConnection, SessionsError> {
    let connection = serde_json::from_str(&text).map_err(|source| SessionsError::Receipt { id, source })?;
    Ok(StoredConnection { id, agent, connection, at_ms })
}
