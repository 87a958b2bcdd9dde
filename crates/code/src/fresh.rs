//! Whether an index still says what the project says. Sizes and times of all files, of the folders and of the ignore files are
//! compared with those that were seen: contents change the file's time, new and missing files the folder's, other rules the
//! ignore file's. Reads no file.

use std::path::Path;

use crate::search::Reader;
use crate::stamp::{is_settled, mtime_ns, stamp};

/// What is no longer as it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Files that have another text now, or may have.
    pub changed: Vec<String>,
    /// Files that are gone.
    pub gone: Vec<String>,
    /// Folders in which files may have come, and ignore files.
    pub around: Vec<String>,
}

impl Changes {
    /// Whether everything is as it was read.
    pub fn is_nothing(&self) -> bool {
        self.changed.is_empty() && self.gone.is_empty() && self.around.is_empty()
    }

    /// Whether this file is among them.
    pub fn has(&self, path: &str) -> bool {
        self.changed.iter().chain(&self.gone).any(|one| one == path)
    }
}

/// Whether what is there now has another size or time than what was read; for after a reading, which saw what was there.
pub fn is_other(reader: &Reader, root: &Path, path: &str) -> bool {
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

/// Compares the index with the project at `root`.
pub fn changes(reader: &Reader, root: &Path) -> Changes {
    let mut out = Changes::default();
    for file in reader.files() {
        match std::fs::symlink_metadata(root.join(&file.path)) {
            Ok(meta) if meta.is_file() => {
                let now = mtime_ns(&meta);
                let same = meta.len() == file.size && now == file.mtime_ns;
                if !same || !is_settled(now, reader.looked_ns) {
                    out.changed.push(file.path.clone());
                }
            }
            _ => out.gone.push(file.path.clone()),
        }
    }
    for before in &reader.watched {
        // A whole path replaces the root by itself.
        let now = stamp(&root.join(&before.path), &before.path);
        if now.is_none_or(|now| now != *before || !is_settled(now.mtime_ns, reader.looked_ns)) {
            out.around.push(before.path.clone());
        }
    }
    out
}
