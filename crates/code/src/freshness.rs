//! Compares an index with the project on disk by size and time of files, folders and ignore files. Changed contents show in
//! a file's time, new and removed files in the folder's, changed rules in the ignore file's. Reads no file.

use std::path::Path;

use crate::search::{File, Reader};
use crate::stamp::{is_settled, mtime_ns, stamp};

/// Everything that changed since it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Files whose text changed, or may have.
    pub changed: Vec<String>,
    /// Files that are gone.
    pub gone: Vec<String>,
    /// Folders in which files may have been added, and ignore files.
    pub around: Vec<String>,
}

impl Changes {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.gone.is_empty() && self.around.is_empty()
    }

    /// Whether this file is among them.
    pub fn has(&self, path: &str) -> bool {
        self.changed.iter().chain(&self.gone).any(|one| one == path)
    }
}

/// Whether the current file has another size or time than the one that was read; for use after reading, which saw the
/// content.
pub fn has_changed(reader: &Reader, root: &Path, path: &str) -> bool {
    let file =
        reader.files().binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(|i| &reader.files()[i]);
    let before = match file {
        Some(file) => Some((file.size, file.mtime_ns)),
        None => {
            reader.watched.iter().find(|stamp| stamp.path == path).map(|stamp| (stamp.size, stamp.mtime_ns))
        }
    };
    let now = stamp(&root.join(path), path).map(|now| (now.size, now.mtime_ns));
    before != now
}

/// More files than these are looked at by several threads.
const MANY: usize = 1_000;
/// The maximum number of threads: more hardly help against disk latency.
const THREADS: usize = 4;

/// Compares the index with the project at `root`.
pub fn changes(reader: &Reader, root: &Path) -> Changes {
    let files = reader.files();
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS);
    let mut out = if files.len() < MANY || threads == 1 {
        of_files(files, reader.looked_ns, root)
    } else {
        std::thread::scope(|scope| {
            let parts = files.chunks(files.len().div_ceil(threads));
            let looking: Vec<_> =
                parts.map(|part| scope.spawn(|| of_files(part, reader.looked_ns, root))).collect();
            let mut out = Changes::default();
            for part in looking {
                let part = part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                out.changed.extend(part.changed);
                out.gone.extend(part.gone);
            }
            out
        })
    };
    for before in &reader.watched {
        // An absolute path replaces the root.
        let now = stamp(&root.join(&before.path), &before.path);
        if now.is_none_or(|now| now != *before || !is_settled(now.mtime_ns, reader.looked_ns)) {
            out.around.push(before.path.clone());
        }
    }
    out
}

fn of_files(files: &[File], looked_ns: i64, root: &Path) -> Changes {
    let mut out = Changes::default();
    let mut path = root.to_owned();
    for file in files {
        path.push(&file.path);
        match std::fs::symlink_metadata(&path) {
            Ok(meta) if meta.is_file() => {
                let now = mtime_ns(&meta);
                let same = meta.len() == file.size && now == file.mtime_ns;
                if !same || !is_settled(now, looked_ns) {
                    out.changed.push(file.path.clone());
                }
            }
            _ => out.gone.push(file.path.clone()),
        }
        path.clear();
        path.push(root);
    }
    out
}
