//! The errors of a database, with messages that name the file and the remedy. Owns the mapping from SQLite's errors,
//! and the marker beside a file that was found damaged.

use std::path::{Path, PathBuf};

use contract::{Fault, LowerError, Sentence, joined};
use rusqlite::ErrorCode;

use crate::messages;
use crate::paths::MAIN_DB;

/// A database error.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// A newer Plimsoll wrote the file.
    NewerSchema {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: u32,
        /// The newest version that this build knows.
        known: u32,
    },
    /// The file is damaged. It is never replaced by an empty one.
    Damaged {
        /// The file.
        path: PathBuf,
        /// SQLite's message.
        reason: String,
    },
    /// The disk is full.
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Other processes kept the file locked.
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Any other SQLite error.
    Sqlite {
        /// The file.
        path: PathBuf,
        /// SQLite's error.
        source: rusqlite::Error,
    },
    /// The file or its folder can't be accessed.
    Io {
        /// The path.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
}

impl LowerError for DbError {
    fn message(&self) -> Sentence {
        match self {
            Self::NewerSchema { path, found, known } => {
                joined::also(messages::newer_schema(path, *found, *known), messages::update_plimsoll())
            }
            Self::Damaged { path, reason } => {
                let happened = messages::damaged(path, Sentence::from(reason.as_str()));
                // Only the record has a command for it.
                let is_record = path.file_name().is_some_and(|name| name == MAIN_DB);
                let way_out =
                    if is_record { messages::reopen_damaged_record() } else { messages::reopen_damaged() };
                joined::also(happened, way_out)
            }
            Self::Full { path } => joined::also(messages::disk_full(path), messages::free_space()),
            Self::Busy { path } => joined::also(messages::busy(path), messages::try_again()),
            Self::Sqlite { path, source } => joined::about(path, Sentence::from(source.to_string())),
            Self::Io { path, source } => crate::file_problem(path, source),
        }
    }

    fn fault(&self) -> Option<Fault> {
        match self {
            Self::NewerSchema { .. } => Some(Fault::Newer),
            Self::Damaged { .. } => Some(Fault::Damaged),
            Self::Full { .. } => Some(Fault::Full),
            Self::Busy { .. } => Some(Fault::Busy),
            Self::Sqlite { .. } | Self::Io { .. } => None,
        }
    }
}

impl std::fmt::Display for DbError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message().fmt(f)
    }
}

impl DbError {
    /// Converts a SQLite error to one that names the file and the remedy.
    pub fn from_sqlite(path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            _ if is_disk_full(&path, &source) => Self::Full { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            _ if is_damage(&source) => {
                mark_damaged(&path);
                Self::Damaged { path, reason: source.to_string() }
            }
            _ => Self::Sqlite { path, source },
        }
    }

    /// Whether the file can't be written, or SQLite can't make the log that it wants beside it: a full disk, a read-only
    /// folder. What is in the file may be read all the same.
    pub fn is_unwritable(&self) -> bool {
        use std::io::ErrorKind as Kind;
        match self {
            Self::Full { .. } => true,
            Self::Io { source, .. } => matches!(
                source.kind(),
                Kind::StorageFull | Kind::QuotaExceeded | Kind::ReadOnlyFilesystem | Kind::PermissionDenied
            ),
            Self::Sqlite { source, .. } => matches!(
                source.sqlite_error_code(),
                Some(ErrorCode::CannotOpen | ErrorCode::SystemIoFailure | ErrorCode::ReadOnly)
            ),
            Self::NewerSchema { .. } | Self::Damaged { .. } | Self::Busy { .. } => false,
        }
    }
}

/// Whether a statement failed because the file is damaged, or isn't a database.
pub fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Less free space than this is none: a page of a database and the one that lists it.
const NO_SPACE: u64 = 16 * 1024;

/// Whether a statement on the database at `path` failed because its disk is full. SQLite has a code for that, but where it
/// can't make its log or the index beside it any longer, it only speaks of an I/O error.
pub fn is_disk_full(path: &Path, error: &rusqlite::Error) -> bool {
    means_full_disk(error, || free_space(path))
}

fn means_full_disk(error: &rusqlite::Error, free: impl FnOnce() -> Option<u64>) -> bool {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => true,
        Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen) => {
            free().is_some_and(|free| free < NO_SPACE)
        }
        _ => false,
    }
}

#[cfg(unix)]
fn free_space(path: &Path) -> Option<u64> {
    let there = path.ancestors().find(|folder| folder.exists())?;
    let space = rustix::fs::statvfs(there).ok()?;
    Some(space.f_bavail.saturating_mul(space.f_frsize))
}

#[cfg(not(unix))]
fn free_space(_path: &Path) -> Option<u64> {
    None
}

/// The suffix of the marker beside a file that a statement found damaged while others may have it open.
pub(crate) const DAMAGE_MARKER: &str = ".suspect";

/// The path of a file beside this one, with another suffix.
pub(crate) fn sibling(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Whether a statement found a database damaged and nobody has checked it since.
pub fn is_marked_damaged(path: &Path) -> bool {
    sibling(path, DAMAGE_MARKER).exists()
}

/// Creates the marker beside a database that a statement found damaged, so that the next process with exclusive
/// access checks and salvages it.
pub fn mark_damaged(path: &Path) {
    let mark = sibling(path, DAMAGE_MARKER);
    // Writing it waits for the disk, and one marker is enough.
    if !mark.exists() {
        let _ = crate::write_private(&mark, b"");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_distinguished_from_other_errors() {
        let failed = |code| rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
        use rusqlite::ffi::{SQLITE_BUSY, SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_IOERR, SQLITE_IOERR_SHMSIZE};
        for (code, free, full) in [
            (SQLITE_FULL, None, true),
            (SQLITE_IOERR, Some(0), true),
            (SQLITE_IOERR_SHMSIZE, Some(4_096), true),
            (SQLITE_CANTOPEN, Some(0), true),
            (SQLITE_IOERR, Some(1 << 30), false),
            (SQLITE_IOERR, None, false),
            (SQLITE_BUSY, Some(0), false),
        ] {
            assert_eq!(means_full_disk(&failed(code), || free), full, "{code} with {free:?}");
        }
        let told = DbError::from_sqlite(Path::new("/x/y.db"), failed(SQLITE_FULL));
        assert!(told.to_string().contains("the disk is full") && told.fault() == Some(Fault::Full), "{told}");
    }

    #[test]
    fn damage_is_distinguished_from_other_errors() {
        use rusqlite::ffi::{SQLITE_BUSY, SQLITE_CORRUPT, SQLITE_FULL, SQLITE_IOERR, SQLITE_NOTADB};
        for (code, damaged) in [
            (SQLITE_CORRUPT, true),
            (SQLITE_NOTADB, true),
            (SQLITE_BUSY, false),
            (SQLITE_FULL, false),
            (SQLITE_IOERR, false),
        ] {
            let failed = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
            assert_eq!(is_damage(&failed), damaged, "{code}");
        }
    }

    #[test]
    fn a_damaged_record_names_the_command_that_starts_a_new_one() {
        for (name, starts_fresh) in [("plimsoll.db", true), ("memory.db", false), ("my-plimsoll.db", false)] {
            let path = Path::new("/x").join(name);
            let told = DbError::Damaged { path, reason: "malformed".into() }.to_string();
            assert!(told.contains("try again"), "{told}");
            assert_eq!(told.contains("`plimsoll doctor --start-fresh`"), starts_fresh, "{told}");
        }
    }

    #[test]
    fn each_fault_keeps_cause_and_advice_apart() {
        let path = PathBuf::from("/x/y.db");
        for error in [
            DbError::NewerSchema { path: path.clone(), found: 9, known: 8 },
            DbError::Damaged { path: path.clone(), reason: "malformed".into() },
            DbError::Full { path: path.clone() },
            DbError::Busy { path },
        ] {
            assert!(error.fault().is_some(), "{error}");
            let sentence = error.message();
            assert_eq!(sentence.key(), Some("messages.joined.also"), "{error}");
            let part = |name| sentence.param(name).map(ToString::to_string).unwrap_or_default();
            let (happened, way_out) = (part("first"), part("second"));
            assert!(happened.contains("/x/y.db") && !happened.contains("try again"), "{happened}");
            assert!(way_out.contains("try again") || way_out.contains("update Plimsoll"), "{way_out}");
            assert!(!way_out.contains("/x/y.db"), "{way_out}");
        }
    }
}
