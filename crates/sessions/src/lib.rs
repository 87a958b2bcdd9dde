//! Sessions: recorded events, facts and the resume note, the ledger, receipts, live servers.
//!
//! Owns the tables of `plimsoll.db` and the signs of life in the run folder. Everything that is written as
//! text is freed of private spans and secrets first. Knows neither hooks nor MCP: who calls and why is the
//! caller's affair, and so is the clock.
//!
//! Many processes write at once (a server per session, the desktop); every write is one short immediate
//! transaction. Hooks, of which there is one per tool call, leave a line in a file that the others take over.

mod events;
mod facts;
mod ledger;
pub mod live;
mod page;
mod pending;
mod private;
mod prompted;
mod receipts;
mod records;
mod retention;
mod rollup;
pub mod said;
mod schema;
mod stats;
mod store;
mod summary;

pub use events::{EventFilter, NewEvent, RecordedEvent};
pub use facts::{Category, Fact, FactFilter, Facts, MAX_NOTE, Meeting, RecordedFact, State, quoted, resume};
pub use ledger::{Class, ESTIMATE, HOOK, LedgerFilter, LedgerRow, NOTE, RecordedCall, TOOL_LIST};
pub use page::{Page, Paged};
pub use pending::{Note, anything, note, path as pending_path};
pub use private::without_private;
pub use prompted::Prompted;
pub use receipts::Receipt;
pub use records::{Recorded, Records};
pub use retention::{Keep, Removed};
pub use stats::{Day, Group, Stats, Totals};
pub use store::{Sessions, SessionsError};
pub use summary::{SessionFilter, SessionSummary};
