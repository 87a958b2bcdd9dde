//! Lossless edits of other programs' files: plan, apply, receipt, undo.
//!
//! This crate owns every byte that is written into a file which belongs to somebody else. It knows JSON
//! (three strictnesses), TOML, marked blocks in plain text and files that are wholly ours. It knows how to
//! prove that an edit touched nothing but its own path, how to write without losing a concurrent change,
//! and how to take everything back.
//!
//! It does not know whose files they are, which entries belong in them, or where the backups live: paths,
//! values and the test "is this ours?" come from the caller, and so does the clock.
//!
//! The way through the crate: [`plan`] → show [`FilePlan::diff`] → [`apply`] → keep the [`FileReceipt`] →
//! [`plan_removal`] → [`apply`]; or [`rollback`] when a later file of the same change failed.

mod apply;
mod backup;
mod block;
mod container;
mod diff;
mod draft;
mod json;
mod lines;
pub mod messages;
mod plan;
mod prove;
mod receipt;
mod refusal;
mod removal;
mod replace;
mod rollback;
mod splice;
mod step;
mod target;
mod toml;
mod vocabulary;
mod whole;

pub use apply::{ApplyError, Store, apply};
pub use block::{begin_marker, end_marker};
pub use diff::compare;
pub use lines::{Fate, Hunk, Run, hunks};
pub use plan::{Change, FilePlan, plan, presence, snippet};
pub use receipt::{Entry, FileReceipt, Interior, Original, Trace};
pub use refusal::Refusal;
pub use removal::plan_removal;
pub use rollback::{Rollback, RolledBack, rollback};
pub use step::Presence;
pub use vocabulary::{Comment, Dialect, Edit, Format, Ours};
pub use whole::OWNED_MARK;
