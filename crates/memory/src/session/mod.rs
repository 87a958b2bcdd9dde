//! What a session teaches, kept beside the record of sessions, and given back.
//!
//! Owns the table `facts`: the vocabulary (`fact`), merging (`write`), queries (`read`), extraction from events
//! (`extract`), the resume note (`resume`), and when it is given
//! back (`resume_hook`). Knows no verdicts.
//!
//! Hooks extract facts and append them to `events.pending`; the process that imports this file writes them. So two
//! hooks share only files.

pub mod extract;
mod fact;
mod guest_table;
mod quote;
mod read;
mod resume;
pub(crate) mod resume_hook;
mod write;

pub use fact::{Category, Fact, Facts, MergeRule, State};
pub use guest_table::GUEST;
pub use quote::quoted;
pub use read::{FactFilter, FactQueries, RecordedFact};
pub use resume::{MAX_NOTE, resume};
