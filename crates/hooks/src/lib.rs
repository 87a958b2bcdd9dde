//! One hook event in, one verdict out.
//!
//! The order is fixed (`chain`): paused or switched off → the user's own rules → a better way → rewriting → a nudge; then
//! what systems tell, then the record. What a link says is pure (`decide`); gathering the facts and recording are the
//! edge ([`handle`]). This crate does not know the JSON of any agent, nor MCP, nor any system.
//!
//! A hook must never harm the agent it serves: whatever fails inside ends in the agent's "go on", and the
//! verdict is known before anything is recorded.

mod asked;
mod chain;
mod decide;
mod decided;
mod facts;
mod handle;
mod record;
pub mod routing;
mod saving;
mod texts;
mod way;

pub use decided::{Decided, Nudge, Reason, Route, Saved};
pub use facts::{Facts, Server, Tools};
pub use handle::{Context, Handled, Recording, handle, sender};
pub use record::record;
pub use saving::{CHANGED, Saving, UNCHANGED, filters_for};
