//! A selection: the scope, the filter and the time of a query. The only way to read memories.

use super::filter::Filter;
use crate::domain::{Domain, Memory};

/// A project by its key now and the keys that it had before, such as that of a remote that was renamed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProjectKeys {
    here: String,
    earlier: Vec<String>,
}

impl ProjectKeys {
    /// A project's keys; the current one first.
    pub fn new(here: impl Into<String>, earlier: Vec<String>) -> Self {
        let here = here.into();
        let earlier = earlier.into_iter().filter(|key| *key != here).collect();
        Self { here, earlier }
    }

    /// The current key, under which everything new is stored.
    pub fn here(&self) -> &str {
        &self.here
    }

    /// Every key, the current one first.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.here.as_str()).chain(self.earlier.iter().map(String::as_str))
    }

    /// The other keys.
    pub fn earlier(&self) -> Vec<String> {
        self.earlier.clone()
    }

    /// Whether a key is one of the project's.
    pub fn contains(&self, key: &str) -> bool {
        self.all().any(|known| known == key)
    }
}

impl From<&str> for ProjectKeys {
    fn from(here: &str) -> Self {
        Self::new(here, Vec::new())
    }
}

impl From<String> for ProjectKeys {
    fn from(here: String) -> Self {
        Self::new(here, Vec::new())
    }
}

/// The scope of a query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    /// Outside any project: the user's and the organisation's memories.
    #[default]
    Outside,
    /// In a project: its memories, the user's and the organisation's.
    Project(ProjectKeys),
    /// All projects, for the user's own overview. Never for an agent.
    Everywhere,
}

impl Scope {
    /// Whether a memory is in scope.
    pub fn sees(&self, memory: &Memory) -> bool {
        match (self, memory.domain) {
            (Self::Everywhere, _) | (_, Domain::User | Domain::Org) => true,
            (Self::Outside, Domain::Project) => false,
            (Self::Project(keys), Domain::Project) => {
                memory.project.as_deref().is_some_and(|key| keys.contains(key))
            }
        }
    }
}

/// Which memories may be returned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// The scope.
    pub scope: Scope,
    /// The filter.
    pub filter: Filter,
    /// The current time (ms since the epoch), for expiry.
    pub now_ms: i64,
}

impl Selection {
    /// Whether a memory may be returned.
    pub fn accepts(&self, memory: &Memory) -> bool {
        self.scope.sees(memory) && self.filter.accepts(memory, self.now_ms)
    }
}
