//! Sessions: recorded events, the ledger and its sums, receipts, live servers.
//!
//! Owns the tables of `plimsoll.db` and the signs of life in the run folder. Everything that is written as
//! text is freed of private spans and secrets first. Knows neither hooks nor MCP: who calls and why is the
//! caller's affair, and so is the clock.
//!
//! Many processes write at once (a server per session, the desktop); every write is one short immediate
//! transaction. Hooks, of which there is one per tool call, leave a line in a file that the others take over.
//!
//! What another system remembers of a session has its table in the same file ([`Guest`]); whoever opens the record names
//! all of them, so that no line of theirs is lost.

mod connections;
mod error;
mod event;
mod events;
mod guest;
mod ledger;
mod listed;
pub mod live;
pub mod messages;
mod page;
mod pending;
mod private;
mod prompted;
mod records;
mod retention;
mod rollup;
mod row;
mod schema;
mod stats;
mod store;
mod summary;
mod totals;
mod values;
mod write;

pub use connections::Receipt;
pub use error::SessionsError;
pub use event::NewEvent;
pub use events::{EventFilter, RecordedEvent};
pub use guest::Guest;
pub use ledger::{LedgerFilter, RecordedCall};
pub use page::{Page, Paged};
pub use pending::{GuestLine, Note, anything, note, path as pending_path};
pub use private::without_private;
pub use prompted::Prompted;
pub use records::{OfGuest, Recorded, Records};
pub use retention::{Keep, Removed};
pub use row::{Class, ESTIMATE, HOOK, LedgerRow, NOTE, TOOL_LIST};
pub use stats::{Day, Group, Stats};
pub use store::Sessions;
pub use summary::{SessionFilter, SessionSummary};
pub use totals::Totals;

/// What a guest's table is read and written with.
pub mod table {
    pub use crate::listed::touch;
    pub use crate::page::{Conditions, anywhere};
    #[doc(hidden)]
    pub use crate::schema::MIGRATIONS;
    pub use crate::values::{clean, count};
}
