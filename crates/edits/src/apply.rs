//! Applies a plan: takes the lock, checks the file again, keeps a copy, records the intent, swaps the content.
//!
//! Decides nothing: the bytes come from the plan. If the file isn't what the plan was made from, the answer is
//! [`ApplyError::Changed`] and the caller plans again.

use crate::backup::{Backups, hash, key, was_left_by};
use crate::plan::{Change, FilePlan};
use crate::receipt::{FileReceipt, Original};
use crate::replace::{self, Failure, private_folder};
use crate::target::inspect;
use crate::{Refusal, messages};
use contract::{Sentence, joined};
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for another Plimsoll process that has the file locked.
const LOCK_WAIT: Duration = Duration::from_secs(10);

/// The folders for copies and locks. Both are Plimsoll's and are created when needed.
#[derive(Debug, Clone)]
pub struct Store {
    /// Copies of edited files, one folder per file.
    pub backups: PathBuf,
    /// Advisory locks, one file per edited file. Never beside the edited file.
    pub locks: PathBuf,
}

/// Why a plan wasn't applied. The file is as it was, except for [`ApplyError::Torn`].
#[derive(Debug)]
pub enum ApplyError {
    /// The plan says to leave the file alone.
    Refused {
        /// The file.
        path: PathBuf,
        /// The reason.
        refusal: Refusal,
    },
    /// The file was written since the plan was made. Plan and try again.
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The folder doesn't exist and the plan doesn't allow creating it.
    MissingFolder {
        /// The file.
        path: PathBuf,
        /// The outermost missing folder.
        folder: PathBuf,
    },
    /// Another Plimsoll process locked the file for too long.
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The copy couldn't be stored, so nothing was written.
    Backup {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The file couldn't be written.
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The file was overwritten in part, and its old text couldn't be put back. The write's record stays, with the copy.
    Torn {
        /// The file.
        path: PathBuf,
        /// The copy of its old text.
        backup: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
}

impl ApplyError {
    /// The error as a sentence, with the operating system's words unchanged.
    pub fn message(&self) -> Sentence {
        let words = |source: &io::Error| Sentence::from(source.to_string());
        match self {
            ApplyError::Refused { path, refusal } => joined::about(path, refusal.message()),
            ApplyError::Changed { path } => messages::changed(path),
            ApplyError::MissingFolder { path, folder } => messages::missing_folder(path, folder),
            ApplyError::Locked { path } => messages::locked(path),
            ApplyError::Backup { path, source } => messages::no_backup(path, words(source)),
            ApplyError::Io { path, source } => messages::not_written(path, words(source)),
            ApplyError::Torn { path, backup, source } => messages::torn(path, words(source), backup),
        }
    }
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for ApplyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ApplyError::Backup { source, .. }
            | ApplyError::Io { source, .. }
            | ApplyError::Torn { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl Store {
    /// Locks one file until the guard is dropped.
    pub(crate) fn lock(&self, target: &Path) -> Result<File, ApplyError> {
        // What can't be written then is Plimsoll's own, and nothing is wrong with the target.
        let path = self.locks.join(format!("{}.lock", key(target)));
        let failed = |source| ApplyError::Io { path: path.clone(), source };
        private_folder(&self.locks).map_err(failed)?;
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        let file = options.open(&path).map_err(failed)?;
        let deadline = Instant::now() + LOCK_WAIT;
        let mut wait = Duration::from_millis(1);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(wait);
                    wait = (wait * 2).min(Duration::from_millis(50));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(ApplyError::Locked { path: target.to_path_buf() });
                }
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            }
        }
    }

    /// The receipt of the last write that added Plimsoll's entries to the file behind `path`, if no other write of Plimsoll's
    /// followed. Lets a disconnect work although the caller lost its own copy.
    pub fn receipt(&self, path: &Path) -> Option<FileReceipt> {
        self.log_of(path)?.0.connected().cloned()
    }

    /// The receipt for [`crate::plan_removal`]: [`Store::receipt`], or that of a removal which left another agent's entries,
    /// if nobody wrote since.
    pub fn receipt_for_removal(&self, path: &Path) -> Option<FileReceipt> {
        let (backups, now) = self.log_of(path)?;
        backups.connected().or_else(|| backups.series(now.as_deref())).cloned()
    }

    /// The receipts of all files that Plimsoll's last write gave entries, wherever they are.
    pub fn receipts(&self) -> Vec<FileReceipt> {
        Backups::targets(&self.backups).iter().filter_map(|target| self.receipt(target)).collect()
    }

    /// The folders with copies of a file whose log can't be read: what it was before Plimsoll's first write may be nowhere else.
    pub fn copies_without_log(&self) -> Vec<PathBuf> {
        Backups::without_log(&self.backups)
    }

    /// What `folder`, which is gone, is called now: a folder beside it that isn't one of `others` and has a file that Plimsoll wrote
    /// there.
    pub fn renamed_folder(&self, folder: &Path, others: &[PathBuf]) -> Option<PathBuf> {
        const LOOKED_AT: usize = 2_000;
        let written = Backups::written_below(&self.backups, folder);
        if written.is_empty() {
            return None;
        }
        let entries = std::fs::read_dir(folder.parent()?).ok()?.flatten().take(LOOKED_AT);
        let mut beside: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        beside.retain(|other| other.is_dir() && !others.contains(other));
        beside.sort();
        let has_one =
            |other: &PathBuf| written.iter().any(|(below, write)| was_left_by(&other.join(below), write));
        beside.into_iter().find(has_one)
    }

    /// Removes the folders that were made for files which aren't there, such as by a process that was killed before it wrote one.
    /// Only empty ones go.
    pub fn remove_abandoned_folders(&self) {
        for target in Backups::targets(&self.backups) {
            // Another process may be between a folder and its file.
            let Ok(_lock) = self.lock(&target) else { continue };
            if let Some((backups, None)) = self.log_of(&target) {
                remove_empty(backups.abandoned_folders());
            }
        }
    }

    /// The file behind `path` as it was before Plimsoll's very first write there, however often it was repaired,
    /// disconnected or connected again since; `None` if no write is recorded.
    pub fn first_original(&self, path: &Path) -> Option<Original> {
        let (backups, _) = self.log_of(path)?;
        let first = backups.first()?;
        Some(Original { hash: first.hash_before.clone(), backup: first.backup.clone() })
    }

    /// The log of the file behind `path` without a write that never happened, and the file's hash now.
    fn log_of(&self, path: &Path) -> Option<(Backups, Option<String>)> {
        let seen = inspect(path).ok()?;
        let now = seen.bytes.as_deref().map(hash);
        let mut backups = Backups::open(&self.backups, &seen.target).ok()?;
        backups.reconcile(now.as_deref());
        Some((backups, now))
    }
}

/// How old a temporary file must be before somebody without the file's lock treats it as left behind.
const LEFT_BEHIND: Duration = Duration::from_secs(60);

/// Deletes the temporary files that a killed process left beside the file behind `path`.
pub fn clean_leftovers(path: &Path) {
    if let Ok(seen) = inspect(path) {
        replace::clean_leftovers(&seen.target, LEFT_BEHIND);
    }
}

/// Applies a plan. `now_ms` (milliseconds since 1970) goes into the receipt.
///
/// # Errors
/// [`ApplyError`]; unless that is [`ApplyError::Torn`], the file is as it was.
pub fn apply(plan: &FilePlan, store: &Store, now_ms: i64) -> Result<FileReceipt, ApplyError> {
    if let Some(refusal) = &plan.refusal {
        return Err(ApplyError::Refused { path: plan.path.clone(), refusal: refusal.clone() });
    }
    let _lock = store.lock(&plan.target)?;
    let backup = |source| ApplyError::Backup { path: plan.path.clone(), source };
    let mut backups = Backups::open(&store.backups, &plan.target).map_err(backup)?;
    let now = plan.before.as_deref().map(hash);
    backups.reconcile(now.as_deref());
    replace::clean_leftovers(&plan.target, Duration::ZERO);
    if plan.change == Change::Unchanged {
        return Ok(unchanged_receipt(plan, backups.connected(), now, now_ms));
    }
    check_unchanged(plan)?;
    let copy = plan.before.as_deref().map(|bytes| backups.keep(bytes)).transpose().map_err(backup)?;
    let mut receipt = receipt(plan, &backups, now, copy, now_ms);
    if plan.change == Change::Create {
        receipt.created_folders = created_folders(plan, store, backups.abandoned_folders());
    }
    if let Some(outermost) = plan.creates_folders.first().filter(|_| !plan.allow_folders) {
        return Err(ApplyError::MissingFolder { path: plan.path.clone(), folder: outermost.clone() });
    }
    // Recorded before the first folder is made, so that a process that is killed here leaves none that nobody knows of.
    backups.record(receipt.clone()).map_err(backup)?;
    if let Err(failure) = make_folders(plan).and_then(|()| write(plan)) {
        let failure = match (failure, &receipt.backup) {
            (Failure::Torn(source), Some(backup)) => {
                return Err(ApplyError::Torn { path: plan.path.clone(), backup: backup.clone(), source });
            }
            (failure, _) => failure,
        };
        // The record announced a write that didn't happen.
        let _ = backups.forget_last();
        if plan.change == Change::Create {
            remove_empty(&receipt.created_folders);
        }
        return Err(match failure {
            Failure::Changed => ApplyError::Changed { path: plan.path.clone() },
            Failure::Io(source) | Failure::Torn(source) => ApplyError::Io { path: plan.path.clone(), source },
        });
    }
    if plan.change == Change::Delete {
        remove_empty(&plan.folders);
    }
    Ok(receipt)
}

/// Removes folders, outermost first in the list, that are empty: anything that someone else put there stays.
fn remove_empty(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        let _ = std::fs::remove_dir(folder);
    }
}

/// Checks that the path still points to the same file with the same bytes.
fn check_unchanged(plan: &FilePlan) -> Result<(), ApplyError> {
    let seen =
        inspect(&plan.path).map_err(|refusal| ApplyError::Refused { path: plan.path.clone(), refusal })?;
    if seen.target != plan.target || seen.bytes != plan.before {
        return Err(ApplyError::Changed { path: plan.path.clone() });
    }
    Ok(())
}

fn make_folders(plan: &FilePlan) -> Result<(), Failure> {
    match plan.creates_folders.last() {
        Some(innermost) => private_folder(innermost).map_err(Failure::Io),
        None => Ok(()),
    }
}

fn write(plan: &FilePlan) -> Result<(), Failure> {
    match (plan.change, &plan.before) {
        (Change::Create, _) => replace::create(&plan.target, &plan.after, None),
        (Change::Modify, Some(before)) => replace::replace(&plan.target, before, &plan.after),
        (Change::Delete, Some(before)) => replace::delete(&plan.target, before),
        _ => Ok(()),
    }
}

/// The folders that a new file is the reason for, outermost first: those created for it, now or before a process was killed
/// (`abandoned`), and those that were created for Plimsoll's other files. Whichever of these files goes last takes the folders
/// along.
fn created_folders(plan: &FilePlan, store: &Store, abandoned: &[PathBuf]) -> Vec<PathBuf> {
    let mut others = Backups::created_folders(&store.backups);
    others.extend(abandoned.iter().cloned());
    let mut folders: Vec<PathBuf> = plan
        .target
        .ancestors()
        .skip(1)
        .filter(|folder| {
            others.contains(*folder) || plan.creates_folders.iter().any(|made| made.as_path() == *folder)
        })
        .map(Path::to_path_buf)
        .collect();
    folders.reverse();
    folders
}

/// A write's receipt. It carries on what earlier writes created for as long as Plimsoll's entries are there; and from a write
/// of other entries, such as another agent's, for as long as nobody else wrote.
fn receipt(
    plan: &FilePlan,
    backups: &Backups,
    now: Option<String>,
    copy: Option<PathBuf>,
    now_ms: i64,
) -> FileReceipt {
    let connected = backups.connected().filter(|_| plan.had_ours && !plan.removal);
    let unbroken = backups.series(now.as_deref());
    let last = connected.or(unbroken);
    let joins = unbroken.is_some() && connected.is_none() && !plan.removal;
    let hash_after = (plan.change != Change::Delete).then(|| hash(&plan.after));
    // Nobody else wrote since the original, so what a removal leaves is another agent's entry.
    let leaves = plan.removal
        && unbroken.is_some_and(|last| last.original.hash != hash_after)
        && backups.wrote_more_than(&plan.entries);
    let here = Original { hash: now.clone(), backup: copy.clone() };
    let mut trace = plan.trace.clone();
    if let Some(last) = last {
        trace.absorb(&last.trace);
    }
    FileReceipt {
        path: plan.path.clone(),
        target: plan.target.clone(),
        at_ms: now_ms,
        hash_before: now,
        hash_after,
        backup: copy,
        original: unbroken.map_or(here, |last| last.original.clone()),
        shared: joins || leaves || last.is_some_and(|last| last.shared),
        written: true,
        removal: plan.removal,
        created_file: plan.change == Change::Create || last.is_some_and(|last| last.created_file),
        created_folders: last.map(|last| last.created_folders.clone()).unwrap_or_default(),
        mode: replace::mode_of(&plan.target),
        trace,
        entries: plan.entries.clone(),
    }
}

/// The receipt of a plan without changes: the last one, if known, so that an undo still works.
fn unchanged_receipt(
    plan: &FilePlan,
    last: Option<&FileReceipt>,
    now: Option<String>,
    now_ms: i64,
) -> FileReceipt {
    let here = Original { hash: now.clone(), backup: None };
    let known = last.filter(|_| !plan.removal);
    FileReceipt {
        path: plan.path.clone(),
        target: plan.target.clone(),
        at_ms: now_ms,
        hash_before: now.clone(),
        hash_after: now.clone(),
        backup: None,
        original: known.filter(|last| last.hash_after == now).map_or(here, |last| last.original.clone()),
        shared: known.is_some_and(|last| last.shared),
        written: false,
        removal: plan.removal,
        created_file: known.is_some_and(|last| last.created_file),
        created_folders: known.map(|last| last.created_folders.clone()).unwrap_or_default(),
        mode: replace::mode_of(&plan.target),
        trace: known.map(|last| last.trace.clone()).unwrap_or_default(),
        entries: plan.entries.clone(),
    }
}
