//! Undoes the writes of a change whose later file failed: whole files, newest first, and only if no one wrote since. For a
//! file that changed meanwhile, the caller plans a removal instead.

use crate::apply::Store;
use crate::backup::{Backups, hash};
use crate::messages;
use crate::receipt::FileReceipt;
use crate::replace::{self, Failure};
use contract::Sentence;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

/// One file's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rollback {
    /// The receipt's path.
    pub path: PathBuf,
    /// The outcome.
    pub outcome: RollbackOutcome,
}

/// One file's outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RollbackOutcome {
    /// The file is byte for byte what it was before the write.
    Restored,
    /// The receipt's plan wrote nothing.
    NothingToDo,
    /// Someone wrote since; the file was left alone.
    ChangedSince,
    /// The file couldn't be restored; the text says why.
    Failed(Sentence),
}

/// Undoes these receipts' writes, last first. A failure doesn't stop the others.
pub fn rollback(receipts: &[FileReceipt], store: &Store) -> Vec<Rollback> {
    receipts
        .iter()
        .rev()
        .map(|receipt| Rollback { path: receipt.path.clone(), outcome: one(receipt, store) })
        .collect()
}

fn one(receipt: &FileReceipt, store: &Store) -> RollbackOutcome {
    if !receipt.written {
        return RollbackOutcome::NothingToDo;
    }
    let _lock = match store.lock(&receipt.target) {
        Ok(lock) => lock,
        Err(error) => return RollbackOutcome::Failed(error.message()),
    };
    match restore(receipt, store) {
        Ok(()) => RollbackOutcome::Restored,
        Err(Failure::Changed) => RollbackOutcome::ChangedSince,
        Err(Failure::Io(error)) => RollbackOutcome::Failed(error.to_string().into()),
        Err(Failure::Torn(error)) => {
            let copy = receipt.backup.as_deref().unwrap_or(&receipt.target);
            RollbackOutcome::Failed(messages::torn(&receipt.path, Sentence::from(error.to_string()), copy))
        }
    }
}

fn restore(receipt: &FileReceipt, store: &Store) -> Result<(), Failure> {
    let now = match fs::read(&receipt.target) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    if now.as_deref().map(hash) != receipt.hash_after {
        return Err(Failure::Changed);
    }
    let old = match &receipt.backup {
        None => None,
        Some(backup) => {
            let bytes = fs::read(backup)?;
            if Some(hash(&bytes)) != receipt.hash_before {
                return Err(Failure::Io(io::Error::other("the backup is damaged")));
            }
            Some(bytes)
        }
    };
    match (now, old) {
        (Some(now), Some(old)) => replace::replace(&receipt.target, &now, &old)?,
        (Some(now), None) => {
            replace::delete(&receipt.target, &now)?;
            for folder in receipt.created_folders.iter().rev() {
                let _ = fs::remove_dir(folder);
            }
        }
        (None, Some(old)) => {
            if let Some(folder) = receipt.target.parent() {
                replace::private_folder(folder)?;
            }
            replace::create(&receipt.target, &old, receipt.mode)?;
        }
        (None, None) => {}
    }
    let mut backups = Backups::open(&store.backups, &receipt.target)?;
    if backups.ends_with(receipt) {
        backups.forget_last()?;
    }
    Ok(())
}
