//! Receipts: what was written into agents' files, kept until it is undone.
//!
//! Knows a receipt only as JSON; its meaning is the affair of `edits` and `service`. It is kept word for
//! word, because undoing needs every byte of it.

use rusqlite::{OptionalExtension as _, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::SessionsError;
use crate::store::Sessions;

/// A stored receipt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// Its number; larger is later.
    pub id: i64,
    /// The agent whose files were edited.
    pub agent: String,
    /// The receipt.
    pub receipt: Value,
    /// When it was stored, in milliseconds since the Unix epoch.
    pub at_ms: i64,
}

impl Sessions {
    /// Stores a receipt and gives its number.
    ///
    /// # Errors
    /// See [`home::DbError`]; nothing is then stored, and the caller should undo what the receipt is about.
    pub fn save_receipt(&mut self, agent: &str, receipt: &Value, at_ms: i64) -> Result<i64, SessionsError> {
        let text =
            serde_json::to_string(receipt).map_err(|source| SessionsError::Receipt { id: 0, source })?;
        self.write(|db| {
            db.execute(
                "INSERT INTO receipts (agent, receipt, at_ms) VALUES (?1, ?2, ?3)",
                params![agent, text, at_ms],
            )?;
            Ok(db.last_insert_rowid())
        })
    }

    /// The receipts of `agent`, or of all agents, the latest first: the order to undo them in.
    ///
    /// # Errors
    /// See [`home::DbError`]; [`SessionsError::Receipt`] for one that cannot be read.
    pub fn receipts(&self, agent: Option<&str>) -> Result<Vec<Receipt>, SessionsError> {
        let rows: Vec<(i64, String, String, i64)> = self.read(|db| {
            db.prepare(
                "SELECT id, agent, receipt, at_ms FROM receipts WHERE ?1 IS NULL OR agent = ?1 ORDER BY id DESC",
            )?
            .query_map([agent], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
            .collect()
        })?;
        rows.into_iter().map(read_row).collect()
    }

    /// One receipt.
    ///
    /// # Errors
    /// As [`Sessions::receipts`].
    pub fn receipt(&self, id: i64) -> Result<Option<Receipt>, SessionsError> {
        let row: Option<(i64, String, String, i64)> = self.read(|db| {
            db.query_row("SELECT id, agent, receipt, at_ms FROM receipts WHERE id = ?1", [id], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })
            .optional()
        })?;
        row.map(read_row).transpose()
    }

    /// Forgets a receipt; whether there was one.
    ///
    /// # Errors
    /// See [`home::DbError`].
    pub fn drop_receipt(&mut self, id: i64) -> Result<bool, SessionsError> {
        self.write(|db| Ok(db.execute("DELETE FROM receipts WHERE id = ?1", [id])? > 0))
    }
}

fn read_row((id, agent, text, at_ms): (i64, String, String, i64)) -> Result<Receipt, SessionsError> {
    let receipt = serde_json::from_str(&text).map_err(|source| SessionsError::Receipt { id, source })?;
    Ok(Receipt { id, agent, receipt, at_ms })
}
