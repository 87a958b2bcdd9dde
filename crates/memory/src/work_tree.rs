//! Recognises a project whose key changed: its remote was renamed, its folder moved, or a folder became a repository.
//!
//! A key is a remote or a path. A work tree is recognised by its folder instead: when the file system made it, and under
//! which number. So a fork, a clone or a copy is never taken for the repository that it comes from, whatever their
//! commits have in common. Where the file system tells no time of creation, nothing is recognised.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use home::Project;

use crate::domain::{former_keys, is_shared_project, project_key};
use crate::query::ProjectKeys;
use crate::store::{Result, SqliteStore};

/// A work tree as it is on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkTree {
    /// Its path.
    pub root: PathBuf,
    /// The project's key.
    pub key: String,
    /// The keys that earlier versions of Plimsoll gave the same remote.
    pub former: Vec<String>,
    /// Distinguishes its folder from another one at the same path.
    pub folder: String,
    /// The same of its repository; `None` without one of its own.
    pub git: Option<String>,
}

/// A work tree as it was when something was stored there last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenTree {
    /// Its path.
    pub root: PathBuf,
    /// The project's key.
    pub key: String,
    /// See [`WorkTree::folder`].
    pub folder: String,
    /// See [`WorkTree::git`].
    pub git: Option<String>,
}

/// Two keys of one project, or two that the user separated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPair {
    /// The keys.
    pub keys: [String; 2],
    /// Whether the user separated them.
    pub apart: bool,
    /// The [`WorkTree::folder`] that had both; empty for the user's own choice.
    pub folder: String,
}

impl KeyPair {
    /// Whether it's about these two.
    pub fn is_of(&self, one: &str, other: &str) -> bool {
        self.keys == [one, other] || self.keys == [other, one]
    }
}

impl WorkTree {
    /// The work tree of a project; `None` if the file system doesn't tell it from another one at its path.
    pub fn of(project: &Project) -> Option<Self> {
        let folder = mark(&std::fs::metadata(&project.root).ok()?)?;
        // The repository of a worktree or a submodule is elsewhere, and `.git` is a file that git writes again.
        let git = std::fs::symlink_metadata(project.root.join(".git")).ok().filter(Metadata::is_dir);
        Some(Self {
            root: project.root.clone(),
            key: project_key(project),
            former: former_keys(project),
            folder,
            git: git.as_ref().and_then(mark),
        })
    }

    /// Whether this is that work tree, wherever it is now. A folder may have become a repository, but the repository in it
    /// may not be another one.
    fn is_same(&self, seen: &SeenTree) -> bool {
        self.folder == seen.folder && (seen.git.is_none() || seen.git == self.git)
    }

    /// This work tree as it was under another key, from the records of its path and of its folder.
    pub fn predecessor<'a>(&self, seen: &'a [SeenTree]) -> Option<&'a SeenTree> {
        match seen.iter().find(|tree| tree.root == self.root && self.is_same(tree)) {
            Some(here) => Some(here).filter(|tree| tree.key != self.key),
            // It moved, if it's no longer where it was seen.
            None => {
                seen.iter().find(|tree| self.is_same(tree) && tree.key != self.key && !is_still_there(tree))
            }
        }
    }

    /// Whether this is exactly what was seen.
    pub fn is_recorded(&self, seen: &[SeenTree]) -> bool {
        seen.iter().any(|tree| {
            tree.root == self.root
                && (&tree.key, &tree.folder, &tree.git) == (&self.key, &self.folder, &self.git)
        })
    }
}

fn is_still_there(tree: &SeenTree) -> bool {
    // Where case is ignored, a renamed folder still answers to its old name.
    let has_path = dunce::canonicalize(&tree.root).is_ok_and(|real| real == tree.root);
    has_path
        && std::fs::metadata(&tree.root)
            .ok()
            .and_then(|meta| mark(&meta))
            .is_some_and(|mark| mark == tree.folder)
}

/// Distinguishes a folder from another one at its path: its creation time and, on Unix, its number, because folders
/// made within a few milliseconds may have the same time.
fn mark(meta: &Metadata) -> Option<String> {
    let made = meta.created().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(meta);
    #[cfg(not(unix))]
    let number = 0;
    Some(format!("{made}-{number}"))
}

/// The keys that are the same project as this one, for whoever is in this folder. A local key is a path, and another
/// folder may be there by now: only the folder that had it gets from it to others.
pub fn same_project(key: &str, folder: Option<&str>, pairs: &[KeyPair]) -> BTreeSet<String> {
    let mut found = BTreeSet::from([key.to_owned()]);
    let leads_on = |from: &str, pair: &KeyPair| {
        is_shared_project(from)
            || from == key && (pair.folder.is_empty() || folder == Some(pair.folder.as_str()))
    };
    loop {
        let more: Vec<String> = pairs
            .iter()
            .filter(|pair| !pair.apart)
            .flat_map(|pair| [(&pair.keys[0], &pair.keys[1], pair), (&pair.keys[1], &pair.keys[0], pair)])
            .filter(|(from, to, pair)| found.contains(*from) && !found.contains(*to) && leads_on(from, pair))
            .map(|(_, to, _)| to.clone())
            .collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// Every key of a project, of which the work tree at hand may tell more than was recorded.
pub fn all_keys(key: &str, tree: Option<&WorkTree>, seen: &[SeenTree], pairs: &[KeyPair]) -> ProjectKeys {
    let folder = tree.map(|tree| tree.folder.as_str());
    let mut found = same_project(key, folder, pairs);
    if let Some(tree) = tree.filter(|tree| tree.key == key) {
        let before = tree.predecessor(seen).map(|seen| &seen.key);
        for other in before.into_iter().chain(&tree.former) {
            if !pairs.iter().any(|pair| pair.apart && pair.is_of(key, other)) {
                found.extend(same_project(other, folder, pairs));
            }
        }
    }
    ProjectKeys::new(key, found.into_iter().collect())
}

/// The keys of a project in this store. A store that can't tell has no others.
pub(crate) fn keys_of(store: &SqliteStore, key: &str, tree: Option<&WorkTree>) -> ProjectKeys {
    let read = || -> Result<ProjectKeys> {
        let seen = tree.map_or(Ok(Vec::new()), |tree| store.seen_trees(tree))?;
        Ok(all_keys(key, tree, &seen, &store.key_pairs()?))
    };
    read().unwrap_or_else(|error| {
        log::info!("earlier keys of {key} are unknown: {error}");
        key.into()
    })
}

/// The same for the project at hand.
pub(crate) fn keys_here(store: &SqliteStore, project: &Project) -> ProjectKeys {
    keys_of(store, &project_key(project), WorkTree::of(project).as_ref())
}

/// The same from a database, which isn't created if there is none.
pub(crate) fn keys_in(database: &Path, key: &str, tree: Option<&WorkTree>) -> ProjectKeys {
    match SqliteStore::open_read_only(database) {
        Ok(Some(store)) => keys_of(&store, key, tree),
        // Without a database there are no earlier memories; of damage whoever reads them is told.
        Ok(None) | Err(_) => key.into(),
    }
}
