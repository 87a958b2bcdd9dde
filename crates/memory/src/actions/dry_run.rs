//! Previews an action by running it on a throwaway copy of the data that it writes, so a preview never differs from the
//! real run. Knows no action.

use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    let dir = home::private_temp_dir(PREFIX).map_err(|error| no_copy(&error))?;
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

/// How the name of a copy's folder begins. Only the user can open one: the copy has all memories.
const PREFIX: &str = "plimsoll-preview-";

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
