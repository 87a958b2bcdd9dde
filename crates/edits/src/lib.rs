//! Lossless edits of other programs' files: plan, apply, receipt, undo.
//!
//! Owns every byte that is written into someone else's file. Knows JSON (three strictnesses), TOML, marked blocks in
//! plain text and files that are Plimsoll's as a whole; how to prove that an edit touched only its own path, how to
//! write without losing a concurrent change, and how to undo everything.
//!
//! Doesn't know whose files they are, which entries belong in them, or where the backups are: paths, values and the test
//! "is this Plimsoll's?" come from the caller, and so does the clock.
//!
//! The flow: [`plan`] → show [`FilePlan::diff`] → [`apply`] → keep the [`FileReceipt`] → [`plan_removal`] → [`apply`]; or
//! [`rollback`] if a later file of the same change failed.

mod apply;
mod backup;
mod block;
mod container;
mod diff;
mod draft;
mod edit;
mod json;
mod line_diff;
pub mod messages;
mod outcome;
mod owned_file;
mod plan;
mod receipt;
mod refusal;
mod removal;
mod replace;
mod rollback;
mod splice;
mod taken_along;
mod target;
mod toml;
mod values;

pub use apply::{ApplyError, Store, apply, clean_leftovers};
pub use block::{begin_marker, end_marker};
pub use diff::compare;
pub use edit::{Comment, Dialect, Edit, EntryMatcher, Format};
pub use json::mask_surrogates;
pub use line_diff::{Hunk, LineFate, Run, hunks};
pub use outcome::EntryState;
pub use owned_file::OWNED_MARK;
pub use plan::{Change, FilePlan, entry_state, entry_states, plan, remains, snippet};
pub use receipt::{Entry, FileReceipt, Interior, Original, Trace};
pub use refusal::Refusal;
pub use removal::plan_removal;
pub use rollback::{Rollback, RollbackOutcome, rollback};
pub use target::are_hard_links;
