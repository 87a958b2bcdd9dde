//! Deletes memories of branches that no longer exist, and purges what was deleted long ago.

use std::collections::BTreeMap;
use std::path::PathBuf;

use home::Project;
use serde_json::json;

use super::context::ActionContext;
use super::failure::Failure;
use super::files::purge_for_good;
use super::git_branches::{Branches, branches};
use super::shared_folder::is_from_file;
use crate::domain::{Domain, Memory, Status, Trust, period_ms, project_key};
use crate::query::{Clause, Filter, Statuses};
use crate::store::{Page, Store};

/// The number of memories read at a time.
const PAGE: usize = 10_000;

/// Arguments of a collection.
#[derive(Debug, Clone, Default)]
pub struct Gc {
    /// Report what would be done without doing it.
    pub dry_run: bool,
    /// Only this branch, which no longer exists here; a remote may still have it.
    pub branch: Option<String>,
    /// Also purge deleted memories.
    pub purge: bool,
    /// Only purge what was deleted this long ago.
    pub older_than: Option<String>,
    /// Only delete the copies that were kept of a damaged database.
    pub damaged_copies: bool,
    /// The known folders, among which are other clones of the project.
    pub folders: Vec<Project>,
}

/// Deletes the project's memories of branches that no longer exist (they can be restored), and purges if asked.
///
/// # Errors
/// [`Failure`], also for a branch that is in use. If the project's branches can't be read, none counts as deleted.
pub fn gc(context: &ActionContext, given: &Gc) -> super::Reply {
    if given.damaged_copies {
        return super::damaged_copies::delete(context, given.dry_run);
    }
    let older = given.older_than.as_deref().map(|text| period_ms(text, crate::domain::DAY_MS)).transpose()?;
    if older.is_some() && !given.purge {
        let (typed, given) = ("--older-than goes with --purge", "older_than goes with purge");
        let named = context.in_words_of_caller(typed, given);
        return Err(Failure::invalid(format!("{named}: it says which deleted memories are removed")));
    }
    let known = all_branches(context, &given.folders)?;
    if let Some(branch) = given.branch.as_deref().filter(|branch| is_in_use(context, known.as_ref(), branch))
    {
        return Err(Failure::invalid(format!(
            "the branch \"{branch}\" still exists, and gc deletes only what belongs to branches that are gone; delete_all with the filter branch:{branch} deletes what was captured on it"
        )));
    }
    if !given.dry_run {
        super::follow_renames(context)?;
    }
    let mut stale: BTreeMap<String, Vec<Memory>> = BTreeMap::new();
    let (mut purged, mut staying): (Vec<Memory>, Vec<Memory>) = (Vec::new(), Vec::new());
    if let Some(store) = context.reader()? {
        // Memories captured meanwhile don't shift the pages.
        store.hold_view()?;
        for memory in of_project(context, &store, Status::Active)? {
            let Some(branch) = memory.branch.clone() else { continue };
            // What others captured came with the repository or from their server; their branches needn't be known here.
            let gone = match (&given.branch, &known) {
                (Some(wanted), _) => *wanted == branch,
                (None, Some(known)) => !known.contains(&branch) && memory.trust != Trust::Repository,
                (None, None) => false,
            };
            if gone {
                stale.entry(branch).or_default().push(memory);
            }
        }
        if given.purge {
            let until = context.who.at_ms.saturating_sub(older.unwrap_or(0));
            let old = |memory: &Memory| memory.tombstoned_ms.is_none_or(|at| at <= until);
            // Without a trace of its deletion, a file of the repository's would bring its memory back.
            (staying, purged) = of_project(context, &store, Status::Tombstoned)?
                .into_iter()
                .filter(old)
                .partition(is_from_file);
        }
    }
    let affected: usize = stale.values().map(Vec::len).sum();
    if !given.dry_run && (affected > 0 || !purged.is_empty()) {
        let mut store = context.writer()?;
        for memory in stale.values().flatten() {
            store.set_status(&memory.id, Status::Tombstoned, &context.who)?;
        }
        if let Some(Ok(server)) = &context.org_server {
            for id in crate::org::unheard(&context.database, server, &purged)? {
                crate::org::record_purge(&context.database, server, &id)?;
            }
        }
        purge_for_good(&mut store, &ids_of(&purged))?;
    }
    let names: Vec<&String> = stale.keys().collect();
    let mut out = json!({
        "stale_branches": names,
        "memories_affected": affected,
        "dry_run": given.dry_run,
        "status": if given.dry_run { "preview" } else { "done" },
    });
    if known.is_none() && given.branch.is_none() && context.root.is_some() {
        out["note"] =
            "the branches of this project or of another clone can't be read, so none counts as deleted"
                .into();
    }
    if given.purge {
        out["purged"] = purged.len().into();
        if !staying.is_empty() {
            out["still_in_repository"] = staying.iter().filter_map(|memory| memory.source.clone()).collect();
        }
    }
    Ok(out)
}

fn ids_of(memories: &[Memory]) -> Vec<String> {
    memories.iter().map(|memory| memory.id.clone()).collect()
}

/// The branches of this clone and of all others: they have the same memories, captured on branches of any. `None` if
/// some can't be read.
fn all_branches(context: &ActionContext, folders: &[Project]) -> Result<Option<Branches>, Failure> {
    let (Some(root), Some(keys), Some(store)) = (&context.root, context.keys(), context.reader()?) else {
        return Ok(context.root.as_deref().and_then(branches));
    };
    let mut captured_in = Vec::new();
    for key in keys.all() {
        captured_in.extend(store.clones(key)?.into_iter().filter_map(|root| Project::at(&root).ok()));
    }
    let clones = folders.iter().cloned().chain(captured_in);
    let mut roots: Vec<PathBuf> = clones
        .filter(|clone| keys.contains(&project_key(clone)) && clone.root.is_dir())
        .map(|clone| clone.root)
        .chain([root.clone()])
        .collect();
    roots.sort();
    roots.dedup();
    let mut all = Branches::default();
    for root in &roots {
        let Some(more) = branches(root) else { return Ok(None) };
        all.local.extend(more.local);
        all.remote.extend(more.remote);
    }
    Ok(Some(all))
}

/// Whether a branch is a local one of any clone, or checked out.
fn is_in_use(context: &ActionContext, known: Option<&Branches>, branch: &str) -> bool {
    context.branch.as_deref() == Some(branch) || known.is_some_and(|known| known.local.contains(branch))
}

fn of_project(context: &ActionContext, store: &dyn Store, status: Status) -> Result<Vec<Memory>, Failure> {
    let filter = Filter {
        clauses: vec![Clause::Domain(vec![Domain::Project])],
        statuses: Statuses { any: vec![status], expired: None },
    };
    let selection = context.allowed(filter);
    let mut all = Vec::new();
    loop {
        let page = store.list(&selection, Page { offset: all.len(), limit: PAGE })?.memories;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Namespace;
    use crate::org::for_tests::{agree, purges};
    use crate::store::{Actor, Draft, Secrets, Server, SqliteStore};

    #[test]
    fn an_unsent_deletion_reaches_the_server_when_the_memory_is_purged() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join("memory.db");
        let server = Server::parse("postgres://ana@db.example.com/team").unwrap();
        let who = Actor::local_user(1);
        let mut store = SqliteStore::open(&database).unwrap();
        let mut deleted = Vec::new();
        for (text, has_copy, is_told) in [("one", true, false), ("two", true, true), ("three", false, false)]
        {
            let draft = Draft {
                project: Some("github.com/acme/shop".into()),
                ..Draft::new(text, Namespace::Decisions, Domain::Project)
            };
            let before = store.capture(&draft.check(Secrets::Redact).unwrap(), &who).unwrap().memory;
            let after = store.set_status(&before.id, Status::Tombstoned, &who).unwrap();
            if has_copy {
                agree(&database, &server, if is_told { &after } else { &before });
            }
            deleted.push(before.id);
        }
        drop(store);
        let mut context = ActionContext::in_project(&database, None, who);
        context.everywhere = true;
        context.org_server = Some(Ok(server.clone()));
        let done = gc(&context, &Gc { purge: true, ..Gc::default() }).unwrap();
        assert_eq!(done["purged"], 3, "{done}");
        assert_eq!(purges(&database, &server), deleted[..1]);
    }
}
