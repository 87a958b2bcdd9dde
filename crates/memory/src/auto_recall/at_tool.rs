//! Memories at a tool call: those that name its file or its command.

use std::cell::OnceCell;
use std::path::Path;

use home::Project;
use system::{ModelContext, PendingEvent};

use super::tool_subject::{self, ToolSubject};
use super::{LOCK_TIME_LIMIT, Occasion, deliver};
use crate::domain::{Memory, Trust};
use crate::query::{Clause, Filter, Scope, Selection};
use crate::store::{Effort, SqliteStore, Store as _, Term};
use crate::work_tree::keys_here;

/// Maximum number of memories.
const MAX_COUNT: usize = 2;
/// The number of memories with a tool call's words that are read, the newest.
const MAX_READ: usize = 20;

/// What to tell at a tool call: the memories that name its file or its command. Nothing is locked or read of the session
/// before one is found.
pub(super) fn tell(at: &PendingEvent<'_>) -> Option<ModelContext> {
    let path = crate::paths::database(at.home);
    if !path.exists() {
        return None;
    }
    let subjects = tool_subject::subjects(at.event, at.project);
    if subjects.is_empty() {
        return None;
    }
    let store = SqliteStore::open_read_only(&path)
        .inspect_err(|error| log::info!("memories could not be asked: {error}"))
        .ok()??;
    let _ = store.hold_view().inspect_err(|error| log::debug!("{error}"));
    let project = Project::at(at.project).ok()?;
    let scope = Scope::Project(keys_here(&store, &project));
    let found: Vec<_> = subjects
        .iter()
        .filter_map(|subject| {
            let named = naming(&store, scope.clone(), subject, &project.root, at.now_ms)?;
            (!named.is_empty()).then_some((subject, named))
        })
        .collect();
    if found.is_empty() {
        return None;
    }
    let _alone = home::lock(at.home, "told", LOCK_TIME_LIMIT).ok()?;
    found.iter().find_map(|(subject, named)| deliver(at, named, &Occasion::Tool(subject.text())))
}

/// The newest memories that name what a tool call is about. Untrusted ones aren't given unasked.
fn naming(
    store: &SqliteStore,
    scope: Scope,
    subject: &ToolSubject,
    root: &Path,
    now_ms: i64,
) -> Option<Vec<Memory>> {
    let phrase = format!("\"{}\"", subject.phrase()?);
    let part = ranking::Query::parse(&phrase).parts.into_iter().next()?;
    let clauses = vec![Clause::Not(Box::new(Clause::Trust(vec![Trust::Untrusted])))];
    let selection = Selection { scope, filter: Filter { clauses, ..Filter::default() }, now_ms };
    let matches = store.matches(&selection, &[Term { part, forms: Vec::new() }], Effort::Quick).ok()?;
    let mut keys: Vec<i64> = matches.all.iter().map(|found| found.key).collect();
    keys.sort_unstable_by_key(|key| std::cmp::Reverse(*key));
    keys.truncate(MAX_READ);
    let only = OnceCell::new();
    let is_only_file = |path: &str| *only.get_or_init(|| tool_subject::is_only_file(root, path));
    let read = store.read(&keys).ok()?.into_iter().map(|(_, memory)| memory);
    Some(read.filter(|memory| subject.is_named_in(memory, is_only_file)).take(MAX_COUNT).collect())
}
