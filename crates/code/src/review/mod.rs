//! Reviews a diff: the changed files and lines (`changed_files`), the changed definitions with their earlier versions
//! (`changed_definitions`), imports of files that are gone (`broken_imports`), and what to check before merging (`risks` of
//! definitions and `risky_lines`, two tables). The caller provides texts, diffs and uses.

mod broken_imports;
mod definitions;
mod diff;
mod line_parts;
mod line_rules;
mod risks;
mod risky_lines;

pub use broken_imports::{BrokenImport, broken_imports};
pub use definitions::changed_definitions;
pub use diff::{changed_files, removed_lines, renames, with_renames};
pub use risks::{Level, Reviewed, Risk, risks};
pub use risky_lines::risky_lines;

use crate::grammar::Kind;

/// What happened to a file or a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It was not there.
    Added,
    /// What it takes and gives is other than it was.
    Signature,
    /// What is in it is other than it was.
    #[default]
    Changed,
    /// It is no longer there.
    Removed,
    /// It only has another name.
    Renamed,
}

/// A file of a diff.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct FileChange {
    /// Relative to the project.
    pub path: String,
    /// What happened to it.
    pub change: Change,
    /// Its name before, if that is all that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The number of lines that came.
    pub added: u64,
    /// The number of lines that went.
    pub removed: u64,
    /// Ranges of lines that are new or other, by their numbers now: first and last.
    #[serde(skip)]
    pub now: Vec<(u32, u32)>,
    /// Ranges of lines that went or are other, by their numbers before.
    #[serde(skip)]
    pub before: Vec<(u32, u32)>,
}

/// A definition that a diff changes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SymbolChange {
    /// Its name.
    pub name: String,
    /// What it is in.
    #[serde(rename = "in", skip_serializing_if = "String::is_empty")]
    pub container: String,
    /// What it is.
    pub kind: Kind,
    /// The file.
    pub file: String,
    /// The line of its name; where it was, if it is gone.
    pub line: u32,
    /// What happened to it.
    pub change: Change,
    /// Others can see it.
    pub exported: bool,
}
