//! The record of a write, so that it can be undone: hashes, copies, and what was created besides the entries. Plain data,
//! stored as JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// The record of one write, or of a plan without changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileReceipt {
    /// The path as the caller named it.
    pub path: PathBuf,
    /// The file behind it, with links resolved.
    pub target: PathBuf,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
    /// blake3 of the bytes before; `None` if there was no file.
    pub hash_before: Option<String>,
    /// blake3 of the bytes after; `None` if the file was deleted.
    pub hash_after: Option<String>,
    /// A copy of the bytes before this write; `None` if there was no file or nothing was written.
    pub backup: Option<PathBuf>,
    /// The file before the first of an unbroken series of Plimsoll's writes: a whole-file undo restores it.
    pub original: Original,
    /// Whether the series wrote other entries too, such as another agent's: then the original, the trace, and what was created
    /// are theirs as well, and a removal that leaves some of them carries on the series. Older receipts don't have it.
    #[serde(default)]
    pub shared: bool,
    /// `false` if the file already was as planned.
    pub written: bool,
    /// Whether this write removed Plimsoll's entries.
    pub removal: bool,
    /// Whether Plimsoll created the file.
    pub created_file: bool,
    /// Folders above the file that Plimsoll created, for it or for another of its files, outermost first.
    pub created_folders: Vec<PathBuf>,
    /// Permission bits before the write, where the system has them.
    pub mode: Option<u32>,
    /// What was created in the file besides the entries.
    pub trace: Trace,
    /// Plimsoll's entries: path and exact value.
    pub entries: Vec<Entry>,
}

/// The state that a whole-file undo restores.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Original {
    /// blake3 of the original bytes; `None` if there was no file.
    pub hash: Option<String>,
    /// Where the original bytes are kept; `None` if there was no file.
    pub backup: Option<PathBuf>,
}

/// What an edit created or replaced besides its entry.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Trace {
    /// Containers that didn't exist before, outermost first.
    pub created_parents: Vec<Vec<String>>,
    /// White space inside a container that was empty.
    pub interiors: Vec<Interior>,
    /// Members set because they were absent.
    pub defaults: Vec<Entry>,
}

/// An empty container's white space, such as the blank in `{ }`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interior {
    /// The container.
    pub path: Vec<String>,
    /// The text between its brackets.
    pub text: String,
}

/// A path in the file and the value written there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Keys from the root; for a block its id; empty for a file that is Plimsoll's as a whole.
    pub path: Vec<String>,
    /// The exact value.
    pub value: Value,
}

impl Trace {
    /// Adds what only `other` has.
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

    /// The white space inside the container at `path` before the entry was added.
    pub(crate) fn interior(&self, path: &[String]) -> &str {
        self.interiors.iter().find(|interior| interior.path == path).map_or("", |interior| &interior.text)
    }
}
