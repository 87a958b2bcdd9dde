//! Registers the facts' table with the record of sessions.

use rusqlite::Connection;
use serde_json::Value;
use sessions::Guest;

use crate::session::{fact, write};

/// The facts of sessions as a guest table.
pub static GUEST: Guest = Guest { table: fact::TABLE, one: "remembered fact", insert };

/// Imports one line.
fn insert(db: &Connection, line: Value) -> rusqlite::Result<()> {
    match serde_json::from_value(line) {
        Ok(facts) => write::insert(db, &facts),
        Err(error) => {
            log::info!("facts that a hook left cannot be understood: {error}");
            Ok(())
        }
    }
}
