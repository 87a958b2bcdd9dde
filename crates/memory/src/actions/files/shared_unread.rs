//! Reads the shared files of a fresh clone before any server has, for the hook at a session's start: files only,
//! without writing, within a hook's time.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use super::file_ids::{FileIds, replaced_by_each};
use super::filed::{Filed, imported_from_files, parse_file};
use super::shared_files::body_hash;
use crate::actions::shared_folder::{list_files, source_of};
use crate::domain::{Domain, Memory, Namespace, Status, hash};
use crate::query::{ProjectKeys, Scope};
use crate::store::{Secrets, SqliteStore, Store};

/// Number of files that are always read; more are while there is time.
const FIRST_FILES: usize = 16;
const MAX_FILES: usize = 100;
/// Number of names that are looked at: a folder may have any number.
const MAX_LISTED: usize = 2_000;
const TIME_LIMIT: Duration = Duration::from_millis(15);
/// Larger files are left to a server: the session's start shows little of a text.
const MAX_BYTES: u64 = 32 * 1024;

/// The memories of these namespaces in the shared files, newest first; none once a server has read some of them. Their
/// ids are marks of their texts, and their sources name the files.
pub(crate) fn unread_shared(
    root: &Path,
    store: Option<&SqliteStore>,
    keys: &ProjectKeys,
    namespaces: &[Namespace],
    now_ms: i64,
) -> Vec<Memory> {
    let end = Instant::now() + TIME_LIMIT;
    let mut names = list_files(root, MAX_LISTED);
    if names.is_empty() || store.is_some_and(|store| was_read(store, keys, now_ms)) {
        return Vec::new();
    }
    // Files are named after their namespace, unless somebody renamed them.
    names.sort_by_key(|path| !is_named_after(path, namespaces));
    let (mut found, mut all_ids): (Vec<(FileIds, Memory)>, Vec<FileIds>) = (Vec::new(), Vec::new());
    for (number, path) in names.iter().take(MAX_FILES).enumerate() {
        if number >= FIRST_FILES && Instant::now() >= end {
            break;
        }
        if std::fs::symlink_metadata(path).is_ok_and(|meta| meta.len() > MAX_BYTES) {
            continue;
        }
        let source = source_of(path);
        let Ok(filed) = parse_file(Some(keys.here()), now_ms, Secrets::Redact, path, &source) else {
            continue;
        };
        let wanted = namespaces.contains(&filed.namespace)
            && filed.expires_ms.is_none_or(|at| at > now_ms)
            && store.is_none_or(|store| !is_known(store, keys, &filed));
        let memory = memory(&filed, source, now_ms);
        all_ids.push(filed.ids.clone());
        if wanted && found.iter().all(|(_, one)| one.id != memory.id) {
            found.push((filed.ids, memory));
        }
    }
    let replaced: BTreeSet<String> = replaced_by_each(&all_ids).into_iter().flatten().collect();
    found.retain(|(ids, _)| ids.id.as_ref().is_none_or(|id| !replaced.contains(id)));
    let mut found: Vec<Memory> = found.into_iter().map(|(_, memory)| memory).collect();
    found.sort_by_key(|memory| std::cmp::Reverse(memory.created_ms));
    found
}

/// The mark of a text, for a memory that has no id yet.
pub(crate) fn text_mark(content: &str) -> String {
    hash(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a server has read the files; that's looked for among the project's newest memories. A store that can't tell counts
/// as one that has.
fn was_read(store: &SqliteStore, keys: &ProjectKeys, now_ms: i64) -> bool {
    let imported = imported_from_files(Scope::Project(keys.clone()), now_ms);
    store.newest(&imported, i64::MIN, 1).map_or(true, |all| !all.is_empty())
}

fn is_named_after(path: &Path, namespaces: &[Namespace]) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    namespaces.iter().any(|namespace| name.starts_with(namespace.as_str()))
}

/// Whether a file is the user's own memory, or one that was removed for good here.
fn is_known(store: &SqliteStore, keys: &ProjectKeys, filed: &Filed) -> bool {
    let Some(id) = &filed.ids.id else { return false };
    let own = store.get(id).ok().flatten().and_then(|memory| memory.project);
    own.is_some_and(|key| keys.contains(&key))
        || keys.all().any(|key| store.is_purged(key, id, body_hash(&filed.text)).unwrap_or(true))
}

fn memory(filed: &Filed, source: String, now_ms: i64) -> Memory {
    let draft = filed.new.draft();
    Memory {
        id: text_mark(&draft.content),
        content: draft.content.clone(),
        namespace: filed.namespace,
        domain: Domain::Project,
        project: draft.project.clone(),
        branch: None,
        file: draft.file.clone(),
        source: Some(source),
        tags: draft.tags.clone(),
        author: draft.author.clone(),
        client: draft.client.clone(),
        session: None,
        trust: draft.trust,
        status: Status::Active,
        version: 1,
        created_ms: filed.created_ms.filter(|at| *at <= now_ms).unwrap_or(now_ms),
        updated_ms: now_ms,
        expires_ms: filed.expires_ms,
        tombstoned_ms: None,
    }
}
