//! Transcripts: what the agents recorded of their own sessions, read and never written.
//!
//! Owns where the transcripts of Claude Code, Codex, Gemini CLI, OpenCode and Copilot CLI lie, their formats of
//! several versions, and the rules by which a response that is recorded several times is counted once. Two things
//! come out: [`Usage`], the tokens of a response, and [`Shown`], what a tool put into the conversation.
//!
//! A file is read as a stream with a bound per line and in memory that does not grow with it; a [`Cursor`] lets a
//! later call go on where an earlier one ended. Lines that are damaged, cut off, or of a version yet to come are
//! passed over and counted. Does not know what anybody does with the figures, nor Plimsoll's own database.

mod agents;
mod calls;
mod document;
mod lines;
mod opencode_db;
mod opencode_files;
mod places;
mod reader;
mod record;
mod records;
mod scan;
mod session;
mod totals;
mod value;

use std::path::PathBuf;

pub use agents::Format;
pub use calls::COMMAND_BYTES;
pub use places::{Source, sources};
pub use reader::{Cursor, Ended, Reader};
pub use record::{Agent, Key, Reach, Record, Shown, Tokens, Usage};
pub use records::{Counts, LINE_BYTES, Records};
pub use scan::{Scan, Survey};
pub use session::{Used, used};
pub use totals::{Row, Seen, Spent, Totals};

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
    #[error("{path}: {source}; try again when OpenCode is idle", path = path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// SQLite's answer.
        source: rusqlite::Error,
    },
    /// A log lies beside the database without its index, which cannot be made without writing.
    #[error(
        "{path} has a log that OpenCode has not taken over, and reading it would write a file; start OpenCode once",
        path = path.display()
    )]
    LogWithoutIndex {
        /// The file.
        path: PathBuf,
    },
    /// OpenCode began to write while its database was read as a file that nobody writes.
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
            Self::Database { source, .. } => opencode_db::busy(source),
            Self::Changed { .. } => true,
            Self::Io { .. } | Self::LogWithoutIndex { .. } => false,
        }
    }
}
