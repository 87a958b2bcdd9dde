//! What can go wrong with the knowledge base, said so that the reader knows the thing and the way out.
//! Errors of fetching a page are in [`crate::web::FetchError`].

use std::path::PathBuf;

/// An error of the knowledge base.
#[derive(Debug, thiserror::Error)]
pub enum KnowledgeError {
    /// Opening, migrating, or writing the database failed; the message of [`home::DbError`] says what to do.
    #[error(transparent)]
    Db(#[from] home::DbError),
    /// A single statement failed.
    #[error("{path} could not be read: {source}; `plimsoll doctor` checks the file", path = path.display())]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// No source has this label or number.
    #[error("no source is called \"{0}\"; list the sources to see their names")]
    NoSource(String),
    /// A purge that names nothing.
    #[error("nothing is stored under {0}, so there is nothing to purge")]
    NothingToPurge(String),
    /// A file of the knowledge base or of a folder being indexed could not be used.
    #[error("{path}: {error}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A trash file that cannot be brought back.
    #[error("{path} is not a purge that can be restored: {reason}", path = path.display())]
    BadTrash {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// An include or exclude pattern that does not parse.
    #[error("the pattern \"{pattern}\" is not a valid glob: {reason}")]
    BadGlob {
        /// The pattern as given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl KnowledgeError {
    /// Whether the database's file is damaged.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Db(home::DbError::Damaged { .. }) => true,
            Self::Sqlite { source, .. } => matches!(
                source.sqlite_error_code(),
                Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase)
            ),
            _ => false,
        }
    }
}

/// Shorthand of this crate.
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
