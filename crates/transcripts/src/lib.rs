//! Transcripts: reads what agents recorded about their own sessions; never writes.
//!
//! Owns how such a record is read, and the rules by which a response that is recorded several times counts once. It produces
//! [`Usage`], a response's tokens, and [`ToolOutput`], what a tool added to the conversation. Each agent's folder in `agents`
//! knows where its transcripts are and what their lines mean, as a [`Format`] or a [`Store`].
//!
//! A file is read as a stream with a limit per line and in constant memory; with a [`Cursor`], a later call continues where
//! an earlier one ended. Lines that are damaged, cut off, or from a future version are skipped and counted. Knows no agent,
//! no use of the figures, and not Plimsoll's own database.

mod document;
mod format;
mod lines;
mod prompts;
mod reader;
mod record;
mod records;
mod scan;
mod session_usage;
mod source;
mod state;
mod totals;
mod value;

use std::path::PathBuf;

pub use format::{Format, command, name, stem};
pub use prompts::prompts;
pub use reader::{Cursor, ReadOutcome, Reader};
pub use record::{Key, Record, Tokens, ToolOutput, Usage, UsageScope};
pub use records::{Counts, LINE_BYTES, Records};
pub use scan::{Scan, Survey};
pub use session_usage::{ModelUsage, model_usage};
pub use source::{Kind, OpenStore, Source, Store, entries, files, modified_ms};
pub use state::{COMMAND_BYTES, Call, State, only};
pub use totals::{Row, SeenKeys, TokenSum, Totals};
pub use value::{JsonFields, at_ms, content_text, exit_code, object};

/// Why a transcript couldn't be read, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// The file can't be read.
    #[error("{path}: {source}; check that the file is yours to read", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The database can't be read.
    #[error("{path}: {source}; try again when {agent} is idle", path = path.display())]
    Database {
        /// The agent's name.
        agent: &'static str,
        /// The file.
        path: PathBuf,
        /// SQLite's error.
        source: rusqlite::Error,
    },
    /// The database has a log without its index, which can't be created without writing.
    #[error(
        "{path} has a log that {agent} hasn't taken over, and reading it would write a file; start {agent} once",
        path = path.display()
    )]
    LogWithoutIndex {
        /// The agent's name.
        agent: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// The agent began to write while its database was read as if no one wrote it.
    #[error("{path} was changed while it was read; try again", path = path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}
