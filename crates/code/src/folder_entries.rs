//! Tells whether a folder whose time changed still has the same entries. Editors save by replacing a file, which changes the
//! folder's time and nothing else; that shouldn't cause a walk over the whole project.

use std::collections::HashSet;
use std::path::Path;

use rusqlite::{Connection, params};

use crate::stamp::{self, Stamp};
use crate::walk::{self, IGNORE_FILES};

/// The folder's current time, if its entries are exactly those of the index.
/// Contents are not compared, nor whether an ignore file says something else: both have times of their own.
pub(crate) fn same_entries(
    db: &Connection,
    root: &Path,
    folder: &str,
    deny_read: &dyn Fn(&Path) -> bool,
) -> rusqlite::Result<Option<Stamp>> {
    // Before its entries are read: an entry that is added meanwhile changes the time.
    let Some(stamp) = stamp::stamp(&root.join(folder), folder) else { return Ok(None) };
    let files = paths_in(db, "files", folder)?;
    let watched = paths_in(db, "watched", folder)?;
    let is_watched = |path: &str| -> rusqlite::Result<bool> {
        db.prepare_cached("SELECT 1 FROM watched WHERE path = ?1")?.exists([path])
    };
    if !is_watched(folder)? {
        return Ok(None);
    }
    // A new ignore file has no earlier time to compare with; nor has a folder that became a repository.
    if folder.is_empty() {
        for file in walk::ignore_files_above(root).into_iter().filter(|file| file.exists()) {
            if !is_watched(&file.to_string_lossy())? {
                return Ok(None);
            }
        }
    } else if root.join(folder).join(".git").exists() {
        return Ok(None);
    }
    let came = |name: &&str| {
        let path = walk::path_in(folder, name);
        root.join(&path).exists() && !watched.contains(&path)
    };
    if IGNORE_FILES.iter().any(came) {
        return Ok(None);
    }
    let Some(entries) = walk::entries(root, folder, deny_read) else { return Ok(None) };
    let known = |entry: &walk::Entry| {
        if entry.folder { watched.contains(&entry.path) } else { files.contains(&entry.path) }
    };
    // Files that aren't text are watched like ignore files and aren't in the index.
    let odd = |entry: &walk::Entry| !entry.folder && watched.contains(&entry.path);
    if !entries.iter().all(|entry| known(entry) || odd(entry)) {
        return Ok(None);
    }
    let there = entries.iter().filter(|entry| !entry.folder && files.contains(&entry.path)).count();
    let gone = |path: &String| stamp::stamp(&root.join(path), path).is_none();
    Ok((there == files.len() && !watched.iter().any(gone)).then_some(stamp))
}

/// The paths of a table directly in a folder.
fn paths_in(db: &Connection, table: &str, folder: &str) -> rusqlite::Result<HashSet<String>> {
    let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    // Everything that begins with it and has no further folders; `0` is the character after `/`.
    let end = if folder.is_empty() { "\u{10ffff}".to_owned() } else { format!("{folder}0") };
    let sql = format!(
        "SELECT path FROM {table} WHERE path > ?1 AND path < ?2 AND instr(substr(path, ?3), '/') = 0"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let from = i64::try_from(start.chars().count()).unwrap_or(i64::MAX).saturating_add(1);
    statement.query_map(params![start, end, from], |r| r.get(0))?.collect()
}
