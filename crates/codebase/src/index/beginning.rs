//! Begins the first index of a worktree with that of another checkout of its repository. Every file is looked at all the same, but
//! only what differs is parsed.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use code::Store;
use home::Project;

use super::IndexLocation;
use super::git::other_checkouts;
use super::worker_process::remove;

/// Copies the newest whole index of another checkout, if there is one and none here. Without it, all files are parsed.
pub(super) fn begin(place: &IndexLocation) {
    if place.db.exists() {
        return;
    }
    let index = |root: &PathBuf| -> Option<(SystemTime, PathBuf)> {
        let db = IndexLocation::new(&place.home, &Project::at(root).ok()?).db;
        Some((std::fs::metadata(&db).ok()?.modified().ok()?, db))
    };
    let mut others: Vec<(SystemTime, PathBuf)> =
        other_checkouts(&place.root).iter().filter_map(index).collect();
    others.sort();
    for (_, db) in others.iter().rev() {
        match copy(db, place) {
            Ok(false) => {}
            Ok(true) => return,
            Err(error) => log::info!("{}: not begun with {}: {error}", place.db.display(), db.display()),
        }
    }
}

/// Copies an index, if it's whole and of this version.
fn copy(db: &Path, place: &IndexLocation) -> Result<bool, String> {
    let Some(store) = Store::open_read_only(db).map_err(|error| error.to_string())? else {
        return Ok(false);
    };
    if store.fact("complete").map_err(|error| error.to_string())?.as_deref() != Some("true") {
        return Ok(false);
    }
    // A log that was left would be written into the copy.
    remove(&place.db).map_err(|error| error.to_string())?;
    let beginning = place.beginning();
    let copied = store.copy_to(&beginning).map_err(|error| error.to_string());
    let copied = copied.and_then(|()| {
        std::fs::rename(&beginning, &place.db).map_err(|error| format!("{}: {error}", beginning.display()))
    });
    if copied.is_err() {
        let _ = std::fs::remove_file(&beginning);
    }
    copied.map(|()| true)
}
