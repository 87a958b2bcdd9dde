//! One hook event in, one verdict out.
//!
//! The order is fixed: paused or switched off → the user's own deny rules → routing → record. Deciding is
//! pure ([`decide`]); gathering the facts and recording are the edge ([`handle`]). This room does not know
//! the JSON of any agent, nor MCP.
//!
//! A hook must never harm the agent it serves: whatever fails inside ends in the agent's "go on", and the
//! verdict is known before anything is recorded.

mod decide;
mod facts;
mod handle;
mod record;
pub mod routing;
mod saving;
mod texts;

pub use decide::{Decided, Saved, decide};
pub use facts::{Facts, Server, Tools};
pub use handle::{Context, Handled, Recording, handle, sender};
pub use record::record;
pub use saving::{CHANGED, Saving, UNCHANGED, filters_for};
