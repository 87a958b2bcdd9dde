//! Facts: what a session should not lose when its conversation is shortened or taken up again.
//!
//! Owns their table, how a new fact meets an old one (`write`), how they are found again (`read`) and the resume
//! note that is made of them (`resume`). Does not know where facts come from: hooks find them, leave them in
//! `events.pending`, and whoever takes that file over writes them. So two hooks share nothing but files.

mod fact;
mod quote;
mod read;
mod resume;
mod write;

pub use fact::{Category, Fact, Facts, Meeting, State};
pub use quote::quoted;
pub use read::{FactFilter, RecordedFact};
pub use resume::{MAX_NOTE, resume};
pub(crate) use write::insert;
