//! Why a file is left alone. A refusal is an answer, not a failure: the file is untouched, the reason names
//! the place, and the caller can offer [`crate::snippet`] for work by hand.

use serde::{Deserialize, Serialize};

/// The reason why a file was not edited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Refusal {
    /// The file does not parse in the dialect of its owner.
    #[error("line {line}, column {column}: {reason}; correct the file, or add the entry by hand")]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What the parser found.
        reason: String,
    },
    /// The bytes are not UTF-8 text.
    #[error("the file is not UTF-8 text ({reason}); save it as UTF-8 and try again")]
    NotUtf8 {
        /// What was found instead.
        reason: String,
    },
    /// Something that is not an object (or array) stands where one is needed.
    #[error("{at} is {found}, not {expected}; correct it by hand first")]
    WrongType {
        /// The place in the file.
        at: String,
        /// What is needed there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// Somebody else's entry stands at our place.
    #[error("{at} holds an entry that is not ours; rename or remove it first")]
    Foreign {
        /// The place in the file.
        at: String,
    },
    /// The path is a symbolic link to a file that does not exist.
    #[error("the path is a link to {target}, which does not exist; create that file or remove the link")]
    DanglingLink {
        /// What the link points at.
        target: String,
    },
    /// The path is a folder, device, pipe or socket.
    #[error("the path is {found}, not a file")]
    NotAFile {
        /// What it is.
        found: String,
    },
    /// The file may not be written by its own permissions.
    #[error("the file is read-only; make it writable, or add the entry by hand where it is generated")]
    ReadOnly,
    /// The file is larger than any settings file should be.
    #[error("the file has {bytes} bytes, more than the {limit} that are edited")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// Markers of a block that do not pair up.
    #[error("line {line}: the markers of block `{id}` do not pair up; remove them by hand")]
    BrokenMarkers {
        /// The block.
        id: String,
        /// Line of the odd marker, from 1.
        line: usize,
    },
    /// The edit cannot be expressed in this file.
    #[error("{reason}")]
    Unsupported {
        /// Why, and what to do.
        reason: String,
    },
    /// The edited text could not be proved to differ in our place only. Nothing was written.
    #[error("the edit of {at} could not be proved harmless ({reason}); add the entry by hand")]
    NotProven {
        /// The place that was to be edited.
        at: String,
        /// What the proof found.
        reason: String,
    },
    /// The file could not be read.
    #[error("the file cannot be read: {reason}")]
    Io {
        /// The operating system's words.
        reason: String,
    },
}

impl Refusal {
    /// A short stable word for the kind, for front ends that branch on it.
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::Syntax { .. } => "syntax",
            Refusal::NotUtf8 { .. } => "not_utf8",
            Refusal::WrongType { .. } => "wrong_type",
            Refusal::Foreign { .. } => "foreign",
            Refusal::DanglingLink { .. } => "dangling_link",
            Refusal::NotAFile { .. } => "not_a_file",
            Refusal::ReadOnly => "read_only",
            Refusal::TooLarge { .. } => "too_large",
            Refusal::BrokenMarkers { .. } => "broken_markers",
            Refusal::Unsupported { .. } => "unsupported",
            Refusal::NotProven { .. } => "not_proven",
            Refusal::Io { .. } => "io",
        }
    }
}
