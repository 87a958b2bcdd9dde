//! What a session teaches, kept beside the record of sessions, and given back.
//!
//! Owns the table `facts`: the vocabulary (`fact`), merging (`write`), queries (`read`), extraction from events
//! (`notes`), and the resume note (`resume`). Knows no verdicts.
//!
//! Hooks extract facts and append them to `events.pending`; the process that imports this file writes them. So two
//! hooks share only files.

mod fact;
mod guest;
pub mod notes;
mod quote;
mod read;
mod resume;
mod write;

pub use fact::{Category, Fact, Facts, Meeting, State};
pub use guest::GUEST;
pub use quote::quoted;
pub use read::{FactFilter, RecordedFact, Remembered};
pub use resume::{MAX_NOTE, resume};
