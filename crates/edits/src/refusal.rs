//! Why a file is left alone. A refusal is an answer, not a failure: the file is untouched, the reason names the location, and
//! the caller can offer [`crate::snippet`] for editing by hand.

use std::fmt;

use contract::Sentence;
use serde::{Deserialize, Serialize};

use crate::messages;

/// The reason why a file wasn't edited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Refusal {
    /// The file doesn't parse in its owner's dialect.
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// The parser's finding.
        reason: String,
    },
    /// The bytes are not UTF-8 text.
    NotUtf8 {
        /// What was found instead.
        reason: String,
    },
    /// The path, or that of the file behind it, isn't UTF-8: a receipt couldn't name the file.
    NotUtf8Path,
    /// The path of the program that an entry would start isn't UTF-8: its text would name another program.
    NotUtf8Program,
    /// A value that isn't an object (or array) where one is needed.
    WrongType {
        /// The path in the file.
        at: String,
        /// What is needed there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// Someone else's entry is at the path.
    Foreign {
        /// The path in the file.
        at: String,
    },
    /// The path is a symbolic link to a file that doesn't exist.
    DanglingLink {
        /// The link's target.
        target: String,
    },
    /// The path is a folder, device, pipe or socket.
    NotAFile {
        /// What it is.
        found: String,
    },
    /// The file's own permissions forbid writing.
    ReadOnly,
    /// The file is larger than any settings file should be.
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// A block's markers don't pair up.
    BrokenMarkers {
        /// The block.
        id: String,
        /// Line of the unpaired marker, from 1.
        line: usize,
    },
    /// The edit can't be expressed in this file.
    Unsupported {
        /// Why, and what to do.
        reason: String,
    },
    /// One of Plimsoll's files that somebody wrote into since: it isn't deleted.
    Edited,
    /// The edited text couldn't be verified to differ only at the edit's path. Nothing was written.
    NotProven {
        /// The edit's path.
        at: String,
        /// What the verification found.
        reason: String,
    },
    /// The file couldn't be read.
    Io {
        /// The operating system's error.
        reason: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for Refusal {}

impl Refusal {
    /// The reason as a sentence, with the parser's or the operating system's words unchanged.
    pub fn message(&self) -> Sentence {
        let words = |text: &String| Sentence::from(text.as_str());
        match self {
            Refusal::Syntax { line, column, reason } => messages::syntax(*line, *column, words(reason)),
            Refusal::NotUtf8 { reason } => messages::not_utf8(words(reason)),
            Refusal::NotUtf8Path => messages::not_utf8_path(),
            Refusal::NotUtf8Program => messages::not_utf8_program(),
            Refusal::WrongType { at, expected, found } => {
                messages::wrong_type(at, words(found), words(expected))
            }
            Refusal::Foreign { at } => messages::foreign(at),
            Refusal::DanglingLink { target } => messages::dangling_link(target),
            Refusal::NotAFile { found } => messages::not_a_file(words(found)),
            Refusal::ReadOnly => messages::read_only(),
            Refusal::TooLarge { bytes, limit } => messages::too_large(*bytes, *limit),
            Refusal::BrokenMarkers { id, line } => messages::broken_markers(*line, id),
            Refusal::Unsupported { reason } => words(reason),
            Refusal::Edited => messages::edited(),
            Refusal::NotProven { at, reason } => messages::not_proven(at, words(reason)),
            Refusal::Io { reason } => messages::unreadable(words(reason)),
        }
    }

    /// A short stable code for the kind, for front ends that branch on it.
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::Syntax { .. } => "syntax",
            Refusal::NotUtf8 { .. } => "not_utf8",
            Refusal::NotUtf8Path => "not_utf8_path",
            Refusal::NotUtf8Program => "not_utf8_program",
            Refusal::WrongType { .. } => "wrong_type",
            Refusal::Foreign { .. } => "foreign",
            Refusal::DanglingLink { .. } => "dangling_link",
            Refusal::NotAFile { .. } => "not_a_file",
            Refusal::ReadOnly => "read_only",
            Refusal::TooLarge { .. } => "too_large",
            Refusal::BrokenMarkers { .. } => "broken_markers",
            Refusal::Unsupported { .. } => "unsupported",
            Refusal::Edited => "edited",
            Refusal::NotProven { .. } => "not_proven",
            Refusal::Io { .. } => "io",
        }
    }
}
