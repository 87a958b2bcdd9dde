//! Opening `plimsoll.db`, for those who write and those who only look.

use std::time::Duration;

use home::{Db, DbError, Home, open_db, open_db_read_only, open_db_unchecked};

use crate::schema::{MIGRATIONS, NEWEST};

/// How long a hook waits for another process: less than its deadline, because recording must never make an
/// agent wait.
const HOOK_WAIT: Duration = Duration::from_millis(60);

/// What can go wrong with the sessions' database.
#[derive(Debug, thiserror::Error)]
pub enum SessionsError {
    /// Opening, writing or reading.
    #[error(transparent)]
    Db(#[from] DbError),
    /// A query.
    #[error("the sessions' database: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A heartbeat file.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: std::path::PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}

/// The sessions' database.
#[derive(Debug)]
pub struct Sessions {
    pub(crate) db: Db,
}

impl Sessions {
    /// Opens it, creating it if needed.
    ///
    /// # Errors
    /// [`SessionsError::Db`] with the file and the way out.
    pub fn open(home: &Home) -> Result<Self, SessionsError> {
        Ok(Self { db: open_db(&home.main_db(), MIGRATIONS)? })
    }

    /// Opens it for one quick write: no check, and hardly any waiting for others.
    ///
    /// # Errors
    /// [`SessionsError::Db`]; a hook goes on without recording.
    pub fn open_for_hook(home: &Home) -> Result<Self, SessionsError> {
        let db = open_db_unchecked(&home.main_db(), MIGRATIONS)?;
        db.busy_timeout(HOOK_WAIT)?;
        Ok(Self { db })
    }

    /// Opens it for reading; `None` when nothing was ever recorded.
    ///
    /// # Errors
    /// [`SessionsError::Db`].
    pub fn open_read_only(home: &Home) -> Result<Option<Self>, SessionsError> {
        Ok(open_db_read_only(&home.main_db(), NEWEST)?.map(|db| Self { db }))
    }
}
