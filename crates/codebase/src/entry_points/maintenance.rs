//! Doctor, purge and retention for the indexes, which can always be built again.

use std::path::{Path, PathBuf};

use code::{CodebaseError, Store};
use contract::{Check, Error, ErrorCode, Health, Sentence};
use home::{Home, Project, Retention};
use system::{DataScope, Database, Host, Purge, PurgedData, Removed};

use crate::index::location::{all, remove, with_companions};
use crate::index::{IndexLocation, worker_progress};
use crate::messages;

/// The indexes.
pub(crate) fn databases(home: &Home) -> Vec<Database> {
    let index = |path| Database { name: messages::index(), path, newest: code::NEWEST };
    all(home).into_iter().map(index).collect()
}

/// Doctor's check of the project's index.
pub(crate) fn check(host: &dyn Host) -> Vec<Check> {
    if !host.has_project() {
        return Vec::new();
    }
    let place = IndexLocation::new(host.home(), &host.project());
    let (health, detail) = match state(&place) {
        Ok(detail) => (Health::Ok, detail),
        Err(error) => (Health::Fail, error.to_string().into()),
    };
    vec![Check { health, name: messages::index(), detail }]
}

fn state(place: &IndexLocation) -> Result<Sentence, CodebaseError> {
    let Some(store) = Store::open_read_only(&place.db)? else { return Ok(messages::nothing_yet()) };
    if let Some((done, total)) = worker_progress(place) {
        return Ok(messages::working(done, total));
    }
    let stats = store.stats()?;
    let by_lines = store
        .languages()?
        .iter()
        .filter(|(_, parsed, _)| !parsed.is_by_symbols())
        .map(|(.., n)| n)
        .sum::<u64>();
    Ok(messages::indexed(stats.files, stats.symbols, by_lines))
}

/// The purge of indexes.
pub(crate) const FORGET: Purge = Purge { preview, delete: forget };

fn preview(home: &Home, which: &DataScope) -> Result<Vec<PurgedData>, Error> {
    Ok(gone(&selected_databases(home, which)))
}

fn forget(home: &Home, which: &DataScope) -> Result<Vec<PurgedData>, Error> {
    let meant = selected_databases(home, which);
    let gone = gone(&meant);
    for db in &meant {
        // A process that has it open continues; its next query finds it removed.
        let done = remove_index(db);
        done.map_err(|error| Error::new(ErrorCode::Storage, format!("{}: {error}", db.display())))?;
    }
    Ok(gone)
}

fn gone(meant: &[PathBuf]) -> Vec<PurgedData> {
    let bytes = meant
        .iter()
        .flat_map(|db| with_companions(db))
        .filter_map(|path| Some(path.metadata().ok()?.len()))
        .sum();
    vec![PurgedData {
        what: "code_indexes",
        one: "code index",
        number: meant.len() as u64,
        bytes: Some(("code_bytes", bytes)),
    }]
}

/// Removes an index with the files of checkers and language servers beside it.
fn remove_index(db: &Path) -> std::io::Result<()> {
    crate::diagnose::results::forget(db)?;
    crate::servers::forget(db)?;
    remove(db)
}

/// Nothing in an index belongs to a session.
fn selected_databases(home: &Home, which: &DataScope) -> Vec<PathBuf> {
    match which {
        DataScope::All => all(home),
        DataScope::Session(_) => Vec::new(),
        DataScope::Project(root) => {
            let own = Project::at(root).map(|project| IndexLocation::new(home, &project).db);
            own.into_iter().filter(|db| db.is_file()).collect()
        }
    }
}

/// Removes the indexes of deleted folders, such as worktrees and temporary clones.
pub(crate) fn retain(home: &Home, _: &Retention, _: i64) -> Vec<Removed> {
    crate::hints::forget_old(home);
    let mut number = 0;
    for db in all(home) {
        let root =
            Store::open_read_only(&db).ok().flatten().and_then(|store| store.fact("root").ok().flatten());
        // A folder on an unmounted disk isn't deleted: its parent must exist.
        let is_gone = root.is_some_and(|root| {
            let root = Path::new(&root);
            !root.exists() && root.parent().is_some_and(Path::is_dir)
        });
        if is_gone {
            match remove_index(&db) {
                Ok(()) => number += 1,
                Err(error) => log::warn!("{} stays for now: {error}", db.display()),
            }
        }
    }
    if number == 0 { Vec::new() } else { vec![Removed { what: "code_indexes", number }] }
}
