//! The memory system's part in a purge: memories, saved prompts and the graph.

use contract::Error;
use home::{Home, Project};
use system::{DataScope, Purge, PurgedData};

use crate::actions::Failure;
use crate::domain::{Domain, Memory};
use crate::paths::database;
use crate::query::{Clause, Field, Filter, Glob, Scope, Selection, Statuses};
use crate::store::{Page, SavedCounts, SqliteStore, Store};
use crate::work_tree::keys_here;

/// What is purged, and how.
pub(crate) const FORGET: Purge = Purge { preview, delete: forget };

fn preview(home: &Home, which: &DataScope) -> Result<Vec<PurgedData>, Error> {
    let (mut memories, mut saved) = (0, SavedCounts::default());
    if let Some(store) = SqliteStore::open_read_only(&database(home)).map_err(Failure::from)? {
        memories = memories_to_forget(&store, which)?.len();
        saved = store.saved_counts(keys(&store, which).as_deref()).map_err(Failure::from)?;
    }
    Ok(gone(memories, saved))
}

fn forget(home: &Home, which: &DataScope) -> Result<Vec<PurgedData>, Error> {
    crate::auto_recall::forget_deliveries(home, which);
    let (mut ids, mut saved) = (Vec::new(), SavedCounts::default());
    if let Some(store) = SqliteStore::open_read_only(&database(home)).map_err(Failure::from)? {
        ids.extend(memories_to_forget(&store, which)?.into_iter().map(|memory| memory.id));
    }
    let is_of_session = matches!(which, DataScope::Session(_));
    // No database is made to have nothing forgotten in it.
    if !ids.is_empty() || !is_of_session && database(home).exists() {
        let mut store = SqliteStore::open(&database(home)).map_err(Failure::from)?;
        let keys = keys(&store, which);
        // Before the memories: entities that only these mention go with them, and would be in no count.
        saved = store.forget_saved(keys.as_deref()).map_err(Failure::from)?;
        store.purge_all(&ids).map_err(Failure::from)?;
        // A project's folder is recorded before it has any memory.
        match keys {
            None => store.forget_traces(None).map_err(Failure::from)?,
            Some(keys) => {
                for key in &keys {
                    store.forget_traces(Some(key.as_str())).map_err(Failure::from)?;
                }
            }
        }
    }
    Ok(gone(ids.len(), saved))
}

fn gone(memories: usize, saved: SavedCounts) -> Vec<PurgedData> {
    let of = |what, one, number| PurgedData { what, one, number, bytes: None };
    vec![
        of("memories", "memory", memories as u64),
        of("prompts", "saved prompt", saved.prompts),
        of("entities", "entity", saved.entities),
        of("relations", "relation", saved.relations),
    ]
}

/// The keys of the project that is purged, all of them; `None` for everything. A session has none: what it saved by hand stays.
fn keys(store: &SqliteStore, which: &DataScope) -> Option<Vec<String>> {
    match which {
        DataScope::All => None,
        DataScope::Session(_) => Some(Vec::new()),
        DataScope::Project(root) => {
            let keys = Project::at(root).map(|project| keys_here(store, &project));
            Some(keys.map_or_else(|_| Vec::new(), |keys| keys.all().map(str::to_owned).collect()))
        }
    }
}

/// The memories to forget, in every state.
fn memories_to_forget(store: &SqliteStore, which: &DataScope) -> Result<Vec<Memory>, Error> {
    let clauses = match which {
        DataScope::All => Vec::new(),
        DataScope::Session(session) => vec![Clause::Text(Field::Session, vec![Glob::literal(session)])],
        DataScope::Project(root) => {
            let Ok(project) = Project::at(root) else { return Ok(Vec::new()) };
            let keys = keys_here(store, &project);
            vec![
                Clause::Domain(vec![Domain::Project]),
                Clause::Text(Field::Project, keys.all().map(Glob::literal).collect()),
            ]
        }
    };
    let filter = Filter { clauses, statuses: Statuses::all() };
    let selection = Selection { scope: Scope::Everywhere, filter, now_ms: 0 };
    let listed = store.list(&selection, Page { offset: 0, limit: usize::MAX / 4 });
    Ok(listed.map_err(Failure::from)?.memories)
}
