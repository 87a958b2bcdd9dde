//! What is remembered of a write, so that it can be taken back: hashes, copies, and what was created on the way.
//!
//! Plain data that can be stored as JSON. Knows nothing of how it is used.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// The record of one write (or of finding that nothing had to be written).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileReceipt {
    /// The path as the caller named it.
    pub path: PathBuf,
    /// The file behind it, links resolved.
    pub target: PathBuf,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
    /// blake3 of the bytes before; `None` if there was no file.
    pub hash_before: Option<String>,
    /// blake3 of the bytes after; `None` if the file was deleted.
    pub hash_after: Option<String>,
    /// A copy of the bytes before this write; `None` if there was no file or nothing was written.
    pub backup: Option<PathBuf>,
    /// The file as it was before the first of an unbroken row of our writes: what a whole-file undo restores.
    pub original: Original,
    /// `false` if the file already was as planned and was left alone.
    pub written: bool,
    /// `true` if this write took our entries out.
    pub removal: bool,
    /// `true` if the file did not exist before we came.
    pub created_file: bool,
    /// Folders made for the file, outermost first.
    pub created_folders: Vec<PathBuf>,
    /// Permission bits before the write, where the system has them.
    pub mode: Option<u32>,
    /// What was created inside the file besides our entries.
    pub trace: Trace,
    /// Our entries: place and exact value.
    pub entries: Vec<Entry>,
}

/// The state a whole-file undo goes back to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Original {
    /// blake3 of the original bytes; `None` if there was no file.
    pub hash: Option<String>,
    /// Where the original bytes are kept; `None` if there was no file.
    pub backup: Option<PathBuf>,
}

/// What an edit created or replaced on the way to its place.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Trace {
    /// Containers that were not there before, outermost first.
    pub created_parents: Vec<Vec<String>>,
    /// White space that stood inside a container that was empty.
    pub interiors: Vec<Interior>,
    /// Members set because they were absent.
    pub defaults: Vec<Entry>,
}

/// The white space that an empty container held, e.g. the blank of `{ }`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interior {
    /// The container.
    pub path: Vec<String>,
    /// What stood between its brackets.
    pub text: String,
}

/// A place in the file and the value written there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Keys from the root; for a block its id; empty for a file that is wholly ours.
    pub path: Vec<String>,
    /// The exact value.
    pub value: Value,
}

impl Trace {
    /// Adds what `other` knows and this one does not.
    pub(crate) fn absorb(&mut self, other: &Trace) {
        for path in &other.created_parents {
            if !self.created_parents.contains(path) {
                self.created_parents.push(path.clone());
            }
        }
        for interior in &other.interiors {
            if !self.interiors.iter().any(|known| known.path == interior.path) {
                self.interiors.push(interior.clone());
            }
        }
        for default in &other.defaults {
            if !self.defaults.iter().any(|known| known.path == default.path) {
                self.defaults.push(default.clone());
            }
        }
    }

    /// The white space that stood inside the container at `path` before our entry went in.
    pub(crate) fn interior(&self, path: &[String]) -> &str {
        self.interiors.iter().find(|interior| interior.path == path).map_or("", |interior| &interior.text)
    }
}
