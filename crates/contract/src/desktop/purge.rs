//! Purging and the trash: what is or would be removed, and restoring it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::Sentence;

/// What to purge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "what")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum PurgeWhat {
    /// All of one project.
    Project {
        /// The project's key.
        project: String,
    },
    /// What one session stored in one project.
    Session {
        /// The project's key.
        project: String,
        /// The session ID from the agent.
        session: String,
    },
    /// All of every project.
    Everything,
}

/// A purge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Purge {
    /// What to purge.
    pub scope: PurgeWhat,
    /// Delete instead of moving to the trash.
    pub now: bool,
    /// What the user typed; for everything it must be `everything`.
    pub typed: String,
    /// Also delete what can't be restored: recorded sessions, memories, kept outputs. It is asked separately.
    #[serde(default)]
    pub forget: bool,
}

/// What is or would be removed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Removed {
    /// How many sources.
    pub sources: u64,
    /// How many chunks.
    pub chunks: u64,
    /// Bytes of text.
    pub bytes: u64,
    /// Names of the first sources.
    pub labels: Vec<String>,
    /// The trash files to restore from, with their projects; empty if it was deleted at once.
    pub trash: Vec<Restore>,
    /// How many days the trash keeps it.
    pub kept_days: u32,
    /// The data that is deleted permanently with it.
    pub forgotten: Forgotten,
}

/// Other data that is or would be deleted. It doesn't go to the trash.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Forgotten {
    /// Recorded events, facts and calls; they disappear from the figures too.
    pub records: u64,
    /// Kept outputs.
    pub outputs: u64,
    /// Cached texts and downloads.
    pub files: u64,
    /// Everything else by its kind, such as memories, so that nothing goes unnamed.
    pub others: BTreeMap<String, u64>,
}

/// A purge that can still be undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TrashRow {
    /// The file in the trash.
    pub trash: PathBuf,
    /// Its project's key; `None` if an earlier version didn't record it.
    pub project: Option<String>,
    /// That project's name.
    pub name: String,
    /// When it was purged.
    pub at_ms: i64,
    /// When it is deleted permanently.
    pub until_ms: i64,
    /// How many sources.
    pub sources: u64,
    /// How many chunks.
    pub chunks: u64,
    /// Bytes of text.
    pub bytes: u64,
    /// Names of the first sources.
    pub labels: Vec<String>,
    /// Why it can't be read.
    pub problem: Option<Sentence>,
}

/// Selects what to restore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Restore {
    /// The project's key; empty for the original project.
    pub project: String,
    /// The file in the trash.
    pub trash: PathBuf,
}
