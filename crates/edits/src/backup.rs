//! Copies of files before they were edited, and the log of writes. One folder per edited file: contents named by their
//! hash, and `manifest.json`. It keeps the state before the first write, the last five writes, and every original that a
//! kept record would restore.
//!
//! The record is written before the file and checked against the file afterwards: a write interrupted by a crash is
//! detected the next time. Callers hold the file's lock.

use crate::receipt::{Entry, FileReceipt};
use crate::replace::{private_folder, write_private};
use crate::target::{are_hard_links, has_other_names, inspect};
use serde::{Deserialize, Serialize};
use std::cell::LazyCell;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// How many of the latest writes are kept, besides the first.
const KEEP: usize = 5;

/// The extension of a log that can't be read.
const DAMAGED: &str = "damaged";

/// The blake3 hash of some bytes, in hexadecimal.
pub(crate) fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// A short unique name for a file, from its real path: safe on every file system.
pub(crate) fn key(target: &Path) -> String {
    let digest = hash(target.to_string_lossy().as_bytes());
    let name: String = target
        .file_name()
        .map(|name| {
            name.to_string_lossy()
                .chars()
                .filter(|c| c.is_ascii_alphanumeric() || ".-_".contains(*c))
                .collect()
        })
        .unwrap_or_default();
    format!("{}-{}", name.trim_start_matches('.').chars().take(40).collect::<String>(), &digest[..16])
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Stored {
    /// The log's format version.
    version: u32,
    target: PathBuf,
    receipts: Vec<FileReceipt>,
}

/// Every file's log below `root` that can be read.
fn logs(root: &Path) -> impl Iterator<Item = Stored> {
    let folders = std::fs::read_dir(root).into_iter().flatten().flatten();
    folders.filter_map(move |folder| {
        let bytes = std::fs::read(folder.path().join("manifest.json")).ok()?;
        read_log(root, &bytes).ok()
    })
}

/// Reads a log. The copies that it names are below `root`, wherever that was when it was written: what no log names is deleted.
fn read_log(root: &Path, bytes: &[u8]) -> serde_json::Result<Stored> {
    let mut stored: Stored = serde_json::from_slice(bytes)?;
    let copies = stored.receipts.iter_mut().flat_map(|write| [&mut write.backup, &mut write.original.backup]);
    for copy in copies.flatten() {
        if let (Some(folder), Some(name)) = (copy.parent().and_then(Path::file_name), copy.file_name()) {
            *copy = root.join(folder).join(name);
        }
    }
    Ok(stored)
}

/// The copies that the logs below `root` name; `None` if one of them can't be read, which may name any.
fn copies_named_below(root: &Path) -> Option<HashSet<PathBuf>> {
    use io::ErrorKind::{NotADirectory, NotFound};

    let mut named = HashSet::new();
    for folder in std::fs::read_dir(root).ok()? {
        match std::fs::read(folder.ok()?.path().join("manifest.json")) {
            Ok(bytes) => {
                let receipts = read_log(root, &bytes).ok()?.receipts;
                named.extend(
                    receipts.into_iter().flat_map(|write| [write.backup, write.original.backup]).flatten(),
                );
            }
            // A folder without a log, or something else's file.
            Err(error) if matches!(error.kind(), NotFound | NotADirectory) => {}
            Err(_) => return None,
        }
    }
    Some(named)
}

/// The name under which a file has its log: its own or, if that has none, that of another hard link to it. Two agents' files may
/// be one, and what one agent's entries left is only known to the log with both agents' writes.
fn logged_name(root: &Path, target: &Path) -> PathBuf {
    let has_log = root.join(key(target)).join("manifest.json").exists();
    let another = || logs(root).map(|stored| stored.target).find(|name| are_hard_links(name, target));
    // Most files have one name, and then no log has to be read.
    let may_have_another = !has_log && has_other_names(target);
    may_have_another.then(another).flatten().unwrap_or_else(|| target.to_path_buf())
}

/// A folder that is gone and the one that may be it now, for two files whose paths below these are the same.
fn moved_folder<'p>(old: &'p Path, new: &'p Path) -> Option<(&'p Path, &'p Path)> {
    let below = old.components().rev().zip(new.components().rev());
    let alike = below.take_while(|(one, other)| one == other).count();
    // The folder itself may be called as before and be in another one.
    let folders = |up: usize| Some((old.ancestors().nth(up)?, new.ancestors().nth(up)?));
    (1..=alike).rev().filter_map(folders).find(|(before, _)| !before.exists())
}

/// Whether a file is the very one that a write left, by whatever name: it has its bytes, and its time, which a copy or another
/// checkout doesn't have.
pub(crate) fn was_left_by(path: &Path, write: &FileReceipt) -> bool {
    // Some file systems count in steps of 2 s, and a write may wait for a lock.
    const STEP_MS: i64 = 2_000;
    const WAIT_MS: i64 = 60_000;
    let modified = std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let since = modified.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let at_ms = since.and_then(|since| i64::try_from(since.as_millis()).ok());
    let (first, last) = (write.at_ms.saturating_sub(STEP_MS), write.at_ms.saturating_add(WAIT_MS));
    let has_its_bytes = || {
        let bytes = inspect(path).ok().and_then(|seen| seen.bytes);
        bytes.is_some_and(|bytes| write.hash_after.as_deref() == Some(&hash(&bytes)))
    };
    at_ms.is_some_and(|at_ms| (first..=last).contains(&at_ms)) && has_its_bytes()
}

/// The writes to the file that is `target` now because its folder, which isn't where it was any longer, was moved or renamed. With
/// the paths of now.
fn moved_receipts(root: &Path, target: &Path) -> Option<Vec<FileReceipt>> {
    // Most files without a log aren't there, and then no log has to be read.
    if !target.is_file() {
        return None;
    }
    logs(root).find_map(|Stored { target: old, receipts, .. }| {
        let last = receipts.last().filter(|last| !last.removal)?;
        let (before, after) = moved_folder(&old, target)?;
        if !was_left_by(target, last) {
            return None;
        }
        let here = |folder: &PathBuf| Some(after.join(folder.strip_prefix(before).ok()?));
        let moved = |write: FileReceipt| {
            let created_folders = write.created_folders.iter().filter_map(here).collect();
            let path = target.to_path_buf();
            FileReceipt { target: path.clone(), path, created_folders, ..write }
        };
        Some(receipts.into_iter().map(moved).collect())
    })
}

/// The backups of one file.
#[derive(Debug)]
pub(crate) struct Backups {
    folder: PathBuf,
    stored: Stored,
    /// Folders that were made for a file which isn't there.
    abandoned: Vec<PathBuf>,
}

impl Backups {
    /// Opens the backups of `target`; an unreadable log is moved aside, never overwritten. What is known of a file goes with its
    /// folder.
    pub(crate) fn open(root: &Path, target: &Path) -> io::Result<Backups> {
        let target = &logged_name(root, target);
        let folder = root.join(key(target));
        let file = folder.join("manifest.json");
        let stored = match std::fs::read(&file) {
            Ok(bytes) => match read_log(root, &bytes) {
                Ok(stored) => stored,
                Err(_) => {
                    std::fs::rename(
                        &file,
                        folder.join(format!("manifest-{}.{DAMAGED}", &hash(&bytes)[..12])),
                    )?;
                    Stored::default()
                }
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Stored::default(),
            Err(error) => return Err(error),
        };
        let mut stored = Stored { version: 1, target: target.to_path_buf(), ..stored };
        if stored.receipts.is_empty() {
            stored.receipts = moved_receipts(root, target).unwrap_or_default();
        }
        Ok(Backups { folder, stored, abandoned: Vec::new() })
    }

    /// The files that have a log below `root`, sorted; logs that can't be read are left out.
    pub(crate) fn targets(root: &Path) -> Vec<PathBuf> {
        let mut targets: Vec<PathBuf> = logs(root).map(|stored| stored.target).collect();
        targets.sort();
        targets
    }

    /// The folders below `root` with copies of a file whose log can't be read, sorted.
    pub(crate) fn without_log(root: &Path) -> Vec<PathBuf> {
        let ends_in = |path: &PathBuf, wanted: &str| path.extension().is_some_and(|end| end == wanted);
        let is_unread = |folder: &PathBuf| match std::fs::read(folder.join("manifest.json")) {
            Ok(bytes) => read_log(root, &bytes).is_err(),
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        };
        let files_in = |folder: &PathBuf| -> Vec<PathBuf> {
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
        };
        let mut folders = files_in(&root.to_path_buf());
        folders.retain(|folder| {
            let files = files_in(folder);
            let has = |wanted: &str| files.iter().any(|file| ends_in(file, wanted));
            has("bak") && (has(DAMAGED) || is_unread(folder))
        });
        folders.sort();
        folders
    }

    /// The folders that Plimsoll created for files that are as it left them.
    pub(crate) fn created_folders(root: &Path) -> HashSet<PathBuf> {
        let is_as_left = |last: &FileReceipt| {
            !last.created_folders.is_empty()
                && last.hash_after.is_some()
                && inspect(&last.target).is_ok_and(|seen| seen.bytes.as_deref().map(hash) == last.hash_after)
        };
        logs(root)
            .filter_map(|mut stored| stored.receipts.pop())
            .filter(is_as_left)
            .flat_map(|last| last.created_folders)
            .collect()
    }

    /// The files below `folder` that Plimsoll last gave entries, relative to it, with that write.
    pub(crate) fn written_below(root: &Path, folder: &Path) -> Vec<(PathBuf, FileReceipt)> {
        let written = |mut stored: Stored| {
            let last = stored.receipts.pop().filter(|last| !last.removal)?;
            Some((stored.target.strip_prefix(folder).ok()?.to_path_buf(), last))
        };
        logs(root).filter_map(written).collect()
    }

    /// Drops the last record if its write never happened, and keeps in mind the folders that were made for it.
    pub(crate) fn reconcile(&mut self, now: Option<&str>) {
        if let Some(last) = self.stored.receipts.last()
            && last.hash_before.as_deref() == now
            && last.hash_after.as_deref() != now
        {
            let dropped = self.stored.receipts.pop();
            if now.is_none() {
                self.abandoned = dropped.map(|receipt| receipt.created_folders).unwrap_or_default();
            }
        }
    }

    /// The folders that were made for a file which was never written, or is gone since; outermost first.
    pub(crate) fn abandoned_folders(&self) -> &[PathBuf] {
        &self.abandoned
    }

    /// The last write, if it added Plimsoll's entries.
    pub(crate) fn connected(&self) -> Option<&FileReceipt> {
        self.stored.receipts.last().filter(|receipt| !receipt.removal)
    }

    /// The last write, if the file is as it left it and another write may carry on what it knows: after a removal only
    /// if others had entries there, and not if nothing of theirs is left either.
    pub(crate) fn series(&self, now: Option<&str>) -> Option<&FileReceipt> {
        self.stored.receipts.last().filter(|last| {
            let goes_on = !last.removal || last.shared && last.hash_after != last.original.hash;
            goes_on && now.is_some() && last.hash_after.as_deref() == now
        })
    }

    /// Whether a write since the last one's original wrote an entry elsewhere than in the places of these.
    pub(crate) fn wrote_more_than(&self, entries: &[Entry]) -> bool {
        let original = self.stored.receipts.last().map(|last| &last.original);
        let series = self.stored.receipts.iter().rev().take_while(|write| Some(&write.original) == original);
        let mut written = series.filter(|write| !write.removal).flat_map(|write| &write.entries);
        written.any(|written| !entries.iter().any(|entry| entry.path == written.path))
    }

    /// The first write; its record and copy are kept for good.
    pub(crate) fn first(&self) -> Option<&FileReceipt> {
        self.stored.receipts.first()
    }

    /// Stores a copy of `bytes` and returns its path.
    pub(crate) fn keep(&self, bytes: &[u8]) -> io::Result<PathBuf> {
        private_folder(&self.folder)?;
        let path = self.folder.join(format!("{}.bak", &hash(bytes)[..32]));
        if std::fs::read(&path).is_ok_and(|known| known == bytes) {
            return Ok(path);
        }
        write_private(&path, bytes)?;
        Ok(path)
    }

    /// Appends a record, drops expired ones, and saves the log.
    pub(crate) fn record(&mut self, receipt: FileReceipt) -> io::Result<()> {
        self.stored.receipts.push(receipt);
        let count = self.stored.receipts.len();
        if count > KEEP + 1 {
            self.stored.receipts.drain(1..count - KEEP);
        }
        self.save()?;
        self.sweep();
        Ok(())
    }

    /// Removes the last record.
    pub(crate) fn forget_last(&mut self) -> io::Result<()> {
        self.stored.receipts.pop();
        self.save()
    }

    /// Whether the last record is that receipt.
    pub(crate) fn ends_with(&self, receipt: &FileReceipt) -> bool {
        self.stored.receipts.last().is_some_and(|last| {
            last.hash_after == receipt.hash_after
                && last.hash_before == receipt.hash_before
                && last.at_ms == receipt.at_ms
        })
    }

    fn save(&self) -> io::Result<()> {
        private_folder(&self.folder)?;
        let bytes = serde_json::to_vec_pretty(&self.stored).map_err(io::Error::other)?;
        write_private(&self.folder.join("manifest.json"), &bytes)
    }

    /// Deletes copies that no record names, nor one of the log of a file that was here and was moved. A failed deletion is retried the next
    /// time. A log that was moved aside because it can't be read may name any of them, and what a file was before Plimsoll's first write
    /// is nowhere else.
    fn sweep(&self) {
        let named: HashSet<&PathBuf> = self
            .stored
            .receipts
            .iter()
            .flat_map(|receipt| [receipt.backup.as_ref(), receipt.original.backup.as_ref()])
            .flatten()
            .collect();
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        let ends_in = |path: &PathBuf, wanted: &str| path.extension().is_some_and(|end| end == wanted);
        let has_unread_log = paths.iter().any(|path| ends_in(path, DAMAGED));
        let named_below = LazyCell::new(|| self.folder.parent().and_then(copies_named_below));
        let is_unnamed = |path: &PathBuf| named_below.as_ref().is_some_and(|named| !named.contains(path));
        // The other logs are only read if there is something to delete.
        for path in paths.into_iter().filter(|path| !named.contains(path)) {
            let is_copy = ends_in(&path, "bak") && !has_unread_log && is_unnamed(&path);
            if is_copy || ends_in(&path, "tmp") {
                let _ = std::fs::remove_file(&path);
            }
        }
    }
}
