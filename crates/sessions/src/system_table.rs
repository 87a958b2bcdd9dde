//! Tables in `plimsoll.db` that belong to other systems but have a row's session. They are in this file because they
//! must agree with the sessions: one transaction imports a hook's notes for both, and one deletes both.

use rusqlite::Connection;
use serde_json::Value;

/// Another system's table. Its rows have the columns `agent`, `session` and `project`.
#[derive(Debug, Clone, Copy)]
pub struct Guest {
    /// The table's name, and the key of its lines in `events.pending`.
    pub table: &'static str,
    /// The singular of its rows for people: `remembered fact`.
    pub one: &'static str,
    /// Inserts the content of a line within the importing transaction. Skips content that it can't parse.
    pub insert: fn(&Connection, Value) -> rusqlite::Result<()>,
}
