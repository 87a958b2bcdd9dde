//! Tables in `plimsoll.db` whose rows belong to sessions but mean nothing to this crate: what another system remembers of
//! a session. They are here because they must agree with the sessions: one transaction takes over what a hook left of
//! both, and one forgets both.

use rusqlite::Connection;
use serde_json::Value;

/// A table of somebody else's. Its rows have the columns `agent`, `session` and `project`.
#[derive(Debug, Clone, Copy)]
pub struct Guest {
    /// The table's name, and what its lines in `events.pending` are called.
    pub table: &'static str,
    /// What one row is, for people: `remembered fact`.
    pub one: &'static str,
    /// Writes what a line holds, within the transaction that takes it over. What cannot be understood is passed over.
    pub insert: fn(&Connection, Value) -> rusqlite::Result<()>,
}
