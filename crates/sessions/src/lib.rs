//! What happens in sessions, and what it cost: events, the ledger, nudges, and which servers are alive.
//!
//! Owns `plimsoll.db`. Everything that is stored has been redacted first. Does not know hooks, MCP, or what
//! an event should lead to.

mod event;
mod ledger;
mod list;
pub mod live;
mod schema;
mod stats;
mod store;

pub use event::NewEvent;
pub use ledger::{Class, LedgerRow};
pub use list::{EventRow, SessionRow};
pub use stats::{Stats, Sum, Total};
pub use store::{Sessions, SessionsError};
