//! What a session teaches, kept beside the record of sessions, and given back.
//!
//! Owns the table `facts`: the vocabulary (`fact`), how a new fact meets an old one (`write`), how they are found again
//! (`read`), what an event teaches (`notes`), and the note that a compacted or resumed session is given (`resume`). Does
//! not know verdicts.
//!
//! Hooks find facts and leave them in `events.pending`; whoever takes that file over writes them. So two hooks share
//! nothing but files.

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
