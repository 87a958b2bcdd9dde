//! Previews an action by running it on a throwaway copy of the data that it writes, so a preview never differs from the
//! real run. Knows no action.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::context::ActionContext;
use super::failure::Failure;
use super::shared_folder::{FOLDER as SHARED_FOLDER, list_files as list_shared_files};
use crate::store::{NEWEST, StoreError};

/// Which files beside the database an action may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    /// None; it may read the project's.
    Database,
    /// The memories that the repository has, also those that `memory.share` adds.
    SharedFiles,
}

impl Writes {
    /// What an action may write that stores a new memory.
    pub fn of_new(context: &ActionContext) -> Self {
        if context.shares.is_empty() { Self::Database } else { Self::SharedFiles }
    }
}

/// Runs an action, or previews it: then the reply is the action's own, with `dry_run`, and database, files and the team's
/// server stay as they are.
///
/// # Errors
/// The action's own, and if there is no room for the copy.
pub fn previewed(
    context: &ActionContext,
    dry_run: bool,
    writes: Writes,
    action: impl FnOnce(&ActionContext) -> super::Reply,
) -> super::Reply {
    if !dry_run {
        return action(context);
    }
    let dir = private_folder().map_err(|error| no_copy(&error))?;
    let database = dir.path().join("memory.db");
    if let Some(db) = home::open_db_read_only(&context.database, NEWEST).map_err(StoreError::from)? {
        db.backup("main", &database, None::<fn(rusqlite::backup::Progress)>)
            .map_err(|error| no_copy(&error))?;
    }
    let root = match (&context.root, writes) {
        (Some(root), Writes::SharedFiles) => {
            Some(copy_of_shared(root, dir.path()).map_err(|error| no_copy(&error))?)
        }
        (root, _) => root.clone(),
    };
    // The project's own files are within reach of an action that has no copy of them.
    let shares = if writes == Writes::SharedFiles { context.shares.clone() } else { Vec::new() };
    let copied = ActionContext {
        database,
        root,
        shares,
        org_server: None,
        embedder: None,
        model: None,
        wrote: Arc::default(),
        ..context.clone()
    };
    let mut out = action(&copied)?;
    if out.get("status").is_none() {
        out["status"] = "preview".into();
    }
    out["dry_run"] = Value::Bool(true);
    Ok(out)
}

/// How the name of a copy's folder begins.
const PREFIX: &str = "plimsoll-preview-";
/// No preview takes that long: a copy that is older was left by a process that was killed.
const LEFT_BEHIND: Duration = Duration::from_secs(3_600);

/// A new folder that only the user can open: the copy has all memories. If the process is killed, it stays there until the
/// next preview, so that what is removed for good isn't in it for ever.
fn private_folder() -> std::io::Result<tempfile::TempDir> {
    remove_left_behind(&std::env::temp_dir(), SystemTime::now());
    let mut made = tempfile::Builder::new();
    made.prefix(PREFIX);
    #[cfg(unix)]
    made.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    made.tempdir()
}

/// Removes copies that killed processes left. Those of others can't be removed.
fn remove_left_behind(folder: &Path, now: SystemTime) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_copy = entry.file_name().to_string_lossy().starts_with(PREFIX);
        // A link isn't followed.
        let Some(meta) = is_copy.then(|| entry.metadata().ok()).flatten() else { continue };
        let age = meta.modified().ok().and_then(|at| now.duration_since(at).ok());
        if meta.is_dir() && age.is_some_and(|age| age > LEFT_BEHIND) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn no_copy(error: &dyn std::error::Error) -> Failure {
    Failure::unusable(format!(
        "a dry run works on a copy, and none could be made: {error}; nothing was changed"
    ))
}

/// A folder with copies of the memories that a repository has.
fn copy_of_shared(root: &Path, within: &Path) -> std::io::Result<PathBuf> {
    let copy = dunce::canonicalize(within)?.join("project");
    std::fs::create_dir_all(&copy)?;
    // Only in a repository memories are shared automatically.
    if root.join(".git").exists() {
        std::fs::create_dir(copy.join(".git"))?;
    }
    std::fs::create_dir_all(copy.join(SHARED_FOLDER))?;
    for file in list_shared_files(root, usize::MAX) {
        if let Some(name) = file.file_name()
            && std::fs::symlink_metadata(&file)?.is_file()
        {
            std::fs::copy(&file, copy.join(SHARED_FOLDER).join(name))?;
        }
    }
    Ok(copy)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn only_the_user_can_open_the_copy() {
        let dir = private_folder().unwrap();
        let mode = std::fs::metadata(dir.path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn the_next_preview_removes_a_killed_processes_copies() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["plimsoll-preview-a", "plimsoll-b"] {
            std::fs::create_dir(dir.path().join(name)).unwrap();
            std::fs::write(dir.path().join(name).join("memory.db"), "x").unwrap();
        }
        std::os::unix::fs::symlink(dir.path().join("plimsoll-b"), dir.path().join("plimsoll-preview-link"))
            .unwrap();
        let names = || {
            let all = std::fs::read_dir(dir.path()).unwrap().flatten();
            let mut all: Vec<String> =
                all.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            all.sort();
            all
        };
        remove_left_behind(dir.path(), SystemTime::now());
        assert_eq!(names().len(), 3, "one that is in use stays");
        remove_left_behind(dir.path(), SystemTime::now() + LEFT_BEHIND * 2);
        assert_eq!(names(), ["plimsoll-b", "plimsoll-preview-link"]);
        assert!(dir.path().join("plimsoll-b/memory.db").exists());
    }
}
