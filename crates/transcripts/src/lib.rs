//! Transcripts: what agents recorded of their own sessions, read and never written.
//!
//! Owns how such a record is read, whoever wrote it, and the rules by which a response that is recorded several times is
//! counted once. Two things come out: [`Usage`], the tokens of a response, and [`Shown`], what a tool put into the
//! conversation. Where an agent's transcripts lie and what their lines say is in that agent's own folder in `agents`, as a
//! [`Format`] or a [`Store`].
//!
//! A file is read as a stream with a bound per line and in memory that does not grow with it; a [`Cursor`] lets a
//! later call go on where an earlier one ended. Lines that are damaged, cut off, or of a version yet to come are
//! passed over and counted. Does not know any agent, what anybody does with the figures, nor Plimsoll's own database.

mod calls;
mod document;
mod format;
mod lines;
mod places;
mod prompts;
mod reader;
mod record;
mod records;
mod scan;
mod session;
mod totals;
mod value;

use std::path::PathBuf;

use rusqlite::ErrorCode;

pub use calls::{COMMAND_BYTES, Call, State, only};
pub use format::{Format, command, name, stem};
pub use places::{Kind, Opens, Source, Store, entries, files, modified_ms};
pub use prompts::prompts;
pub use reader::{Cursor, Ended, Reader};
pub use record::{Key, Reach, Record, Shown, Tokens, Usage};
pub use records::{Counts, LINE_BYTES, Records};
pub use scan::{Scan, Survey};
pub use session::{Used, used};
pub use totals::{Row, Seen, Spent, Totals};
pub use value::{Ask, at_ms, content_text, exit_code, object};

/// Why a transcript could not be read, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// The file cannot be read.
    #[error("{path}: {source}; check that the file is yours to read", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// The database cannot be read.
    #[error("{path}: {source}; try again when {agent} is idle", path = path.display())]
    Database {
        /// The agent's name.
        agent: &'static str,
        /// The file.
        path: PathBuf,
        /// SQLite's answer.
        source: rusqlite::Error,
    },
    /// A log lies beside the database without its index, which cannot be made without writing.
    #[error(
        "{path} has a log that {agent} has not taken over, and reading it would write a file; start {agent} once",
        path = path.display()
    )]
    LogWithoutIndex {
        /// The agent's name.
        agent: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// The agent began to write while its database was read as a file that nobody writes.
    #[error("{path} was changed while it was read; try again", path = path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

impl TranscriptError {
    /// Whether trying again a little later may help.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Database { source, .. } => {
                matches!(
                    source.sqlite_error_code(),
                    Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
                )
            }
            Self::Changed { .. } => true,
            Self::Io { .. } | Self::LogWithoutIndex { .. } => false,
        }
    }
}
