//! Records which files are being parsed, in case a grammar crashes the process. Each thread writes the path to its own slot
//! before it parses. After a crash the parent process calls [`record_crash`]: a single path is convicted and indexed by lines
//! until it changes; several are suspects, which the next run parses one at a time. A kill from outside convicts no file.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::walk::FoundFile;

/// The size of a path's slot; a longer path is truncated and never convicted, which affects no answer.
const PLACE: usize = 1_024;
/// The number of convicted files that are remembered.
const MOST: usize = 256;
const MAX_BYTES: u64 = 1024 * 1024;

/// Files that crashed earlier runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct CrashHistory {
    suspects: Vec<String>,
    convicted: Vec<CrashingFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct CrashingFile {
    path: String,
    /// Its stamp: when it changes, it is tried again.
    size: u64,
    mtime_ns: i64,
}

impl CrashHistory {
    fn read(reading: &Path) -> Self {
        let text = home::read_regular_text(&place(reading), MAX_BYTES).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn write(&self, reading: &Path) {
        let path = place(reading);
        let written = match serde_json::to_vec(self) {
            Ok(_) if *self == Self::default() => {
                std::fs::remove_file(&path).or_else(|error| match error.kind() {
                    std::io::ErrorKind::NotFound => Ok(()),
                    _ => Err(error),
                })
            }
            Ok(bytes) => std::fs::write(&path, bytes),
            Err(error) => Err(error.into()),
        };
        if let Err(error) = written {
            log::warn!("{}: {error}", path.display());
        }
    }

    /// Whether this file, unchanged, ended a run.
    pub(crate) fn has(&self, found: &FoundFile) -> bool {
        self.convicted
            .iter()
            .any(|one| one.path == found.path && one.size == found.size && one.mtime_ns == found.mtime_ns)
    }
}

fn place(reading: &Path) -> PathBuf {
    reading.with_extension("fallen")
}

/// The journal of one run.
#[derive(Debug)]
pub(crate) struct Journal {
    path: Option<PathBuf>,
    file: Option<File>,
    pub(crate) crashes: CrashHistory,
}

impl Journal {
    /// Begins a run; with `again`, convicted files get another chance.
    pub(crate) fn begin(path: Option<&Path>, again: bool) -> Self {
        let Some(path) = path else {
            return Self { path: None, file: None, crashes: CrashHistory::default() };
        };
        let mut crashes = CrashHistory::read(path);
        if again {
            crashes.convicted.clear();
        }
        // Without a journal no file is convicted; the work continues.
        let file = File::create(path).inspect_err(|error| log::warn!("{}: {error}", path.display())).ok();
        Self { path: Some(path.to_owned()), file, crashes }
    }

    /// How many may read at once.
    pub(crate) fn threads(&self, wanted: usize) -> usize {
        if self.crashes.suspects.is_empty() { wanted } else { 1 }
    }

    /// Thread number `thread` reads this now; an empty path when it reads nothing.
    pub(crate) fn note_reading(&self, thread: usize, path: &str) {
        let Some(file) = &self.file else { return };
        let mut bytes = [0; PLACE];
        let length = path.len().min(PLACE);
        bytes[..length].copy_from_slice(&path.as_bytes()[..length]);
        let at = (thread * PLACE) as u64;
        #[cfg(unix)]
        let written = std::os::unix::fs::FileExt::write_all_at(file, &bytes, at);
        #[cfg(windows)]
        let written = std::os::windows::fs::FileExt::seek_write(file, &bytes, at).map(drop);
        if let Err(error) = written {
            log::debug!("the journal of what is read: {error}");
        }
    }

    /// The run went well.
    pub(crate) fn end(mut self) {
        let Some(path) = self.path.take() else { return };
        drop(self.file.take());
        self.crashes.suspects.clear();
        self.crashes.write(&path);
        let _ = std::fs::remove_file(&path);
    }
}

/// Records that the run with this journal crashed. Returns whether another run would end differently, because a file was
/// convicted or will be.
pub fn record_crash(root: &Path, reading: &Path) -> bool {
    let Ok(bytes) = home::read_regular(reading, MAX_BYTES) else { return false };
    let read: Vec<String> = bytes
        .chunks(PLACE)
        .filter_map(|one| {
            let end = one.iter().position(|byte| *byte == 0).unwrap_or(one.len());
            String::from_utf8(one[..end].to_vec()).ok().filter(|path| !path.is_empty())
        })
        .collect();
    let mut crashes = CrashHistory::read(reading);
    match read.as_slice() {
        [] => return false,
        [only] => {
            let Some(stamp) = crate::stamp::stamp(&root.join(only), only) else { return true };
            crashes.convicted.push(CrashingFile {
                path: only.clone(),
                size: stamp.size,
                mtime_ns: stamp.mtime_ns,
            });
            crashes.suspects.clear();
        }
        several => crashes.suspects = several.to_vec(),
    }
    let surplus = crashes.convicted.len().saturating_sub(MOST);
    crashes.convicted.drain(..surplus);
    crashes.write(reading);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_unfinished_file_is_skipped_until_it_changes_and_several_are_suspects() {
        let folder = tempfile::tempdir().unwrap();
        let (root, reading) = (folder.path(), folder.path().join("code.reading"));
        std::fs::write(root.join("bad.php"), "<?php").unwrap();
        let found = |path: &str| {
            let stamp = crate::stamp::stamp(&root.join(path), path).unwrap();
            FoundFile { path: path.to_owned(), size: stamp.size, mtime_ns: stamp.mtime_ns }
        };
        assert!(!record_crash(root, &reading), "there was no run");
        let journal = Journal::begin(Some(&reading), false);
        journal.note_reading(0, "good.php");
        journal.note_reading(1, "bad.php");
        drop(journal);
        assert!(record_crash(root, &reading));
        let journal = Journal::begin(Some(&reading), false);
        assert_eq!((journal.threads(4), journal.crashes.has(&found("bad.php"))), (1, false));
        journal.note_reading(0, "good.php");
        journal.note_reading(0, "bad.php");
        drop(journal);
        assert!(record_crash(root, &reading));
        let journal = Journal::begin(Some(&reading), false);
        assert_eq!((journal.threads(4), journal.crashes.has(&found("bad.php"))), (4, true));
        journal.end();
        assert!(!reading.exists());
        std::fs::write(root.join("bad.php"), "<?php echo").unwrap();
        let journal = Journal::begin(Some(&reading), false);
        assert!(!journal.crashes.has(&found("bad.php")), "it changed");
        drop(journal);
        assert!(Journal::begin(Some(&reading), true).crashes == CrashHistory::default());
    }
}
