//! The knowledge base's errors, each naming the thing and the way out. Errors of fetching a page are in
//! [`crate::web::FetchError`].

use std::path::PathBuf;

use contract::{Fault, LowerError, Sentence};

use crate::messages;

/// An error of the knowledge base.
#[derive(Debug, thiserror::Error)]
pub enum KnowledgeError {
    /// The database couldn't be opened, migrated, or written; [`home::DbError`]'s message says what to do.
    Db(#[from] home::DbError),
    /// A single statement failed.
    Sqlite {
        /// The database.
        path: PathBuf,
        /// SQLite's error.
        source: rusqlite::Error,
    },
    /// No source has this label or number.
    NoSource(String),
    /// A purge whose scope matches nothing.
    NothingToPurge(String),
    /// A file of the knowledge base or of an indexed folder couldn't be used.
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// A trash file that can't be restored.
    BadTrash {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// An include or exclude pattern that does not parse.
    BadGlob {
        /// The pattern as given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl LowerError for KnowledgeError {
    fn message(&self) -> Sentence {
        match self {
            Self::Db(error) => error.message(),
            Self::Sqlite { path, source } if home::is_disk_full(path, source) => {
                home::DbError::Full { path: path.clone() }.message()
            }
            Self::Sqlite { path, source } => {
                home::messages::statement(path, Sentence::from(source.to_string()))
            }
            Self::NoSource(name) => messages::no_source(name),
            Self::NothingToPurge(what) => messages::nothing_to_purge(what),
            Self::Io { path, error } => home::file_problem(path, error),
            Self::BadTrash { path, reason } => messages::bad_trash(path, Sentence::from(reason.as_str())),
            Self::BadGlob { pattern, reason } => messages::bad_glob(pattern, Sentence::from(reason.as_str())),
        }
    }

    fn fault(&self) -> Option<Fault> {
        match self {
            Self::Db(error) => error.fault(),
            Self::Sqlite { path, source } if home::is_disk_full(path, source) => Some(Fault::Full),
            _ if self.is_damage() => Some(Fault::Damaged),
            _ => None,
        }
    }
}

impl std::fmt::Display for KnowledgeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message().fmt(f)
    }
}

impl KnowledgeError {
    /// Whether the database couldn't be opened because nothing can be written there; reading it may be possible.
    pub fn is_unwritable(&self) -> bool {
        matches!(self, Self::Db(error) if error.is_unwritable())
    }

    /// Whether the database's file is damaged.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Db(home::DbError::Damaged { .. }) => true,
            Self::Sqlite { source, .. } => home::is_damage(source),
            _ => false,
        }
    }
}

/// This crate's result.
pub type Result<T, E = KnowledgeError> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use crate::Store;

    #[test]
    fn a_failed_statement_names_the_file_and_tells_damage_from_the_rest() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("knowledge.db");
        let store = Store::open(&path).unwrap();
        let odd = store.read(|db| db.execute_batch("SELECT nothing FROM nowhere")).unwrap_err();
        assert!(odd.to_string().starts_with(&path.display().to_string()), "{odd}");
        assert!(odd.to_string().contains("plimsoll doctor") && !odd.is_damage(), "{odd}");
        let damaged = store.read(|_| -> rusqlite::Result<()> {
            Err(rusqlite::Error::SqliteFailure(
                rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT),
                None,
            ))
        });
        assert!(damaged.unwrap_err().is_damage());
    }
}
