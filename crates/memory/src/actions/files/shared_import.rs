//! Reads the memories that a team shares through its repository from the working tree.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use super::file_ids::FileIds;
use super::filed::{Filed, Files, MAX_FILES, REPOSITORY, imported_from_files, parse_file};
use super::import::HIDDEN;
use super::shared_files::{body_hash, folder, says, was_ever_its_text};
use super::shared_replaced::{Replacements, is_own_here, replace_own, replacements, restore_own};
use crate::actions::context::ActionContext;
use crate::actions::failure::Failure;
use crate::actions::shared_folder::{SharedRules, list_files, source_of};
use crate::domain::{LinkKind, Memory, Namespace, Status, Trust, hash};
use crate::store::{Actor, Change, Page, SqliteStore, Store};

/// The files of a project that there are, each by its source with what it says or why it isn't read. One that isn't read is
/// there all the same: its text from before still counts.
fn files(context: &ActionContext) -> impl Iterator<Item = (String, Result<Filed, String>)> + '_ {
    let names = context.root.as_deref().map(|root| list_files(root, usize::MAX)).unwrap_or_default();
    names.into_iter().enumerate().map(move |(number, path)| {
        let source = source_of(&path);
        let filed = if !context.may_read(&source) {
            Err(HIDDEN.to_owned())
        } else if number >= MAX_FILES {
            Err(format!("only the first {MAX_FILES} files are read"))
        } else {
            parse_file(context.project.as_deref(), context.who.at_ms, context.secrets, &path, &source)
        };
        (source, filed)
    })
}

/// Imports what the files in the working tree say now.
///
/// # Errors
/// [`Failure`]. An unreadable file is listed and doesn't affect the others.
pub fn read_shared(context: &ActionContext) -> crate::actions::Reply {
    folder(context)?;
    let all: Files = files(context).collect();
    let mut known = imported_memories(context)?;
    if all.is_empty() && known.iter().all(|memory| memory.status == Status::Archived) {
        return Ok(json!({"read": 0, "changed": 0, "gone": 0, "problems": []}));
    }
    let mut store = context.writer()?;
    // Expired memories count as gone.
    let has_ended = |filed: &Filed| filed.expires_ms.is_some_and(|at| at <= context.who.at_ms);
    let replaced = replacements(context.root.as_deref(), &all);
    let counts = |(source, filed): &(String, Result<Filed, String>)| {
        !filed.as_ref().is_ok_and(has_ended) && !replaced.files.contains(source)
    };
    let files: Files = all.into_iter().filter(counts).collect();
    let mut changed = follow_renamed_files(context, &mut store, &files, &mut known)?;
    // Before anything is imported: of two memories with one text the store keeps one.
    let mut gone = 0;
    for memory in &known {
        if is_gone(memory, &files) && memory.status == Status::Active {
            store.set_status(&memory.id, Status::Archived, &context.who)?;
            gone += 1;
        }
        restore_own(&mut store, memory, &files, &replaced, &context.who)?;
    }
    let (mut read, mut problems) = (replaced.files.len(), Vec::<Value>::new());
    for (source, filed) in &files {
        let imported = match filed {
            Ok(filed) => import_file(context, &mut store, filed, source, &known, &replaced),
            Err(reason) => Err(reason.clone()),
        };
        match imported {
            Ok(wrote) => {
                read += 1;
                changed += usize::from(wrote);
            }
            Err(reason) => problems.push(json!({"file": source, "problem": reason})),
        }
    }
    changed += replace_own(context, &mut store, &replaced)?;
    Ok(json!({"read": read, "changed": changed, "gone": gone, "problems": problems}))
}

fn is_gone(memory: &Memory, files: &Files) -> bool {
    memory.source.as_ref().is_none_or(|source| !files.contains_key(source))
}

/// A memory follows its file: a file with exactly the text of a missing one is that file under a new name. Returns how
/// many there were.
fn follow_renamed_files(
    context: &ActionContext,
    store: &mut SqliteStore,
    files: &Files,
    known: &mut [Memory],
) -> Result<usize, Failure> {
    let mut moved = 0;
    let has_memory: HashSet<String> = known.iter().filter_map(|memory| memory.source.clone()).collect();
    // A branch may rename thousands of files: each text is hashed once.
    let mut without_file: HashMap<(Namespace, [u8; 16]), Vec<usize>> = HashMap::new();
    for (at, memory) in known.iter().enumerate().filter(|(_, memory)| is_gone(memory, files)) {
        without_file.entry((memory.namespace, hash(&memory.content))).or_default().push(at);
    }
    for (source, filed) in files {
        let Ok(Filed { namespace, new, .. }) = filed else { continue };
        if has_memory.contains(source) {
            continue;
        }
        let Some(same) = without_file.get_mut(&(*namespace, new.hash())) else { continue };
        // An archived memory's file was missing before; a memory that the user deleted stays deleted under the new
        // name.
        let first = (0..same.len()).min_by_key(|at| known[same[*at]].status == Status::Archived);
        let Some(first) = first else { continue };
        let memory = &mut known[same.remove(first)];
        store.move_to_source(&memory.id, source, &context.who)?;
        memory.source = Some(source.clone());
        moved += 1;
    }
    Ok(moved)
}

/// What a project shares through its repository.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SharedStatus {
    /// Number of readable files.
    pub files: u64,
    /// Number of memories that came from the repository.
    pub theirs: u64,
    /// Unreadable files, each with the reason.
    pub problems: Vec<(String, String)>,
}

/// What this project shares, according to its working tree.
///
/// # Errors
/// [`Failure`]. A project without a local folder shares nothing.
pub fn shared_status(context: &ActionContext) -> Result<SharedStatus, Failure> {
    let read = read_shared(context)?;
    let problems = read["problems"].as_array().into_iter().flatten();
    let text = |one: &Value, name: &str| one[name].as_str().unwrap_or_default().to_owned();
    let theirs = imported_memories(context)?.iter().filter(|memory| memory.status == Status::Active).count();
    Ok(SharedStatus {
        files: read["read"].as_u64().unwrap_or_default(),
        theirs: theirs as u64,
        problems: problems.map(|one| (text(one, "file"), text(one, "problem"))).collect(),
    })
}

/// What a process saw when it last read a folder of shared files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    files: [u8; 16],
    /// The latest change in the database.
    change: i64,
    /// The imported memories.
    imported: [u8; 16],
}

/// Imports the shared files if they changed since this process last looked, or if what was imported did: another work
/// tree of the project has other files and the same memories. Errors are logged: the caller gets what is known.
pub fn refresh_shared(context: &ActionContext) {
    static SEEN: Mutex<BTreeMap<(PathBuf, PathBuf), Seen>> = Mutex::new(BTreeMap::new());
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut refresh = || -> Result<(), Failure> {
        let Ok(folder) = folder(context) else { return Ok(()) };
        let key = (context.database.clone(), folder.clone());
        let files = fingerprint(&folder, &context.hidden_from_caller());
        if let Some(known) = seen.get_mut(&key).filter(|known| known.files == files) {
            let change = latest_change(context)?;
            if known.change == change || known.imported == imported_state(context)? {
                known.change = change;
                return Ok(());
            }
        }
        read_shared(context)?;
        let (change, imported) = (latest_change(context)?, imported_state(context)?);
        seen.insert(key, Seen { files, change, imported });
        Ok(())
    };
    match refresh() {
        Ok(()) => context.shared_rules.iter().for_each(SharedRules::set_current),
        Err(error) => {
            // The request reads the same file next and reports the damage.
            let is_told = error.fault == Some(contract::Fault::Damaged);
            let level = if is_told { log::Level::Info } else { log::Level::Warn };
            log::log!(level, "shared memories stay as they were: {error}");
        }
    }
}

fn latest_change(context: &ActionContext) -> Result<i64, Failure> {
    Ok(context.reader()?.map_or(Ok(0), |store| store.last_change())?)
}

/// A fingerprint of the imported memories: ids, states and versions.
fn imported_state(context: &ActionContext) -> Result<[u8; 16], Failure> {
    let all = imported_memories(context)?;
    let lines: Vec<String> =
        all.iter().map(|one| format!("{} {} {}", one.id, one.status.as_str(), one.version)).collect();
    Ok(hash(&lines.join("\n")))
}

/// A fingerprint of the folder: names, sizes and times, and what is hidden from the caller.
fn fingerprint(folder: &Path, hidden: &str) -> [u8; 16] {
    let mut all: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| {
            let meta = entry.metadata().ok();
            let time = meta.as_ref().and_then(|meta| meta.modified().ok());
            format!("{} {:?} {time:?}", entry.file_name().to_string_lossy(), meta.map(|meta| meta.len()))
        })
        .collect();
    all.sort();
    all.push(hidden.to_owned());
    hash(&all.join("\n"))
}

/// The memories imported from this project's files earlier, whatever their status.
fn imported_memories(context: &ActionContext) -> Result<Vec<Memory>, Failure> {
    let Some(store) = context.reader()? else { return Ok(Vec::new()) };
    let selection = imported_from_files(context.scope(), context.who.at_ms);
    // All of them: what isn't known would be imported again, also if it was deleted here.
    Ok(store.list(&selection, Page { offset: 0, limit: usize::MAX / 4 })?.memories)
}

/// The files that can't be read, each with the reason. Changes nothing.
pub fn shared_problems(context: &ActionContext) -> Vec<(String, String)> {
    files(context).filter_map(|(source, filed)| Some((source, filed.err()?))).collect()
}

/// Imports one file; returns whether something changed.
fn import_file(
    context: &ActionContext,
    store: &mut SqliteStore,
    Filed { text, ids: FileIds { id, .. }, namespace, expires_ms, new, .. }: &Filed,
    source: &str,
    known: &[Memory],
    replacements: &Replacements,
) -> Result<bool, String> {
    let who = Actor { client: Some(REPOSITORY.into()), ..context.who.clone() };
    let failed = |error: crate::store::StoreError| error.to_string();
    let imported = known.iter().find(|memory| memory.source.as_deref() == Some(source));
    // The shared memory itself is there already.
    let is_own = |known: &Memory| is_own_here(context, known);
    let shared = id.as_ref().and_then(|id| store.get(id).ok().flatten()).filter(is_own);
    if let Some(shared) = &shared
        && (says(text, &shared.content) || was_ever_its_text(store, shared, text))
    {
        return own_counts(store, shared, imported, &who).map_err(failed);
    }
    // Words from the team's server aren't the user's own.
    let own = shared.filter(|own| own.trust != Trust::Repository && replacements.is_of_one_file(&own.id));
    // What the user removed for good doesn't come back from the file that it left behind.
    let mut is_purged = false;
    if let (Some(id), Some(keys)) = (id, context.keys()) {
        for key in keys.all() {
            is_purged |= store.is_purged(key, id, body_hash(text)).map_err(failed)?;
        }
    }
    if is_purged {
        let active = imported.filter(|imported| imported.status == Status::Active);
        if let Some(imported) = active {
            store.set_status(&imported.id, Status::Archived, &who).map_err(failed)?;
        }
        return Ok(active.is_some());
    }
    let Some(old) = imported else {
        let captured = store.capture(new, &who).map_err(failed)?;
        // Others changed what the user shared: what was reviewed takes its place.
        if let Some(own) = own.filter(|own| own.status == Status::Active && own.id != captured.memory.id) {
            store.link(&captured.memory.id, &own.id, LinkKind::Supersedes, &who).map_err(failed)?;
        }
        return Ok(!captured.duplicate);
    };
    if matches!(old.status, Status::Tombstoned | Status::Superseded) {
        // The user deleted it here; the file doesn't bring it back.
        return Ok(false);
    }
    let mut wrote = false;
    if old.status == Status::Archived {
        store.set_status(&old.id, Status::Active, &who).map_err(failed)?;
        wrote = true;
    }
    if let Some(own) = own.filter(|own| own.status == Status::Active) {
        store.link(&old.id, &own.id, LinkKind::Supersedes, &who).map_err(failed)?;
        wrote = true;
    }
    let (now, tags) = (&new.draft().content, &new.draft().tags);
    // A file tells times in seconds.
    let seconds = |at: Option<i64>| at.map(|at| at / 1_000);
    let ends_alike = seconds(old.expires_ms) == seconds(*expires_ms);
    if old.content != *now || old.tags != *tags || old.namespace != *namespace || !ends_alike {
        let change = Change {
            content: Some(now.clone()),
            tags: Some(tags.clone()),
            namespace: Some(*namespace),
            ttl_ms: (!ends_alike).then(|| new.draft().ttl_ms.unwrap_or(0)),
            ..Change::default()
        };
        let change = change.check(context.secrets).map_err(failed)?;
        store.update(&old.id, &change, &who).map_err(failed)?;
        wrote = true;
    }
    Ok(wrote)
}

/// The file has the text that the user's own memory has or once had: the own one counts again, and the file's text from
/// in between is put away.
fn own_counts(
    store: &mut dyn Store,
    own: &Memory,
    imported: Option<&Memory>,
    who: &Actor,
) -> crate::store::Result<bool> {
    let Some(imported) = imported.filter(|imported| imported.status == Status::Active) else {
        return Ok(false);
    };
    let replaced = store
        .links(&own.id)?
        .iter()
        .any(|link| link.kind == LinkKind::Supersedes && link.from == imported.id && link.to == own.id);
    store.set_status(&imported.id, Status::Archived, who)?;
    if replaced && own.status == Status::Superseded {
        store.set_status(&own.id, Status::Active, who)?;
    }
    Ok(true)
}
