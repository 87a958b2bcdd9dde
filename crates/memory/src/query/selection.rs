//! A selection: the scope, the filter and the time of a query. The only way to read memories.

use super::filter::Filter;
use crate::domain::{Domain, Memory};

/// The scope of a query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    /// Outside any project: the user's and the organisation's memories.
    #[default]
    Outside,
    /// In a project: its memories, the user's and the organisation's.
    Project(String),
    /// All projects, for the user's own overview. Never for an agent.
    Everywhere,
}

impl Scope {
    /// Whether a memory is in scope.
    pub fn sees(&self, memory: &Memory) -> bool {
        match (self, memory.domain) {
            (Self::Everywhere, _) | (_, Domain::User | Domain::Org) => true,
            (Self::Outside, Domain::Project) => false,
            (Self::Project(here), Domain::Project) => memory.project.as_deref() == Some(here),
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
