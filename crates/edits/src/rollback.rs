//! Taking back the writes of one change whose later file failed: whole files, newest first, and only where
//! nobody wrote since. For a file that changed meanwhile the caller plans a removal instead.

use crate::apply::Store;
use crate::backup::{Backups, hash};
use crate::receipt::FileReceipt;
use crate::replace::{self, Failure};
use contract::Sentence;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rollback {
    /// The path of the receipt.
    pub path: PathBuf,
    /// The outcome.
    pub outcome: RolledBack,
}

/// The outcome for one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RolledBack {
    /// The file is, byte for byte, what it was before the write.
    Restored,
    /// The receipt is of a plan that wrote nothing.
    NothingToDo,
    /// Somebody wrote since; the file was left alone.
    ChangedSince,
    /// The file could not be restored; the text says why.
    Failed(Sentence),
}

/// Takes back the writes of these receipts, the last first. One that fails does not stop the others.
pub fn rollback(receipts: &[FileReceipt], store: &Store) -> Vec<Rollback> {
    receipts
        .iter()
        .rev()
        .map(|receipt| Rollback { path: receipt.path.clone(), outcome: one(receipt, store) })
        .collect()
}

fn one(receipt: &FileReceipt, store: &Store) -> RolledBack {
    if !receipt.written {
        return RolledBack::NothingToDo;
    }
    let _lock = match store.lock(&receipt.target) {
        Ok(lock) => lock,
        Err(error) => return RolledBack::Failed(error.message()),
    };
    match restore(receipt, store) {
        Ok(()) => RolledBack::Restored,
        Err(Failure::Changed) => RolledBack::ChangedSince,
        Err(Failure::Io(error)) => RolledBack::Failed(error.to_string().into()),
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
