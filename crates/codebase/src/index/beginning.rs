//! Begins the first index of a worktree with that of another checkout of its repository. Every file is looked at all the same, but
//! only what differs is parsed.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use code::Store;
use home::Project;

use super::IndexLocation;
use super::git::other_checkouts;
use super::location::remove;

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
    // SQLite fills an empty file; one that it makes could be read by others.
    let made = home::open_to_append(&beginning).map(drop);
    let copied = made.map_err(|error| format!("{}: {error}", beginning.display()));
    let copied = copied.and_then(|()| store.copy_to(&beginning).map_err(|error| error.to_string()));
    let copied = copied.and_then(|()| {
        std::fs::rename(&beginning, &place.db).map_err(|error| format!("{}: {error}", beginning.display()))
    });
    if copied.is_err() {
        let _ = std::fs::remove_file(&beginning);
    }
    copied.map(|()| true)
}

#[cfg(test)]
mod tests {
    use home::{Env, Home};

    use super::*;

    /// A repository with a worktree, and another repository where a second worktree was.
    fn checkouts(dir: &Path) -> [PathBuf; 3] {
        let [main, work, foreign] = ["main", "work", "foreign"].map(|name| dir.join(name));
        for (name, root) in [("work", &work), ("foreign", &foreign)] {
            let own = main.join(".git").join("worktrees").join(name);
            std::fs::create_dir_all(&own).unwrap();
            std::fs::write(own.join("commondir"), "../..\n").unwrap();
            std::fs::write(own.join("gitdir"), format!("{}\n", root.join(".git").display())).unwrap();
            std::fs::create_dir_all(root).unwrap();
        }
        let own = main.join(".git").join("worktrees").join("work");
        std::fs::write(work.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
        std::fs::create_dir_all(foreign.join(".git")).unwrap();
        [main, work, foreign]
    }

    fn place(home: &Home, root: &Path) -> IndexLocation {
        let place = IndexLocation::new(home, &Project::at(root).unwrap());
        std::fs::create_dir_all(place.db.parent().unwrap()).unwrap();
        place
    }

    fn index(place: &IndexLocation) {
        let mut store = Store::open(&place.db).unwrap();
        code::update(&mut store, &place.root, &code::Options::default()).unwrap();
    }

    #[test]
    fn only_the_same_repositorys_index_is_copied_and_it_stays_private() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = dunce::canonicalize(temporary.path()).unwrap();
        let home = Home::resolve(&Env::for_test(&dir)).unwrap();
        let [main, work, foreign] = checkouts(&dir);
        std::fs::write(main.join("own.rs"), "pub fn own() {}\n").unwrap();
        std::fs::write(foreign.join("foreign.rs"), "pub fn foreign() {}\n").unwrap();
        let own = place(&home, &work);
        index(&place(&home, &foreign));
        begin(&own);
        assert!(!own.db.exists());
        index(&place(&home, &main));
        begin(&own);
        let files = Store::open(&own.db).unwrap().file_records().unwrap();
        assert_eq!(files.into_keys().collect::<Vec<_>>(), ["own.rs"]);
        assert!(!own.beginning().exists());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::metadata(&own.db).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}
