//! Memories that a team shares through its repository: one file each in `.plimsoll/memories/`, reviewed like code.
//! The working tree is authoritative: a memory disappears with its file and comes back with it. Shared memories have
//! the repository's trust, not the user's.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use super::front_matter::{markdown, split_front_matter};
use crate::actions::context::ActionContext;
use crate::actions::failure::Failure;
use crate::domain::{Domain, Memory, Namespace, Status, Trust, hash};
use crate::query::{Clause, Field, Filter, Glob, Selection, Statuses};
use crate::store::{Actor, Change, Draft, MAX_CONTENT_BYTES, Page, Store};

/// The folder of shared memories, below the project's folder.
const FOLDER: &str = ".plimsoll/memories";
/// Maximum number of files read.
const MAX_FILES: usize = 5_000;

fn folder(context: &ActionContext) -> Result<PathBuf, Failure> {
    context.root.as_ref().map(|root| root.join(FOLDER)).ok_or_else(|| {
        Failure::invalid("there is no project here; memories are shared in a project's repository")
    })
}

/// A memory's file name: its namespace and its id's prefix.
fn file_name(memory: &Memory) -> String {
    let mut words = String::new();
    for word in
        memory.content.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() > 2).take(5)
    {
        words.push_str(&word.to_ascii_lowercase());
        words.push('-');
    }
    words.truncate(60);
    format!("{}-{words}{}.md", memory.namespace, id_prefix(&memory.id))
}

/// The part of an id that a file name contains. An id may come from somebody else's file, in any letters.
fn id_prefix(id: &str) -> &str {
    &id[..id.floor_char_boundary(8)]
}

/// The path of a memory's file, if it is shared.
fn shared_path(folder: &Path, memory: &Memory) -> Option<PathBuf> {
    let end = format!("{}.md", id_prefix(&memory.id));
    let entries = std::fs::read_dir(folder).ok()?;
    entries
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&end)))
}

/// The path of a memory's file relative to the project, if it is shared.
pub fn shared_file(context: &ActionContext, memory: &Memory) -> Option<String> {
    let path = shared_path(&context.root.as_ref()?.join(FOLDER), memory)?;
    Some(format!("{FOLDER}/{}", path.file_name()?.to_string_lossy()))
}

/// Refuses symbolic links: a repository could point one anywhere on the computer, and a link of the user's must not
/// be replaced.
fn refuse_links(root: &Path, path: &Path) -> Result<(), Failure> {
    let linked = path.ancestors().take_while(|part| *part != root).find(|part| part.is_symlink());
    linked.map_or(Ok(()), |part| {
        Err(Failure::unusable(format!(
            "{} is a link, and nothing was changed; replace it by a file or folder of the repository",
            part.display()
        )))
    })
}

/// Writes a memory's file into the repository, or updates it.
///
/// # Errors
/// [`Failure`]; memories that are yours alone or not active can't be shared.
pub fn share(context: &ActionContext, address: &str) -> crate::actions::Reply {
    let folder = folder(context)?;
    let store = context
        .reader()?
        .ok_or_else(|| Failure::not_found(-32604, format!("no memory has the id {address}")))?;
    let memory = context.find(&store, address)?;
    if memory.status != Status::Active {
        return Err(Failure::unusable(format!(
            "the memory {} is {}; only active ones are shared",
            memory.id,
            memory.status.as_str()
        )));
    }
    if memory.domain != Domain::Project {
        return Err(Failure::unusable(format!(
            "the memory {} is for the domain {}; a repository is given only what belongs to its project",
            memory.id,
            memory.domain.as_str()
        )));
    }
    // Redact again: today's rules may recognise secrets that earlier ones missed.
    let text = text::redact(&markdown(&memory)).into_owned();
    let path = shared_path(&folder, &memory).unwrap_or_else(|| folder.join(file_name(&memory)));
    let failed = |error: std::io::Error| {
        Failure::unusable(format!("{} could not be written: {error}", path.display()))
    };
    if let Some(root) = &context.root {
        refuse_links(root, &path)?;
    }
    std::fs::create_dir_all(&folder).map_err(failed)?;
    // Write to a new file with a random name, so that nothing follows a leftover or a link in the repository.
    let mut made = tempfile::Builder::new();
    made.suffix(".md.new");
    // As readable as any other new file; a temporary file would be private.
    #[cfg(unix)]
    made.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut new = made.tempfile_in(&folder).map_err(failed)?;
    new.write_all(text.as_bytes()).and_then(|()| new.as_file().sync_all()).map_err(failed)?;
    new.persist(&path).map_err(|error| failed(error.error))?;
    let relative = path.strip_prefix(context.root.as_deref().unwrap_or(&folder)).unwrap_or(&path);
    Ok(json!({"id": memory.id, "file": relative.to_string_lossy().replace('\\', "/"), "status": "shared"}))
}

/// Removes a memory's file from the working tree. The memory stays.
///
/// # Errors
/// [`Failure`].
pub fn unshare(context: &ActionContext, address: &str) -> crate::actions::Reply {
    let folder = folder(context)?;
    let store = context
        .reader()?
        .ok_or_else(|| Failure::not_found(-32604, format!("no memory has the id {address}")))?;
    let memory = context.find(&store, address)?;
    let Some(path) = shared_path(&folder, &memory) else {
        return Err(Failure::unusable(format!("the memory {} is not shared", memory.id)));
    };
    if let Some(root) = &context.root {
        refuse_links(root, &path)?;
    }
    std::fs::remove_file(&path)
        .map_err(|error| Failure::unusable(format!("{} could not be removed: {error}", path.display())))?;
    Ok(json!({"id": memory.id, "status": "no longer shared"}))
}

/// Imports what the files in the working tree say now.
///
/// # Errors
/// [`Failure`]. An unreadable file is listed and doesn't affect the others.
pub fn read_shared(context: &ActionContext) -> crate::actions::Reply {
    let folder = folder(context)?;
    let mut names: Vec<PathBuf> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    names.sort();
    names.truncate(MAX_FILES);
    let known = imported_memories(context)?;
    if names.is_empty() && known.iter().all(|memory| memory.status == Status::Archived) {
        return Ok(json!({"read": 0, "changed": 0, "gone": 0, "problems": []}));
    }
    let mut store = context.writer()?;
    let (mut read, mut changed, mut problems) = (0, 0, Vec::<Value>::new());
    let mut there: Vec<String> = Vec::new();
    for path in &names {
        let source = format!("{FOLDER}/{}", path.file_name().unwrap_or_default().to_string_lossy());
        match import_file(context, &mut store, path, &source, &known) {
            Ok(wrote) => {
                read += 1;
                changed += usize::from(wrote);
            }
            Err(reason) => problems.push(json!({"file": source, "problem": reason})),
        }
        there.push(source);
    }
    let mut gone = 0;
    for memory in &known {
        let lost = memory.source.as_ref().is_none_or(|source| !there.contains(source));
        if lost && memory.status == Status::Active {
            store.set_status(&memory.id, Status::Archived, &context.who)?;
            gone += 1;
        }
    }
    Ok(json!({"read": read, "changed": changed, "gone": gone, "problems": problems}))
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

/// Imports the shared files if they changed since this process last looked. Errors are logged: the caller gets what
/// is known.
pub fn refresh_shared(context: &ActionContext) {
    static SEEN: Mutex<BTreeMap<(PathBuf, PathBuf), [u8; 16]>> = Mutex::new(BTreeMap::new());
    let Ok(folder) = folder(context) else { return };
    let key = (context.database.clone(), folder.clone());
    let now = fingerprint(&folder);
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if seen.get(&key) == Some(&now) {
        return;
    }
    match read_shared(context) {
        Ok(_) => {
            seen.insert(key, now);
        }
        Err(error) => log::warn!("shared memories stay as they were: {error}"),
    }
}

/// A fingerprint of the folder: names, sizes and times.
fn fingerprint(folder: &Path) -> [u8; 16] {
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
    hash(&all.join("\n"))
}

/// The memories imported from this project's files earlier, whatever their status.
fn imported_memories(context: &ActionContext) -> Result<Vec<Memory>, Failure> {
    let Some(store) = context.reader()? else { return Ok(Vec::new()) };
    let clauses = vec![
        Clause::Trust(vec![Trust::Repository]),
        Clause::Domain(vec![Domain::Project]),
        Clause::Text(Field::Source, vec![Glob::new(&format!("{FOLDER}/*"))]),
    ];
    let filter = Filter { clauses, statuses: Statuses::all() };
    let selection = Selection { scope: context.scope(), filter, now_ms: context.who.at_ms };
    Ok(store.list(&selection, Page { offset: 0, limit: MAX_FILES })?.memories)
}

/// Imports one file; returns whether something changed.
fn import_file(
    context: &ActionContext,
    store: &mut dyn Store,
    path: &Path,
    source: &str,
    known: &[Memory],
) -> Result<bool, String> {
    // A link may point outside the repository.
    let is_file = std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file());
    if !is_file {
        return Err("it isn't a plain file".into());
    }
    let text = home::read_regular_text(path, MAX_CONTENT_BYTES as u64 + 10_000)
        .map_err(|error| error.to_string())?;
    let conflict = text.lines().any(|line| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> "));
    if conflict {
        return Err("a merge left both sides in it; its text from before still counts".into());
    }
    let (front, body) = split_front_matter(&text);
    let body = body.trim_end();
    let namespace = front.one("namespace").ok_or("it has no namespace in its front matter")?;
    let namespace = Namespace::from_name(namespace)
        .ok_or_else(|| format!("its namespace {namespace:?} is unknown; allowed: {}", Namespace::names()))?;
    let mut draft = Draft {
        project: context.project.clone(),
        source: Some(source.to_owned()),
        file: front.one("file").map(str::to_owned),
        author: front.one("author").map(str::to_owned),
        tags: front.all("tags"),
        trust: Trust::Repository,
        ..Draft::new(body, namespace, Domain::Project)
    };
    draft.client = Some("repository".into());
    let new = draft.check(context.secrets).map_err(|error| error.to_string())?;
    let who = Actor { client: Some("repository".into()), ..context.who.clone() };
    // The user's own shared memory is there already.
    let own = front.one("id").and_then(|id| store.get(id).ok().flatten());
    if own.is_some_and(|own| hash(&own.content) == new.hash() && own.trust != Trust::Repository) {
        return Ok(false);
    }
    let Some(old) = known.iter().find(|memory| memory.source.as_deref() == Some(source)) else {
        return store
            .capture(&new, &who)
            .map(|captured| !captured.duplicate)
            .map_err(|error| error.to_string());
    };
    if matches!(old.status, Status::Tombstoned | Status::Superseded) {
        // The user deleted it here; the file doesn't bring it back.
        return Ok(false);
    }
    let mut wrote = false;
    if old.status == Status::Archived {
        store.set_status(&old.id, Status::Active, &who).map_err(|error| error.to_string())?;
        wrote = true;
    }
    let (now, tags) = (&new.draft().content, &new.draft().tags);
    if old.content != *now || old.tags != *tags || old.namespace != namespace {
        let change = Change {
            content: Some(now.clone()),
            tags: Some(tags.clone()),
            namespace: Some(namespace),
            ..Change::default()
        };
        let change = change.check(context.secrets).map_err(|error| error.to_string())?;
        store.update(&old.id, &change, &who).map_err(|error| error.to_string())?;
        wrote = true;
    }
    Ok(wrote)
}
