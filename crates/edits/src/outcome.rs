//! The result of one edit on a text, in the vocabulary that every dialect answers in.

use contract::Sentence;
use serde::{Deserialize, Serialize};

use crate::receipt::Trace;

/// The text after one edit.
#[derive(Debug)]
pub(crate) struct EditOutcome {
    pub(crate) text: String,
    pub(crate) trace: Trace,
    /// Whether an entry of Plimsoll's was there before.
    pub(crate) had_ours: bool,
}

impl EditOutcome {
    /// The edit changed nothing.
    pub(crate) fn unchanged(text: &str) -> EditOutcome {
        EditOutcome { text: text.to_owned(), trace: Trace::default(), had_ours: true }
    }
}

/// The state of Plimsoll's entry in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryState {
    /// Nothing is at the path.
    Absent,
    /// Plimsoll's entry, exactly.
    Ours,
    /// Plimsoll's entry with keys that the user added.
    OursWithExtras,
    /// One of Plimsoll's entries isn't what it should be now.
    Differs,
    /// Someone else's entry.
    Foreign,
    /// The file can't be read; the text says why.
    Unreadable(Sentence),
}
