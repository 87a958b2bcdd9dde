//! Sessions: recorded events, the ledger with its totals, connections, live servers.
//!
//! Owns the tables of `plimsoll.db` and the heartbeats in the run folder. Private spans and secrets are removed from
//! all text before it is stored. Doesn't know hooks, MCP or the clock.
//!
//! Many processes write at once (a server per session, the desktop); every write is one short immediate transaction.
//! Hooks, which run once per tool call, append a line to a file that the others import.
//!
//! Another system's data about sessions has its own table in the same file ([`Guest`]). Whoever opens the record
//! names all of these tables, so that none of their lines is lost.

mod active_sessions;
mod connections;
mod error;
mod event;
mod events;
pub mod heartbeats;
mod ledger;
mod ledger_row;
pub mod messages;
mod page;
mod pending;
mod private;
mod purge;
mod retention;
mod rollup;
mod schema;
mod session_summary;
mod session_table;
mod stats;
mod store;
mod system_table;
mod totals;
mod values;
mod write;

pub use active_sessions::ActiveSession;
pub use connections::StoredConnection;
pub use error::SessionsError;
pub use event::NewEvent;
pub use events::{EventFilter, RecordedEvent};
pub use ledger::{LedgerFilter, RecordedCall};
pub use ledger_row::{Class, ESTIMATE, HOOK, LedgerRow, NOTE, TOOL_LIST};
pub use page::{Page, Paged};
pub use pending::{GuestLine, Note, append_notes, has_records, path as pending_path};
pub use private::without_private;
pub use purge::{RecordCounts, RecordScope, TableCount};
pub use retention::{Keep, Removed};
pub use schema::NEWEST;
pub use session_summary::{SessionFilter, SessionSummary};
pub use stats::{Day, Group, Stats};
pub use store::Sessions;
pub use system_table::Guest;
pub use totals::Totals;

/// Helpers for reading and writing another system's table.
pub mod table {
    pub use crate::page::{Conditions, like_anywhere};
    #[doc(hidden)]
    pub use crate::schema::MIGRATIONS;
    pub use crate::session_table::touch;
    pub use crate::values::{clean, count};
}
