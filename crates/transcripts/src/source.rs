//! A transcript source, and how sources are found in an agent's folders. Lists folders and reads no files; the agent's own
//! file names the folders.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::TranscriptError;
use crate::format::Format;
use crate::record::Record;
use crate::records::Counts;

/// How a source is read.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A file of lines, or a document of messages.
    File(&'static Format),
    /// Another store of the agent's, with its opener: what was written at or after a time, in milliseconds since 1970.
    Store(OpenStore),
}

/// Opens the store at a path, for what was written since a time.
pub type OpenStore = fn(&Path, i64) -> Result<Box<dyn Store>, TranscriptError>;

/// A source that isn't a file of lines: a database, a folder of small files.
pub trait Store: Iterator<Item = Record> {
    /// The newest time read, from which a later reading continues; the counts; why it didn't reach the end.
    fn finish(self: Box<Self>) -> (i64, Counts, Option<TranscriptError>);
}

/// One transcript, or a database of many.
#[derive(Debug, Clone)]
pub struct Source {
    /// The id of its agent.
    pub agent: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// When it was last written, milliseconds since 1970.
    pub modified_ms: i64,
    /// How to read it.
    pub kind: Kind,
}

/// The deepest folder below a root; Codex has `sessions/2026/11/22`, Claude Code
/// `projects/<slug>/<session>/subagents`.
const DEPTH: usize = 6;

/// Adds the files below a folder whose names `kind` accepts. Doesn't follow links to folders: they may form a loop.
pub fn files(
    root: &Path,
    agent: &'static str,
    found: &mut Vec<Source>,
    kind: impl Fn(&str) -> Option<&'static Format>,
) {
    let mut open = vec![(root.to_path_buf(), 0)];
    while let Some((dir, depth)) = open.pop() {
        for path in entries(&dir) {
            let Ok(plain) = fs::symlink_metadata(&path) else { continue };
            if plain.is_dir() {
                if depth < DEPTH {
                    open.push((path, depth + 1));
                }
                continue;
            }
            let Some(kind) = path.file_name().and_then(|name| name.to_str()).and_then(&kind) else {
                continue;
            };
            let Ok(metadata) = fs::metadata(&path) else { continue };
            if metadata.is_file() {
                found.push(Source {
                    agent,
                    path,
                    modified_ms: modified_ms(&metadata),
                    kind: Kind::File(kind),
                });
            }
        }
    }
}

/// The paths in a folder, sorted; empty if it can't be listed.
pub fn entries(dir: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// When a file was last written, in milliseconds since 1970; 0 if unknown.
pub fn modified_ms(metadata: &Metadata) -> i64 {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_millis()).ok()).unwrap_or(0)
}
