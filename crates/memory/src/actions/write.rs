//! Actions that change memories.

use std::time::Instant;

use serde_json::{Value, json};

use super::context::ActionContext;
use super::failure::Failure;
use super::files::{AtPurge, before_purge, purge_for_good, share_new, tell_file, tell_still_shared};
use super::read::{open_to_change, parse_namespace};
use super::replaced::{is_replaced, replace_again};
use super::reply_json;
use crate::domain::{Domain, LinkKind, Status, Trust, period_ms};
use crate::query::{Clause, Filter, Glob, Selection};
use crate::recall::similar;
use crate::store::{Change, Draft, Page, SqliteStore, Store, StoreError};

/// Maximum number of near duplicates listed.
const MAX_DUPLICATES: usize = 3;
/// Maximum number of memories deleted at once.
const MAX_DELETED: usize = 10_000;
/// Maximum number of memories listed before a bulk deletion.
const PREVIEW: usize = 10;

/// Arguments of a capture.
#[derive(Debug, Clone, Default)]
pub struct Capture {
    /// The text to remember.
    pub content: String,
    /// Its namespace.
    pub namespace: String,
    /// Its domain: `project`, `user`, `org`. The default is `project` in a project and `user` elsewhere.
    pub domain: Option<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// Its source.
    pub source: Option<String>,
    /// How long it stays valid.
    pub ttl: Option<String>,
    /// Ids or addresses of the memories that it replaces.
    pub supersedes: Vec<String>,
    /// Those that it contradicts; they stay as they are.
    pub conflicts: Vec<String>,
    /// Those that it says in more detail.
    pub refines: Vec<String>,
    /// Its author.
    pub author: Option<String>,
    /// Its trust; the default follows from the caller.
    pub trust: Option<Trust>,
}

/// Stores a memory, or returns the existing one with the same text.
///
/// # Errors
/// [`Failure`].
pub fn capture(context: &ActionContext, given: &Capture) -> super::Reply {
    let domain = match given.domain.as_deref() {
        Some(word) => Domain::parse(word)?,
        None if context.project.is_some() => Domain::Project,
        None => Domain::User,
    };
    if domain == Domain::Project && context.project.is_none() {
        return Err(Failure::invalid("there is no project here; capture it with domain \"user\""));
    }
    let namespace = parse_namespace(&given.namespace)?;
    let mut draft = Draft::new(given.content.clone(), namespace, domain);
    // Memories for the user or the organisation have no branch and no file.
    if domain == Domain::Project {
        draft.branch = context.branch.clone();
        draft.file = given.source.as_deref().and_then(|source| project_relative(context, source));
    }
    draft.project = context.project.clone();
    draft.tags = given.tags.clone();
    draft.source = given.source.clone();
    draft.author = given.author.clone();
    draft.client = context.who.client.clone();
    draft.session = context.who.session.clone();
    draft.trust = given.trust.unwrap_or_else(|| context.who.trust());
    draft.ttl_ms = given.ttl.as_deref().map(|ttl| period_ms(ttl, 1_000)).transpose()?;
    let checked = draft.clone().check(context.secrets)?;
    let mut store = context.writer()?;
    let mut links = Vec::new();
    for (kind, addresses) in [(LinkKind::Conflicts, &given.conflicts), (LinkKind::Refines, &given.refines)] {
        for address in addresses {
            links.push((kind, context.find(&store, address)?.id));
        }
    }
    let checked = if given.supersedes.is_empty() {
        checked
    } else {
        for address in &given.supersedes {
            draft.supersedes.push(context.find(&store, address)?.id);
        }
        draft.check(context.secrets)?
    };
    if let (Some(project), Some(root), Some(_)) = (&context.project, &context.root, &context.branch) {
        store.record_clone(project, root)?;
    }
    let captured = store.capture(&checked, &context.who)?;
    for (kind, to) in links.iter().filter(|(_, to)| *to != captured.memory.id) {
        store.link(&captured.memory.id, to, *kind, &context.who)?;
    }
    let near = if captured.duplicate {
        Vec::new()
    } else {
        // Few are found, so each is asked about, and not every file that the project shares.
        let selection =
            Selection { scope: context.scope(), filter: Filter::default(), now_ms: context.who.at_ms };
        let mut near = similar(&store, &selection, &captured.memory.content, usize::MAX)?;
        near.retain(|one| one.memory.id != captured.memory.id && context.may_be_given(&one.memory));
        near.truncate(MAX_DUPLICATES);
        near
    };
    let mut out = reply_json::captured(&captured, &near);
    if !captured.duplicate {
        share_new(context, &captured.memory, &mut out);
    }
    if out["file"].is_null() {
        tell_still_shared(context, &store, &checked.draft().supersedes, &mut out)?;
    }
    if domain == Domain::Org && context.org_server.is_none() {
        out["note"] = "no organisation's server is set, so only this computer has it".into();
    }
    if let Some(why) = super::vectors::create_missing(context, &mut store) {
        out["vectors"] = why.into();
    }
    Ok(out)
}

/// The path of a source inside the project, relative to it.
fn project_relative(context: &ActionContext, source: &str) -> Option<String> {
    let root = context.root.as_ref()?;
    let path = std::path::Path::new(source.split(['#', ':']).next()?);
    let whole = if path.is_absolute() { path.to_owned() } else { root.join(path) };
    let inside = whole.strip_prefix(root).ok()?;
    let climbs = inside.components().any(|part| part == std::path::Component::ParentDir);
    let text = inside.to_string_lossy().replace('\\', "/");
    (!climbs && whole.is_file()).then_some(text)
}

/// Arguments of an update.
#[derive(Debug, Clone, Default)]
pub struct Update {
    /// The new content.
    pub content: Option<String>,
    /// The new tags, replacing all.
    pub tags: Option<Vec<String>>,
    /// The new namespace.
    pub namespace: Option<String>,
    /// The new source.
    pub source: Option<String>,
    /// The new validity, from now on.
    pub ttl: Option<String>,
    /// The expected current version.
    pub version: Option<u32>,
}

/// Changes a memory. Its history keeps the old text.
///
/// # Errors
/// [`Failure`].
pub fn update(context: &ActionContext, address: &str, given: &Update) -> super::Reply {
    let change = Change {
        content: given.content.clone(),
        tags: given.tags.clone(),
        namespace: given.namespace.as_deref().map(parse_namespace).transpose()?,
        source: given.source.clone(),
        ttl_ms: given.ttl.as_deref().map(|ttl| period_ms(ttl, 1_000)).transpose()?,
        expected: given.version,
    }
    .check(context.secrets)?;
    let mut store = open_to_change(context, address)?;
    let before = context.find(&store, address)?;
    let memory = store.update(&before.id, &change, &context.who)?;
    let mut out = json!({"id": memory.id, "urn": memory.urn(), "version": memory.version});
    tell_file(context, &before, &memory, &mut out);
    if change.redacted() {
        out["redacted"] = true.into();
    }
    if let Some(why) = super::vectors::create_missing(context, &mut store) {
        out["vectors"] = why.into();
    }
    Ok(out)
}

/// Deletes a memory. It can be restored, unless `hard` purges it with its history.
///
/// # Errors
/// [`Failure`].
pub fn delete(context: &ActionContext, address: &str, hard: bool) -> super::Reply {
    let mut store = open_to_change(context, address)?;
    let id = context.find(&store, address)?.id;
    let files = remove(&mut store, context, std::slice::from_ref(&id), hard)?;
    let purged = hard && files.staying.is_empty();
    let mut out = json!({"id": id, "status": if purged { "purged" } else { Status::Tombstoned.as_str() }});
    files.tell(&mut out);
    if !hard {
        tell_still_shared(context, &store, std::slice::from_ref(&id), &mut out)?;
    }
    Ok(out)
}

/// What became of the repository's files of deleted memories.
#[derive(Default)]
struct FilesOfDeleted {
    removed: Vec<String>,
    /// They would bring back a memory without a trace, so theirs stay deleted instead.
    staying: Vec<String>,
}

impl FilesOfDeleted {
    fn tell(self, out: &mut Value) {
        if !self.removed.is_empty() {
            out["removed_files"] = self.removed.into();
        }
        if !self.staying.is_empty() {
            out["still_in_repository"] = self.staying.into();
        }
    }
}

fn remove(
    store: &mut SqliteStore,
    context: &ActionContext,
    ids: &[String],
    hard: bool,
) -> Result<FilesOfDeleted, Failure> {
    let mut files = FilesOfDeleted::default();
    let mut purged = Vec::new();
    for id in ids {
        let at_purge = match store.get(id)?.filter(|_| hard) {
            Some(memory) => before_purge(context, store, &memory)?,
            None => AtPurge::Nothing,
        };
        let stays = match at_purge {
            AtPurge::Nothing => false,
            AtPurge::Removed(file) => {
                files.removed.push(file);
                false
            }
            AtPurge::Stays(file) => {
                files.staying.push(file);
                true
            }
        };
        match &context.org_server {
            Some(Ok(server)) if hard && !stays => crate::org::record_purge(&context.database, server, id)?,
            _ if hard && !stays => {}
            _ => {
                store.set_status(id, Status::Tombstoned, &context.who)?;
            }
        }
        if hard && !stays {
            purged.push(id.clone());
        }
    }
    purge_for_good(store, &purged)?;
    Ok(files)
}

/// Arguments of a bulk deletion.
#[derive(Debug, Clone, Default)]
pub struct DeleteAll {
    /// The filter.
    pub filter: Option<String>,
    /// Only memories of this user, by the tag `user:…`.
    pub user_id: Option<String>,
    /// Purge instead of delete.
    pub hard: bool,
    /// Whether to delete; otherwise the reply only lists what would be deleted.
    pub confirmed: bool,
}

/// Deletes everything that matches a filter. Only lists it unless confirmed.
///
/// # Errors
/// [`Failure`]; without any criterion nothing is deleted.
pub fn delete_all(context: &ActionContext, given: &DeleteAll) -> super::Reply {
    let criteria = given.filter.as_deref().unwrap_or_default();
    let mut selection = context.selection(criteria)?;
    if let Some(user) = &given.user_id {
        selection.filter.clauses.push(Clause::Tag(vec![Glob::literal(&format!("user:{user}"))]));
    }
    // A property that is hidden from the caller isn't a criterion for them.
    if given.user_id.is_none() && Filter::parse(criteria, context.who.at_ms)?.selects_all() {
        return Err(Failure::invalid("delete_all needs a filter or a user_id; it never deletes everything"));
    }
    let Some(reader) = context.reader()? else {
        let status = if given.confirmed { "done" } else { "preview" };
        let mut out = json!({"memories_affected": 0, "dry_run": !given.confirmed, "status": status});
        if !given.confirmed {
            out["preview"] = json!([]);
        }
        return Ok(out);
    };
    let found = reader.list(&selection, Page { offset: 0, limit: MAX_DELETED })?;
    drop(reader);
    let ids: Vec<String> = found.memories.iter().map(|memory| memory.id.clone()).collect();
    let remaining = found.total.saturating_sub(ids.len() as u64);
    let tell_remaining = |out: &mut Value| {
        if remaining > 0 {
            out["remaining"] = remaining.into();
        }
    };
    if !given.confirmed {
        let preview: Vec<Value> = found
            .memories
            .iter()
            .take(PREVIEW)
            .map(|memory| {
                let content: String = memory.content.chars().take(80).collect();
                let mut one = json!({"id": memory.id, "namespace": memory.namespace, "content": content});
                reply_json::tell_trust(memory.trust, &mut one);
                one
            })
            .collect();
        let mut out = json!({
            "memories_affected": ids.len(), "dry_run": true, "status": "preview", "preview": preview,
        });
        tell_remaining(&mut out);
        return Ok(out);
    }
    let mut store = context.writer()?;
    let files = remove(&mut store, context, &ids, given.hard)?;
    let mut out = json!({"memories_affected": ids.len(), "dry_run": false, "status": "done"});
    tell_remaining(&mut out);
    files.tell(&mut out);
    Ok(out)
}

/// Restores a deleted memory, or a replaced one whose replacement isn't in use.
///
/// # Errors
/// [`Failure`].
pub fn restore(context: &ActionContext, address: &str) -> super::Reply {
    let mut store = open_to_change(context, address)?;
    let memory = context.find(&store, address)?;
    let status = match (memory.status, is_replaced(&store, &memory.id, None)?) {
        // A memory that was replaced before it was deleted doesn't come back beside its replacement.
        (Status::Tombstoned, true) => Status::Superseded,
        (Status::Tombstoned | Status::Superseded, false) => Status::Active,
        (Status::Superseded, true) => {
            return Err(Failure::unusable(format!(
                "the memory {} was replaced by one that's in use, and nothing was changed; delete that one first",
                memory.id
            )));
        }
        _ => return Err(StoreError::NotDeleted(memory.id).into()),
    };
    let memory = store.set_status(&memory.id, status, &context.who)?;
    let mut out = json!({"id": memory.id, "urn": memory.urn(), "status": memory.status.as_str()});
    if status == Status::Active {
        let replaced = replace_again(&mut store, &memory.id, &context.who)?;
        if !replaced.is_empty() {
            out["replaced_again"] = replaced.into();
        }
    }
    Ok(out)
}

/// Rebuilds the search index.
///
/// # Errors
/// [`Failure`].
pub fn reindex(context: &ActionContext) -> super::Reply {
    let began = Instant::now();
    let (memories, entities) = super::follow_renames(context)?;
    let (mut indexed, mut vectors) = (0, None);
    if context.reader()?.is_some() {
        let mut store = context.writer()?;
        indexed = store.reindex()?;
        vectors = super::vectors::rebuild_all(context, &mut store);
    }
    let duration = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut out = json!({"indexed": indexed, "duration_ms": duration, "status": "success"});
    if memories + entities > 0 {
        out["renamed"] = json!({"memories": memories, "entities": entities});
    }
    if let Some(vectors) = vectors {
        out["vectors"] = vectors;
    }
    Ok(out)
}
