//! Where someone asks: the database, the project, the branch, who they are, and when. Every action begins here, so that
//! none can forget the scope.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use contract::ErrorCode;
use home::Project;
use system::Sampling;

use super::branches::current;
use super::failure::Failure;
use crate::domain::{Address, Memory, Status, project_key};
use crate::graph::possible_names;
use crate::meaning::{Embedder, MeaningError};
use crate::model::{Model, ModelError};
use crate::org::Link;
use crate::query::{Clause, Filter, Scope, Selection};
use crate::store::{OrgError, Secrets, Server, SqliteStore, Store, StoreError, Who};

/// So many memories that speak of an entity are looked at, the newest.
const SPOKEN_OF: usize = 5_000;

/// Where someone asks.
#[derive(Debug, Clone)]
pub struct Desk {
    /// The database.
    pub database: PathBuf,
    /// The project's folder; `None` outside any.
    pub root: Option<PathBuf>,
    /// How memories name the project.
    pub project: Option<String>,
    /// The branch that is checked out.
    pub branch: Option<String>,
    /// Every project is seen, and not only this one: never for an agent.
    pub everywhere: bool,
    /// Who asks, and when.
    pub who: Who,
    /// What happens to secrets.
    pub secrets: Secrets,
    /// The organisation's server in the settings, if there is one; never set for a hook.
    pub org_server: Option<Result<Server, OrgError>>,
    /// Where vectors come from, if the settings name something; never set for a hook.
    pub embedder: Option<Result<Embedder, MeaningError>>,
    /// The language model, if the settings name one; never set for a hook.
    pub model: Option<Result<Model, ModelError>>,
    /// The way to the model of the agent that asks.
    pub sampling: Sampling,
    /// Something may have been written.
    pub wrote: Arc<AtomicBool>,
}

impl Desk {
    /// The desk of someone who works in this project.
    pub fn in_project(database: &Path, project: Option<&Project>, who: Who) -> Self {
        Self {
            database: database.to_owned(),
            root: project.map(|project| project.root.clone()),
            project: project.map(project_key),
            branch: project.and_then(|project| current(&project.root)),
            everywhere: false,
            who,
            secrets: Secrets::default(),
            org_server: None,
            embedder: None,
            model: None,
            sampling: Sampling::none(),
            wrote: Arc::default(),
        }
    }

    /// What is seen from here.
    pub fn scope(&self) -> Scope {
        if self.everywhere {
            return Scope::Everywhere;
        }
        self.project.clone().map_or(Scope::Outside, Scope::Project)
    }

    /// What is seen from here of a filter.
    pub(crate) fn selection(&self, filter: &str) -> Result<Selection, Failure> {
        let mut filter = Filter::parse(filter, self.who.at_ms)?;
        filter.statuses.any.retain(|status| self.may_see(*status));
        if filter.names_entities() {
            filter.look_up(|names| self.speaking_of(names))?;
        }
        Ok(Selection { scope: self.scope(), filter, now_ms: self.who.at_ms })
    }

    /// What speaks of one of these.
    pub(super) fn speaking_of(&self, names: &[String]) -> Result<Clause, Failure> {
        let (store, scope) = (self.reader()?, self.scope());
        Ok(match &store {
            Some(store) => store.spoken_of(&scope, names, SPOKEN_OF)?,
            // Somebody else on the server may speak of it all the same.
            None => Clause::SpeaksOf { ids: Vec::new(), names: possible_names(names) },
        })
    }

    /// Whether something in this state may be seen from here. What waits for a review was never kept by anybody: it is the
    /// person's to read, and no agent comes by it on any way.
    fn may_see(&self, status: Status) -> bool {
        status != Status::Pending || self.who.client.is_none()
    }

    /// That this is the person's to do.
    pub(super) fn of_person(&self, what: &str) -> Result<(), Failure> {
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

    /// The store for reading; `None` when nothing was ever captured.
    pub(crate) fn reader(&self) -> Result<Option<SqliteStore>, Failure> {
        Ok(SqliteStore::open_read_only(&self.database)?)
    }

    /// The store for writing.
    pub(crate) fn writer(&self) -> Result<SqliteStore, Failure> {
        self.wrote.store(true, Ordering::Relaxed);
        Ok(SqliteStore::open(&self.database)?)
    }

    /// The connection to the organisation's server, if there is one in the settings. Opens none yet.
    pub(crate) fn link(&self) -> Option<Link> {
        let server = self.org_server.as_ref()?.as_ref().ok()?;
        Some(Link::of(&self.database, server))
    }

    /// The memory of an address or the beginning of an id. What can't be seen from here does not exist.
    pub(super) fn find(&self, store: &dyn Store, address: &str) -> Result<Memory, Failure> {
        let wanted = Address::parse(address)?;
        let Some(id) = wanted.id else {
            return Err(Failure::invalid(format!("\"{address}\" names no single memory; give an id")));
        };
        let mut seen = Vec::new();
        for id in store.ids(&id, 20)? {
            seen.extend(
                store.get(&id)?.filter(|memory| self.scope().sees(memory) && self.may_see(memory.status)),
            );
        }
        let exact = seen.iter().position(|memory| memory.id == id);
        let memory = match (exact, seen.len()) {
            (Some(at), _) => seen.swap_remove(at),
            (None, 1) => seen.swap_remove(0),
            (None, 0) => return Err(StoreError::NotFound(id).into()),
            (None, count) => return Err(StoreError::Ambiguous { id, count }.into()),
        };
        let fits = wanted.domain.is_none_or(|domain| domain == memory.domain)
            && wanted.namespace.is_none_or(|namespace| namespace == memory.namespace);
        if !fits {
            return Err(StoreError::Elsewhere { id: memory.id, asked: address.to_owned() }.into());
        }
        Ok(memory)
    }
}
