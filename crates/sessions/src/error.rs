//! What can go wrong with the record of sessions, in words.

use std::path::PathBuf;

use contract::{Fault, Sentence, Told};
use home::DbError;

use crate::messages;

/// What can go wrong with the record of sessions.
#[derive(Debug, thiserror::Error)]
pub enum SessionsError {
    /// The database.
    Db(#[from] DbError),
    /// A stored receipt is no JSON, or one that is to be stored cannot be written as such.
    Receipt {
        /// Its number; 0 for a new one.
        id: i64,
        /// The parser's words.
        source: serde_json::Error,
    },
    /// A hook could not open the database a moment ago.
    LeftAlone {
        /// The file.
        path: PathBuf,
    },
    /// A sign of life or a hook's line could not be written.
    Io {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
}

impl Told for SessionsError {
    fn message(&self) -> Sentence {
        match self {
            Self::Db(error) => error.message(),
            Self::Receipt { id, source } => {
                messages::bad_receipt(id.to_string(), Sentence::from(source.to_string()))
            }
            Self::LeftAlone { path } => messages::left_alone(path),
            Self::Io { path, source } => messages::unwritten(path, source.message()),
        }
    }

    fn fault(&self) -> Option<Fault> {
        match self {
            Self::Db(error) => error.fault(),
            _ => None,
        }
    }
}

impl std::fmt::Display for SessionsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message().fmt(f)
    }
}
