//! A selection: who asks, from where, for what. The only way to memories.

use super::filter::Filter;
use crate::domain::{Domain, Memory};

/// From where memories are seen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    /// Outside any project: what is for the person and the organisation.
    #[default]
    Outside,
    /// In a project: its own memories, and those for the person and the organisation.
    Project(String),
    /// All projects, for the person's own look at everything. Never for an agent.
    Everywhere,
}

impl Scope {
    /// Whether a memory is seen from here.
    pub fn sees(&self, memory: &Memory) -> bool {
        match (self, memory.domain) {
            (Self::Everywhere, _) | (_, Domain::User | Domain::Org) => true,
            (Self::Outside, Domain::Project) => false,
            (Self::Project(here), Domain::Project) => memory.project.as_deref() == Some(here),
        }
    }
}

/// Which memories may come back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// From where.
    pub scope: Scope,
    /// What was asked for.
    pub filter: Filter,
    /// The time (ms since the epoch), by which memories expire.
    pub now_ms: i64,
}

impl Selection {
    /// Whether a memory may come back.
    pub fn accepts(&self, memory: &Memory) -> bool {
        self.scope.sees(memory) && self.filter.accepts(memory, self.now_ms)
    }
}
