//! What one edit found in a text and what it made of it. Owns the words that every dialect answers in.

use contract::Sentence;
use serde::{Deserialize, Serialize};

use crate::receipt::Trace;

/// What one edit made of a text.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) text: String,
    pub(crate) trace: Trace,
    /// Whether an entry of ours stood there before.
    pub(crate) had_ours: bool,
}

impl Step {
    /// The edit found everything as it should be.
    pub(crate) fn unchanged(text: &str) -> Step {
        Step { text: text.to_owned(), trace: Trace::default(), had_ours: true }
    }
}

/// How our entry stands in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// Nothing stands at the place.
    Absent,
    /// Our entry, exactly.
    Ours,
    /// Our entry with keys that the user added.
    OursWithExtras,
    /// An entry of ours that is not what it should be now.
    Differs,
    /// Somebody else's entry.
    Foreign,
    /// The file cannot be read; the text says why.
    Unreadable(Sentence),
}
