//! Our table in the record of sessions, as that record knows it.

use rusqlite::Connection;
use serde_json::Value;
use sessions::Guest;

use crate::session::{fact, write};

/// The facts of sessions.
pub static GUEST: Guest = Guest { table: fact::TABLE, one: "remembered fact", insert };

/// Takes one line over.
fn insert(db: &Connection, line: Value) -> rusqlite::Result<()> {
    match serde_json::from_value(line) {
        Ok(facts) => write::insert(db, &facts),
        Err(error) => {
            log::info!("facts that a hook left cannot be understood: {error}");
            Ok(())
        }
    }
}
