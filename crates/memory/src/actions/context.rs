//! The context of an action: database, project, branch, caller and time. Every action takes one, so none can bypass
//! the scope.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use contract::ErrorCode;
use home::Project;
use system::Sampling;

use super::failure::Failure;
use super::git_branches::current;
use super::shared_folder::{FOLDER, SharedRules, sources_with_id, without_folder};
use crate::domain::{Address, Memory, Namespace, Status, Trust, project_key};
use crate::embedding::{Embedder, EmbeddingError};
use crate::graph::possible_names;
use crate::model::{Model, ModelError};
use crate::org::OrgConnection;
use crate::query::{Clause, Field, Filter, Glob, ProjectKeys, Scope, Selection, Statuses};
use crate::store::{Actor, ChangeKind, OrgError, Page, Secrets, Server, SqliteStore, Store, StoreError};
use crate::work_tree::{WorkTree, keys_in};

/// Maximum number of memories per entity that a filter considers, the newest.
const MAX_MENTIONING: usize = 5_000;
/// Maximum number of a memory's latest changes among which its deletion is looked for.
const MAX_STEPS: usize = 50;
/// Maximum number of memories that an error names.
const MAX_NAMED: usize = 3;
/// How long a process that couldn't build the index only reads: each try reads every memory until the disk is full, or waits for
/// who is building it.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(60);

/// The context of an action.
#[derive(Debug, Clone)]
pub struct ActionContext {
    /// The path of the database.
    pub database: PathBuf,
    /// The project's folder; `None` outside any project.
    pub root: Option<PathBuf>,
    /// The project's key, as memories name it.
    pub project: Option<String>,
    /// Other keys of the same project, such as that of a remote that was renamed. What is new never gets them.
    pub earlier: Vec<String>,
    /// The work tree, if it can be told from another one at its path.
    pub tree: Option<WorkTree>,
    /// The branch that is checked out.
    pub branch: Option<String>,
    /// Whether every project is visible, not only this one. Never set for an agent.
    pub everywhere: bool,
    /// Who asks, and when.
    pub who: Actor,
    /// The user's UTC offset in minutes.
    pub utc_offset_min: i32,
    /// What the caller's own rules let it read of the project's shared files; `None` for everything.
    pub shared_rules: Option<SharedRules>,
    /// How secrets are handled.
    pub secrets: Secrets,
    /// The namespaces whose new memories are written into the project's repository. Never set for a hook.
    pub shares: Vec<Namespace>,
    /// The organisation's server, if configured. Never set for a hook.
    pub org_server: Option<Result<Server, OrgError>>,
    /// The source of vectors, if configured. Never set for a hook.
    pub embedder: Option<Result<Embedder, EmbeddingError>>,
    /// The language model, if configured. Never set for a hook.
    pub model: Option<Result<Model, ModelError>>,
    /// How to reach the calling agent's own model.
    pub sampling: Sampling,
    /// Set once an action may have written something.
    pub wrote: Arc<AtomicBool>,
}

impl ActionContext {
    /// The caller's way to run it: this `command` for the user, this `action` for an agent.
    pub(super) fn in_words_of_caller<'a>(&self, command: &'a str, action: &'a str) -> &'a str {
        if self.who.client.is_none() { command } else { action }
    }

    /// The context of a caller in this project.
    pub fn in_project(database: &Path, project: Option<&Project>, who: Actor) -> Self {
        let tree = project.and_then(WorkTree::of);
        let key = project.map(project_key);
        let keys = key.as_deref().map(|key| keys_in(database, key, tree.as_ref()));
        Self {
            database: database.to_owned(),
            root: project.map(|project| project.root.clone()),
            project: key,
            earlier: keys.as_ref().map_or(Vec::new(), ProjectKeys::earlier),
            tree,
            branch: project.and_then(|project| current(&project.root)),
            everywhere: false,
            who,
            utc_offset_min: 0,
            shared_rules: None,
            secrets: Secrets::default(),
            shares: Vec::new(),
            org_server: None,
            embedder: None,
            model: None,
            sampling: Sampling::none(),
            wrote: Arc::default(),
        }
    }

    /// The scope that the caller sees.
    pub fn scope(&self) -> Scope {
        if self.everywhere {
            return Scope::Everywhere;
        }
        self.keys().map_or(Scope::Outside, Scope::Project)
    }

    /// The project's keys.
    pub(crate) fn keys(&self) -> Option<ProjectKeys> {
        self.project.as_ref().map(|here| ProjectKeys::new(here.as_str(), self.earlier.clone()))
    }

    /// The memories that match a filter and that the caller may see.
    pub(crate) fn selection(&self, filter: &str) -> Result<Selection, Failure> {
        let mut filter = Filter::parse(filter, self.who.at_ms)?;
        if self.who.client.is_some() {
            filter.statuses.any.retain(|status| *status != Status::Pending);
            if filter.statuses.any.contains(&Status::Tombstoned) {
                filter.clauses.push(Clause::NotDeletedByUser);
            }
        }
        if filter.names_entities() {
            filter.look_up(|names| self.ids_mentioning(names))?;
        }
        Ok(self.allowed(filter))
    }

    /// The memories in use that the caller may see.
    pub(super) fn in_use(&self) -> Selection {
        self.allowed(Filter::default())
    }

    /// The memories that a condition selects, without those that the caller's rules hide from it.
    pub(super) fn allowed(&self, mut filter: Filter) -> Selection {
        // What was read from a file that is gone is out of use, once the folder was read.
        let is_in_use = filter.statuses.any == [Status::Active];
        let hidden = match &self.shared_rules {
            Some(rules) if is_in_use && rules.is_current() => rules.clause(),
            _ => self.hidden_files(),
        };
        filter.clauses.extend(hidden);
        Selection { scope: self.scope(), filter, now_ms: self.who.at_ms }
    }

    /// The condition that leaves out what was ever read from files that the caller's rules hide.
    pub(super) fn hidden_files(&self) -> Option<Clause> {
        let rules = self.shared_rules.as_ref()?;
        // Then it doesn't matter which files there were.
        if let Some(whole) = rules.whole_folder_clause() {
            return Some(whole);
        }
        match self.sources_of_shared_files() {
            Ok(known) => rules.clause_with(known),
            Err(error) => {
                log::info!("what was read from shared files before isn't known: {error}");
                Some(without_folder())
            }
        }
    }

    /// The sources of what was ever read from files that the project shares. A process looks through the project's memories for
    /// them when something changed.
    fn sources_of_shared_files(&self) -> Result<Vec<String>, Failure> {
        type Known = BTreeMap<(PathBuf, String), (i64, Vec<String>)>;
        static KNOWN: Mutex<Known> = Mutex::new(BTreeMap::new());
        let Some(keys) = self.keys() else { return Ok(Vec::new()) };
        let Some(store) = self.reader()? else { return Ok(Vec::new()) };
        let change = store.last_change()?;
        let of = (self.database.clone(), keys.all().collect::<Vec<_>>().join("\n"));
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let sources = known().get(&of).filter(|(at, _)| *at == change).map(|(_, sources)| sources.clone());
        if let Some(sources) = sources {
            return Ok(sources);
        }
        let sources = store.sources_below(&keys, FOLDER)?;
        known().insert(of, (change, sources.clone()));
        Ok(sources)
    }

    /// Whether memories of files that the project shares are left out for the caller.
    pub(super) fn leaves_out_shared(&self) -> bool {
        let has_files = self.root.as_deref().is_some_and(|root| root.join(FOLDER).is_dir());
        has_files && !self.hidden_from_caller().is_empty()
    }

    /// Whether the caller's rules let it read the shared file with this source.
    pub(super) fn may_read(&self, source: &str) -> bool {
        self.shared_rules.as_ref().is_none_or(|rules| rules.allows(source))
    }

    /// Whether the caller's rules let it be given what this memory says.
    pub(super) fn may_be_given(&self, memory: &Memory) -> bool {
        self.shared_rules.as_ref().is_none_or(|rules| rules.allows_memory(memory))
    }

    /// A text that tells apart what is hidden from different callers.
    pub(super) fn hidden_from_caller(&self) -> String {
        let clause = self.shared_rules.as_ref().and_then(SharedRules::clause);
        clause.map(|clause| format!("{clause:?}")).unwrap_or_default()
    }

    /// The clause for memories that mention one of these entities.
    pub(super) fn ids_mentioning(&self, names: &[String]) -> Result<Clause, Failure> {
        let (store, scope) = (self.reader()?, self.scope());
        Ok(match &store {
            Some(store) => store.mention_clause(&scope, names, MAX_MENTIONING)?,
            // Others on the server may mention it even if nobody here does.
            None => Clause::Mentions { ids: Vec::new(), names: possible_names(names) },
        })
    }

    /// Whether the caller may see a memory. Pending memories are for the user to review, and what the user dropped or
    /// deleted is theirs: an agent never gets either, nor what a file says that its rules hide.
    fn may_see(&self, store: &dyn Store, memory: &Memory) -> Result<bool, Failure> {
        if !self.may_be_given(memory) {
            return Ok(false);
        }
        if self.who.client.is_none() {
            return Ok(true);
        }
        Ok(match memory.status {
            Status::Pending => false,
            Status::Tombstoned => {
                let latest = store.history(&memory.id, MAX_STEPS)?;
                let deleted = latest.iter().find(|step| step.what == ChangeKind::Deleted);
                deleted.is_some_and(|step| step.who.client.is_some())
            }
            _ => true,
        })
    }

    /// Refuses an action that only the user may take.
    pub(super) fn require_user(&self, what: &str) -> Result<(), Failure> {
        if self.who.client.is_none() {
            return Ok(());
        }
        Err(Failure {
            code: ErrorCode::Denied,
            ..Failure::unusable(format!(
                "{what} is the user's: `plimsoll memory review` in a terminal, or Memory in Plimsoll's window"
            ))
        })
    }

    /// The store for reading; `None` if nothing was ever captured.
    pub(crate) fn reader(&self) -> Result<Option<SqliteStore>, Failure> {
        // Reading salvages nothing, and somebody who only recalls would be told of the damage for ever.
        let marked = home::is_marked_damaged(&self.database);
        let mut failed = marked.then(|| SqliteStore::open(&self.database).err()).flatten();
        let mut store = SqliteStore::open_read_only(&self.database)?;
        // Nor is the index built by reading, and a recall would find nothing old.
        if failed.is_none() && store.as_ref().is_some_and(|store| !store.has_whole_index()) {
            failed = build_index(&self.database);
            store = SqliteStore::open_read_only(&self.database)?;
        }
        if let Some(error) = failed {
            // On a full disk nothing is salvaged, and most can be read all the same.
            log::warn!("{error}");
        }
        Ok(store)
    }

    /// The store for writing.
    pub(crate) fn writer(&self) -> Result<SqliteStore, Failure> {
        self.wrote.store(true, Ordering::Relaxed);
        let mut store = SqliteStore::open(&self.database)?;
        self.record_tree(&mut store);
        Ok(store)
    }

    /// Records the work tree, so that its memories follow when its remote or folder changes. An error costs only that.
    fn record_tree(&self, store: &mut SqliteStore) {
        let Some(tree) = &self.tree else { return };
        if let Err(error) = store.record_tree(tree, self.who.at_ms) {
            log::info!("{} isn't recorded: {error}", tree.root.display());
        }
    }

    /// Records the work tree of a server that starts, if anything was ever stored.
    pub(crate) fn record_start(&self) {
        if !self.database.exists() || self.tree.is_none() {
            return;
        }
        match SqliteStore::open(&self.database) {
            Ok(mut store) => self.record_tree(&mut store),
            Err(error) => log::info!("the work tree isn't recorded: {error}"),
        }
    }

    /// The connection to the organisation's server, if configured. Doesn't connect yet.
    pub(crate) fn org_connection(&self) -> Option<OrgConnection> {
        let server = self.org_server.as_ref()?.as_ref().ok()?;
        Some(OrgConnection::of(&self.database, server))
    }

    /// The memory with this address or id prefix. A memory outside the scope counts as missing.
    pub(super) fn find(&self, store: &dyn Store, address: &str) -> Result<Memory, Failure> {
        let wanted = Address::parse(address)?;
        let Some(id) = wanted.id else {
            return Err(Failure::invalid(format!("\"{address}\" names no single memory; give an id")));
        };
        let mut seen = Vec::new();
        for id in store.ids(&id, 20)? {
            let Some(memory) = store.get(&id)?.filter(|memory| self.scope().sees(memory)) else { continue };
            if self.may_see(store, &memory)? {
                seen.push(memory);
            }
        }
        let exact = seen.iter().position(|memory| memory.id == id);
        let memory = match (exact, seen.len()) {
            (Some(at), _) => seen.swap_remove(at),
            (None, 1) => seen.swap_remove(0),
            (None, 0) => match self.find_by_filed_id(store, &id)? {
                Some(memory) => memory,
                None => return Err(StoreError::NotFound(id).into()),
            },
            (None, count) => return Err(StoreError::Ambiguous { id, count }.into()),
        };
        let fits = wanted.domain.is_none_or(|domain| domain == memory.domain)
            && wanted.namespace.is_none_or(|namespace| namespace == memory.namespace);
        if !fits {
            return Err(StoreError::Elsewhere { id: memory.id, asked: address.to_owned() }.into());
        }
        Ok(memory)
    }

    /// The memory that was read from the file with this id: a colleague's address names it, too.
    fn find_by_filed_id(&self, store: &dyn Store, id: &str) -> Result<Option<Memory>, Failure> {
        let Some(root) = self.root.as_deref() else { return Ok(None) };
        let sources: Vec<Glob> =
            sources_with_id(root, id).iter().take(MAX_STEPS).map(|one| Glob::literal(one)).collect();
        if sources.is_empty() {
            return Ok(None);
        }
        let clauses = vec![Clause::Trust(vec![Trust::Repository]), Clause::Text(Field::Source, sources)];
        let filter = Filter { clauses, statuses: Statuses::all() };
        let selection = Selection { scope: self.scope(), filter, now_ms: self.who.at_ms };
        let mut found = Vec::new();
        for memory in store.list(&selection, Page { offset: 0, limit: MAX_STEPS })?.memories {
            if self.may_see(store, &memory)? {
                found.push(memory);
            }
        }
        // One in use before those that aren't.
        if found.iter().any(|memory| memory.status == Status::Active) {
            found.retain(|memory| memory.status == Status::Active);
        }
        match found.len() {
            0 | 1 => Ok(found.pop()),
            count => {
                // More digits may not tell them apart: a copy of a file has its id.
                let name =
                    |one: &Memory| format!("{} in {}", one.id, one.source.as_deref().unwrap_or_default());
                let named: Vec<String> = found.iter().take(MAX_NAMED).map(name).collect();
                Err(Failure::invalid(format!(
                    "{count} shared files have an id that begins with {id}; here they have ids of their own: {}",
                    named.join(", ")
                )))
            }
        }
    }
}

/// Builds an incomplete index, as whoever opens the database for writing does; returns why it can't be built. Where that failed
/// a moment ago, it isn't tried.
fn build_index(database: &Path) -> Option<StoreError> {
    static FAILED: Mutex<BTreeMap<PathBuf, Instant>> = Mutex::new(BTreeMap::new());
    let failed = || FAILED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_paused = failed().get(database).is_some_and(|at| at.elapsed() < PAUSE_AFTER_FAILURE);
    if is_paused {
        return None;
    }
    let error = SqliteStore::open(database).err()?;
    failed().insert(database.to_owned(), Instant::now());
    Some(error)
}
