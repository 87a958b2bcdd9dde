//! The errors of the sessions' record.

use std::path::PathBuf;

use contract::{Fault, LowerError, Sentence};
use home::{DbError, HomeError};

use crate::messages;

/// An error of the sessions' record.
#[derive(Debug, thiserror::Error)]
pub enum SessionsError {
    /// The database.
    Db(#[from] DbError),
    /// A stored connection isn't JSON, or a new one can't be written as such.
    Receipt {
        /// Its number; 0 for a new one.
        id: i64,
        /// The parser's message.
        source: serde_json::Error,
    },
    /// The folder isn't Plimsoll's.
    Home(#[from] HomeError),
    /// A hook couldn't open the database recently.
    LeftAlone {
        /// The file.
        path: PathBuf,
    },
    /// A heartbeat or a hook's line couldn't be written.
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
}

impl SessionsError {
    /// Whether the database couldn't be opened because nothing can be written there; reading it may be possible.
    pub fn is_unwritable(&self) -> bool {
        matches!(self, Self::Db(error) if error.is_unwritable())
    }
}

impl LowerError for SessionsError {
    fn message(&self) -> Sentence {
        match self {
            Self::Db(error) => error.message(),
            Self::Receipt { id, source } => {
                messages::bad_receipt(id.to_string(), Sentence::from(source.to_string()))
            }
            Self::Home(error) => error.message(),
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
