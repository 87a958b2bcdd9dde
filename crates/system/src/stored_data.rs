//! A system's stored data: questions about it, deletion by a purge or by retention, and import from elsewhere.

use std::path::PathBuf;

use contract::{Error, Sentence};
use home::Home;

use crate::{CallContext, Host, Remembered, Subject};

/// Selects data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataScope {
    /// Everything.
    All,
    /// This project folder's and those below it.
    Project(PathBuf),
    /// The session of this ID.
    Session(String),
}

/// Foreign or user data that a system can import.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportSource {
    /// Its kind in a word.
    pub kind: String,
    /// The file or folder.
    pub path: PathBuf,
    /// Its project; `None` for data that applies everywhere.
    pub folder: Option<PathBuf>,
    /// How many items in it are new to the system.
    pub new: u64,
    /// The beginnings of a few items.
    pub samples: Vec<String>,
    /// Why it can't be read.
    pub problem: Option<Sentence>,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportReport {
    /// How many items now wait for review.
    pub waiting: u64,
    /// How many were known already.
    pub known: u64,
    /// How many of the waiting ones had a secret removed.
    pub redacted: u64,
    /// How many were refused because of a secret.
    pub refused: u64,
    /// Other problems.
    pub problems: Vec<String>,
}

/// Imports existing data when the user starts with a system, and only on request.
#[derive(Debug, Clone, Copy)]
pub struct DataImport {
    /// Lists what can be imported. Read-only.
    pub sources: fn(&dyn Host) -> Vec<ImportSource>,
    /// Imports one source for review.
    pub run: fn(&dyn Host, &ImportSource) -> Result<ImportReport, Error>,
}

/// Gives what a system remembers of a subject, the best first, at most this many; nothing when unsure.
pub type Remember = fn(&CallContext, &Subject, usize) -> Result<Vec<Remembered>, Error>;

/// Reads what the project's history says, for review; nothing in a project without one.
pub type Learn = fn(&dyn Host) -> Result<ImportReport, Error>;

/// Deletes data in a purge.
#[derive(Debug, Clone, Copy)]
pub struct Purge {
    /// What would be deleted.
    pub preview: fn(&Home, &DataScope) -> Result<Vec<PurgedData>, Error>,
    /// Deletes it permanently.
    pub delete: fn(&Home, &DataScope) -> Result<Vec<PurgedData>, Error>,
}

/// What is or would be deleted, of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PurgedData {
    /// The kind's name for programs: `outputs`.
    pub what: &'static str,
    /// The singular for people: `kept output`.
    pub one: &'static str,
    /// How many.
    pub number: u64,
    /// The size in bytes with its name for programs, if it is meaningful.
    pub bytes: Option<(&'static str, u64)>,
}

/// What retention removed, of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// The kind.
    pub what: &'static str,
    /// How many.
    pub number: u64,
}
