//! Errors of the index, each naming what failed and what to do.

use std::path::PathBuf;

/// An error of the codebase's index.
#[derive(Debug, thiserror::Error)]
pub enum CodebaseError {
    /// Opening, migrating, or writing the database failed; the message says what to do.
    #[error(transparent)]
    Db(#[from] home::DbError),
    /// A single statement failed.
    #[error("{}: {source}; `reindex` rebuilds this project's index", path.display())]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// SQLite's message.
        source: rusqlite::Error,
    },
    /// The folder to index cannot be read.
    #[error("{}: {source}; name a folder that exists and can be read", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
    /// An unknown filter.
    #[error("there is no {what} `{value}`; choose one of {known}")]
    Unknown {
        /// What kind of value.
        what: &'static str,
        /// The value.
        value: String,
        /// What is known.
        known: String,
    },
    /// There is nothing to look for.
    #[error("the query has no word to look for; say what the code does or what it is called")]
    EmptyQuery,
    /// There is no index yet.
    #[error("{} has no index yet; `reindex` makes it", path.display())]
    NoIndex {
        /// The project.
        path: PathBuf,
    },
}

impl CodebaseError {
    /// Whether there was no memory left for the database.
    pub fn is_out_of_memory(&self) -> bool {
        let (Self::Sqlite { source, .. } | Self::Db(home::DbError::Sqlite { source, .. })) = self else {
            return false;
        };
        source.sqlite_error_code() == Some(rusqlite::ErrorCode::OutOfMemory)
    }

    /// Whether the database is damaged; everything in it can be read again from the project.
    pub fn is_damaged(&self) -> bool {
        match self {
            Self::Db(home::DbError::Damaged { .. }) => true,
            Self::Sqlite { source, .. } | Self::Db(home::DbError::Sqlite { source, .. }) => {
                home::is_damage(source)
            }
            _ => false,
        }
    }
}

/// This crate's result.
pub type Result<T> = std::result::Result<T, CodebaseError>;
