//! The checks of what is stored: Plimsoll's folder, its disk and its databases. Repairs nothing.

use std::path::Path;

use contract::{Amount, Check, Health, LowerError as _, Sentence};
use home::{Env, Home};
use system::Database;

use super::{check, messages};
use crate::setup::tilde_path;

/// Warn below this much free disk space, in bytes.
const LOW_SPACE_BYTES: u64 = 500 * 1024 * 1024;

/// Plimsoll's folder and its disk.
pub(super) fn folder(home: &Home, env: &Env) -> Vec<Check> {
    let root = home.root();
    let name = tilde_path(root, env);
    let mut checks = Vec::new();
    if let Err(error) = home.check_usable_for_edits() {
        checks.push(check(Health::Fail, messages::storage(), error.message()));
    } else if root.exists() {
        // A file without a name, or with a temporary one; nothing stays behind.
        checks.push(match tempfile::Builder::new().prefix(".plimsoll-").tempfile_in(root) {
            Ok(_) => check(
                Health::Ok,
                messages::storage(),
                messages::folder_has(name, Amount::bytes(bytes_below(root))),
            ),
            Err(error) => check(
                Health::Fail,
                messages::storage(),
                messages::folder_not_writable(name, Sentence::from(error.to_string())),
            ),
        });
    } else {
        // Where it would be made. The file has no name, so nobody sees it.
        let above = root.ancestors().skip(1).find(|folder| folder.exists());
        checks.push(match above.map(|folder| (folder, tempfile::tempfile_in(folder))) {
            Some((folder, Err(error))) => check(
                Health::Fail,
                messages::storage(),
                messages::folder_not_writable(tilde_path(folder, env), Sentence::from(error.to_string())),
            ),
            _ => check(Health::Ok, messages::storage(), messages::no_folder_yet(name)),
        });
    }
    checks.extend(disk(root));
    checks
}

/// Whether a database can be opened and is sound. A damaged one is marked, so that whoever opens it next salvages it: a statement
/// that doesn't touch the damage finds none.
pub(super) fn database(Database { name, path, newest }: Database) -> Check {
    let size = Amount::bytes(path.metadata().map_or(0, |meta| meta.len()));
    let db = match home::open_db_read_only(&path, newest) {
        Ok(Some(db)) => db,
        Ok(None) => return check(Health::Fail, name, "it is gone".into()),
        Err(error) => return check(Health::Fail, name, error.to_string().into()),
    };
    let looked = db.query_row("PRAGMA user_version", [], |row| row.get::<_, u32>(0)).and_then(|schema| {
        let sound = db.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))?;
        Ok((schema, sound))
    });
    let damage = match looked {
        Ok((schema, sound)) if sound == "ok" => {
            return check(Health::Ok, name, messages::sound(size, schema));
        }
        Ok((_, damage)) => damage,
        Err(error) if home::is_damage(&error) => error.to_string(),
        Err(error) => return check(Health::Fail, name, error.to_string().into()),
    };
    home::mark_damaged(&path);
    let damage = text::one_line(&damage).into_owned();
    check(Health::Fail, name, messages::damaged(&path, Sentence::from(damage)))
}

/// The size of everything below a folder; doesn't follow links.
fn bytes_below(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(meta) if meta.is_dir() => bytes_below(&entry.path()),
            Ok(meta) => meta.len(),
            Err(_) => 0,
        })
        .fold(0, u64::saturating_add)
}

#[cfg(unix)]
fn disk(root: &Path) -> Option<Check> {
    let there = root.ancestors().find(|folder| folder.exists())?;
    let space = rustix::fs::statvfs(there).ok()?;
    let free = space.f_bavail.saturating_mul(space.f_frsize);
    Some(if free < LOW_SPACE_BYTES {
        check(Health::Warn, messages::disk(), messages::little_free(Amount::bytes(free)))
    } else {
        check(Health::Ok, messages::disk(), messages::free(Amount::bytes(free)))
    })
}

// The standard library doesn't report free space here; on a full disk, the failing write does.
#[cfg(not(unix))]
fn disk(_root: &Path) -> Option<Check> {
    let _ = LOW_SPACE_BYTES;
    None
}
