//! Stores which file imports which, the names of the project's crates and their dependencies, by resolving the
//! imports among the files of the index. A new or removed file may change what any import means, so then all imports
//! are resolved again; otherwise only those of the changed files.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use rusqlite::{OptionalExtension as _, Transaction, params};

use crate::mention_edges::MentionEdges;
use crate::resolve::Resolver;
use crate::schema::FileRow;
use crate::write::put_fact;

/// The fact that names the project's own crates.
pub(crate) const CRATES: &str = "crates";
/// The fact that names the crates that manifests name as dependencies; without a manifest there is none.
pub(crate) const NEEDED_CRATES: &str = "needed_crates";

/// Writes the edges of all files, or of those that are named.
pub(crate) fn rebuild(tx: &Transaction<'_>, root: &Path, only: Option<&[String]>) -> rusqlite::Result<()> {
    let mut files: Vec<FileRow> = Vec::new();
    {
        let mut statement =
            tx.prepare_cached("SELECT id, path, coalesce(language, '') FROM files ORDER BY path")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            files.push((row.get(0)?, row.get(1)?, row.get(2)?));
        }
    }
    let read = |path: &str| home::read_regular_text(&root.join(path), 1024 * 1024).ok();
    let mentions = MentionEdges::read(tx, &files)?;
    let namespaces = mentions.as_ref().map(MentionEdges::namespaces_of_php).unwrap_or_default();
    let named = files.iter().map(|(_, path, language)| (path.as_str(), language.as_str()));
    let resolver = Resolver::new(named, &read).with_namespaces(namespaces);
    // Counts of libraries leave these out.
    put_fact(tx, CRATES, &resolver.own_crates().collect::<Vec<_>>().join(" "))?;
    match resolver.needed_crates() {
        Some(needed) => {
            put_fact(tx, NEEDED_CRATES, &needed.iter().map(String::as_str).collect::<Vec<_>>().join(" "))?;
        }
        None => {
            tx.execute("DELETE FROM facts WHERE name = ?1", [NEEDED_CRATES])?;
        }
    }
    let place: HashMap<&str, usize> = files.iter().enumerate().map(|(i, f)| (f.1.as_str(), i)).collect();
    let wanted: Vec<usize> = match only {
        None => {
            tx.execute("DELETE FROM edges", [])?;
            (0..files.len()).collect()
        }
        Some(paths) => paths.iter().filter_map(|path| place.get(path.as_str()).copied()).collect(),
    };
    let mut imports =
        tx.prepare_cached("SELECT target, names, line FROM imports WHERE file = ?1 ORDER BY id")?;
    let mut put =
        tx.prepare_cached("INSERT OR IGNORE INTO edges(importer, imported, line) VALUES(?1, ?2, ?3)")?;
    let mut found = Vec::new();
    let mut mentioned = tx.prepare_cached("SELECT names FROM mentions WHERE file = ?1")?;
    let (mut targets, mut bound) = (Vec::new(), HashSet::new());
    for at in wanted {
        targets.clear();
        bound.clear();
        let mut rows = imports.query([files[at].0])?;
        while let Some(row) = rows.next()? {
            found.clear();
            let names: Vec<&str> =
                row.get_ref(1)?.as_str().unwrap_or_default().split(',').filter(|n| !n.is_empty()).collect();
            resolver.resolve(at, row.get_ref(0)?.as_str().unwrap_or_default(), &names, &mut found);
            if let Some(mentions) = mentions.as_ref().filter(|_| found.is_empty()) {
                let target = row.get_ref(0)?.as_str().unwrap_or_default();
                found.extend(mentions.of_import(tx, at, target)?);
            }
            let line: i64 = row.get(2)?;
            for to in found.iter().copied().filter(|to| *to != at) {
                put.execute(params![files[at].0, files[to].0, line])?;
            }
            if mentions.is_some() {
                targets.push(row.get(0)?);
                bound.extend(names.into_iter().map(str::to_owned));
            }
        }
        let Some(mentions) = &mentions else { continue };
        let names: Option<String> = mentioned.query_row([files[at].0], |r| r.get(0)).optional()?;
        for (to, line) in mentions.of(at, &names.unwrap_or_default(), &targets, &bound) {
            put.execute(params![files[at].0, files[to].0, line])?;
        }
    }
    Ok(())
}
