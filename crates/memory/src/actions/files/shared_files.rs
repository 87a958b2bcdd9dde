//! Memories that a team shares through its repository: one file each in `.plimsoll/memories/`, reviewed like code.
//! The working tree is authoritative: a memory disappears with its file and comes back with it. Shared memories have
//! the repository's trust, not the user's.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::file_ids::{FileIds, MAX_REPLACED};
use super::front_matter::{SUPERSEDES, markdown, split_front_matter};
use crate::actions::context::ActionContext;
use crate::actions::failure::Failure;
use crate::actions::shared_folder::{FOLDER, is_from_file, linked_part};
use crate::domain::{Domain, LinkKind, Memory, Status, Trust, hash, iso};
use crate::store::{MAX_CONTENT_BYTES, SqliteStore, Store};

/// How many versions of a memory are compared with a file.
const MAX_VERSIONS: usize = 200;

pub(super) fn folder(context: &ActionContext) -> Result<PathBuf, Failure> {
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
    Some(relative(&path))
}

fn relative(path: &Path) -> String {
    format!("{FOLDER}/{}", path.file_name().unwrap_or_default().to_string_lossy())
}

/// The file of a memory that is shared or was read from one.
fn file_of(root: &Path, memory: &Memory) -> Option<PathBuf> {
    if is_from_file(memory) {
        // The name alone: a source is text that may come from elsewhere.
        let name = Path::new(memory.source.as_ref()?).file_name()?;
        return Some(root.join(FOLDER).join(name)).filter(|path| path.symlink_metadata().is_ok());
    }
    shared_path(&root.join(FOLDER), memory)
}

/// A file's text, if it's a plain file that a memory fits into.
pub(super) fn read_file(path: &Path) -> Result<String, String> {
    // A link may point outside the repository.
    if !std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()) {
        return Err("it isn't a plain file".into());
    }
    home::read_regular_text(path, MAX_CONTENT_BYTES as u64 + 10_000).map_err(|error| error.to_string())
}

/// The hash of what a file says.
pub(super) fn body_hash(text: &str) -> [u8; 16] {
    hash(split_front_matter(text).1.trim_end())
}

/// The hash of a content as it is written to files.
fn written_hash(content: &str) -> [u8; 16] {
    hash(text::redact(content).trim_end())
}

/// Whether a file's text is what a memory says, as it is written to files.
pub(super) fn says(text: &str, content: &str) -> bool {
    body_hash(text) == written_hash(content)
}

/// Removes memories for good. Of the project's own it stays known that their texts were removed: a file of theirs, in
/// this tree or on another branch, would bring them back. Returns how many there were.
///
/// # Errors
/// If the store fails.
pub(crate) fn purge_for_good(store: &mut SqliteStore, ids: &[String]) -> crate::store::Result<u64> {
    let mut texts = Vec::new();
    for id in ids {
        let own = |memory: &Memory| memory.domain == Domain::Project && !is_from_file(memory);
        let Some(memory) = store.get(id)?.filter(own) else { continue };
        let Some(project) = memory.project else { continue };
        let mut hashes: Vec<[u8; 16]> =
            store.history(id, MAX_VERSIONS)?.iter().map(|step| written_hash(&step.content)).collect();
        hashes.push(written_hash(&memory.content));
        hashes.sort_unstable();
        hashes.dedup();
        texts.extend(hashes.into_iter().map(|hash| (project.clone(), id.clone(), hash)));
    }
    store.record_purged(&texts)?;
    store.purge_all(ids)
}

/// Whether a file's text is the memory's current or an earlier text.
pub(super) fn was_ever_its_text(store: &dyn Store, memory: &Memory, text: &str) -> bool {
    let versions = store.history(&memory.id, MAX_VERSIONS).unwrap_or_default();
    versions.iter().any(|version| says(text, &version.content))
}

/// Writes a change of a shared memory into its file as well, and tells which, or why it stayed as it is.
pub(in crate::actions) fn tell_file(
    context: &ActionContext,
    before: &Memory,
    after: &Memory,
    out: &mut Value,
) {
    match follow_update(context, before, after) {
        Some(Ok(file)) => out["file"] = file.into(),
        Some(Err(why)) => out["not_shared"] = why.into(),
        None => {}
    }
}

fn follow_update(context: &ActionContext, before: &Memory, after: &Memory) -> Option<Result<String, String>> {
    let root = context.root.as_ref()?;
    let path = file_of(root, before)?;
    let write = || -> Result<String, String> {
        let text = read_file(&path)?;
        if !says(&text, &before.content) {
            return Err("others changed it".into());
        }
        refuse_links(root, &path).map_err(|failure| failure.message)?;
        let replaced = split_front_matter(&text).0.all(SUPERSEDES);
        let new = if is_from_file(before) { rewritten(&text, after) } else { markdown(after, &replaced) };
        write_file(&path, &text::redact(&new)).map_err(|failure| failure.message)?;
        Ok(relative(&path))
    };
    Some(write().map_err(|why| format!("{} was left as it is: {why}", relative(&path))))
}

/// The file of somebody else's memory with a new text: whose it is and since when stays.
fn rewritten(text: &str, memory: &Memory) -> String {
    let front = split_front_matter(text).0;
    let kept = |key: &str| front.one(key).map(str::to_owned);
    let as_filed = Memory {
        id: kept("id").unwrap_or_else(|| memory.id.clone()),
        source: kept("source"),
        ..memory.clone()
    };
    let new = markdown(&as_filed, &front.all(SUPERSEDES));
    match kept("created") {
        Some(created) => new.replacen(
            &format!("created: {}\n", iso(memory.created_ms)),
            &format!("created: {created}\n"),
            1,
        ),
        None => new,
    }
}

/// The fate of a file when its memory is deleted for good.
pub(in crate::actions) enum AtPurge {
    /// Nothing: there is none, or others wrote what it says now.
    Nothing,
    /// It was removed.
    Removed(String),
    /// It's the repository's and would bring the memory back.
    Stays(String),
}

/// Removes the file of the user's own memory, which would bring it back.
///
/// # Errors
/// [`Failure`] if it can't be removed.
pub(in crate::actions) fn before_purge(
    context: &ActionContext,
    store: &dyn Store,
    memory: &Memory,
) -> Result<AtPurge, Failure> {
    let Some((root, path)) = context.root.as_ref().and_then(|root| Some((root, file_of(root, memory)?)))
    else {
        return Ok(AtPurge::Nothing);
    };
    if is_from_file(memory) {
        return Ok(AtPurge::Stays(relative(&path)));
    }
    let own = read_file(&path)
        .is_ok_and(|text| says(&text, &memory.content) || was_ever_its_text(store, memory, &text));
    if !own {
        return Ok(AtPurge::Nothing);
    }
    remove_file(root, &path)?;
    Ok(AtPurge::Removed(relative(&path)))
}

fn remove_file(root: &Path, path: &Path) -> Result<(), Failure> {
    refuse_links(root, path)?;
    std::fs::remove_file(path)
        .map_err(|error| Failure::unusable(format!("{} could not be removed: {error}", path.display())))
}

/// Refuses symbolic links: a repository could point one anywhere on the computer, and a link of the user's must not
/// be replaced.
fn refuse_links(root: &Path, path: &Path) -> Result<(), Failure> {
    linked_part(root, path).map_or(Ok(()), |part| {
        Err(Failure::unusable(format!(
            "{} is a link, and nothing was changed; replace it by a file or folder of the repository",
            part.display()
        )))
    })
}

/// The ids in their files of the shared memories that this one replaced, itself or through others.
fn replaced_ids(root: &Path, store: &dyn Store, memory: &Memory) -> crate::store::Result<Vec<String>> {
    let (mut open, mut seen) = (vec![memory.id.clone()], BTreeSet::from([memory.id.clone()]));
    let mut out = BTreeSet::new();
    while let Some(new) = open.pop() {
        for link in store.links(&new)? {
            if link.kind != LinkKind::Supersedes || link.from != new || !seen.insert(link.to.clone()) {
                continue;
            }
            out.extend(store.get(&link.to)?.and_then(|old| id_in_file(root, &old)));
            open.push(link.to);
        }
    }
    out.remove(&memory.id);
    Ok(out.into_iter().take(MAX_REPLACED).collect())
}

/// The id in the file of a memory, if it's shared: on each computer that read the file it has another one.
fn id_in_file(root: &Path, memory: &Memory) -> Option<String> {
    let path = file_of(root, memory)?;
    if !is_from_file(memory) {
        return Some(memory.id.clone());
    }
    FileIds::in_front_matter(&split_front_matter(&read_file(&path).ok()?).0).id
}

/// Writes a memory's file into the repository, or updates it.
///
/// # Errors
/// [`Failure`]; memories that are yours alone or not active can't be shared, and a file that others changed is left alone.
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
    if let Some(source) = memory.source.as_ref().filter(|_| is_from_file(&memory)) {
        return Err(Failure::unusable(format!(
            "the memory {} comes from {source}, so it is shared already; `plimsoll memory update` changes the file as well",
            memory.id
        )));
    }
    let mut replaced = replaced_ids(context.root.as_deref().unwrap_or(&folder), &store, &memory)?;
    let there = shared_path(&folder, &memory);
    let path = there.clone().unwrap_or_else(|| folder.join(file_name(&memory)));
    if let Some(root) = &context.root {
        refuse_links(root, &path)?;
    }
    if there.is_some() {
        let now = read_file(&path).map_err(|why| Failure::unusable(format!("{}: {why}", relative(&path))))?;
        if !says(&now, &memory.content) && !was_ever_its_text(&store, &memory, &now) {
            return Err(Failure::unusable(format!(
                "others changed {}, and nothing was changed; what they wrote counts: take it over with \
                 `plimsoll memory update`, or remove the file and share the memory again",
                relative(&path)
            )));
        }
        replaced.extend(split_front_matter(&now).0.all(SUPERSEDES));
        replaced.sort_unstable();
        replaced.dedup();
    }
    // Redact again: today's rules may recognise secrets that earlier ones missed.
    write_file(&path, &text::redact(&markdown(&memory, &replaced)))?;
    Ok(json!({"id": memory.id, "file": relative(&path), "status": "shared"}))
}

/// Writes a new memory into its repository if its namespace is shared automatically, and tells the file, or why there is
/// none. What came from a web page is never shared unasked.
pub(in crate::actions) fn share_new(context: &ActionContext, memory: &Memory, out: &mut Value) {
    let wanted = context.shares.contains(&memory.namespace)
        && memory.domain == Domain::Project
        && memory.project == context.project
        && memory.status == Status::Active
        && memory.trust != Trust::Untrusted
        && !is_from_file(memory);
    // A folder without a repository is shared with nobody.
    if !wanted || !context.root.as_ref().is_some_and(|root| root.join(".git").exists()) {
        return;
    }
    match share(context, &memory.id) {
        Ok(shared) => out["file"] = shared["file"].clone(),
        Err(failure) => out["not_shared"] = failure.message.into(),
    }
}

/// Names the files that still share these memories, which are no longer in use here.
pub(in crate::actions) fn tell_still_shared(
    context: &ActionContext,
    store: &dyn Store,
    ids: &[String],
    out: &mut Value,
) -> crate::store::Result<()> {
    let Some(root) = &context.root else { return Ok(()) };
    let mut files = Vec::new();
    for id in ids {
        files.extend(store.get(id)?.and_then(|memory| file_of(root, &memory)).map(|path| relative(&path)));
    }
    if !files.is_empty() {
        out["still_in_repository"] = files.into();
    }
    Ok(())
}

fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::unusable(format!("{} could not be written: {error}", path.display()))
    };
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder).map_err(failed)?;
    // Write to a new file with a random name, so that nothing follows a leftover or a link in the repository.
    let mut made = tempfile::Builder::new();
    made.suffix(".md.new");
    // As readable as any other new file; a temporary file would be private.
    #[cfg(unix)]
    made.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut new = made.tempfile_in(folder).map_err(failed)?;
    new.write_all(text.as_bytes()).and_then(|()| new.as_file().sync_all()).map_err(failed)?;
    new.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
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
    if let Some(source) = memory.source.as_ref().filter(|_| is_from_file(&memory)) {
        return Err(Failure::unusable(format!(
            "the memory {} was read from {source}, which is your team's, and nothing was changed; remove the file from \
             the repository to end it for everybody, or `plimsoll memory delete` it for yourself",
            memory.id
        )));
    }
    let Some(path) = shared_path(&folder, &memory) else {
        return Err(Failure::unusable(format!("the memory {} is not shared", memory.id)));
    };
    remove_file(context.root.as_deref().unwrap_or(&folder), &path)?;
    Ok(json!({"id": memory.id, "status": "no longer shared"}))
}
