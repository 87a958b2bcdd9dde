//! A parsed filter: the conditions on each field, and whether a memory meets them.

use super::glob::Glob;
use crate::domain::{Domain, Memory, Namespace, Status, Trust};

/// A field that accepts text patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// `source:`
    Source,
    /// `project:`
    Project,
    /// `branch:`
    Branch,
    /// `path:`
    Path,
    /// `author:`
    Author,
    /// `client:`
    Client,
    /// `session:`
    Session,
}

impl Field {
    /// The memory's value of this field.
    pub fn of(self, memory: &Memory) -> Option<&str> {
        match self {
            Self::Source => memory.source.as_deref(),
            Self::Project => memory.project.as_deref(),
            Self::Branch => memory.branch.as_deref(),
            Self::Path => memory.file.as_deref(),
            Self::Author => memory.author.as_deref(),
            Self::Client => memory.client.as_deref(),
            Self::Session => memory.session.as_deref(),
        }
    }
}

/// One condition. A list means any of its items; a memory must meet all conditions of a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clause {
    /// `ns:`
    Namespace(Vec<Namespace>),
    /// `domain:`
    Domain(Vec<Domain>),
    /// `trust:`
    Trust(Vec<Trust>),
    /// `tag:`; any of a memory's tags matches any of these.
    Tag(Vec<Glob>),
    /// The field matches any of these; an empty field matches none.
    Text(Field, Vec<Glob>),
    /// `since:` and `until:`: captured in this range (ms since the epoch), the end excluded; a date includes its day.
    Captured {
        /// The first moment.
        from: Option<i64>,
        /// The end.
        until: Option<i64>,
    },
    /// `entity:` before the lookup of what mentions these; no memory meets it.
    Entity(Vec<String>),
    /// Mentions an entity: locally the memories with these ids, elsewhere those that use one of its names.
    Mentions {
        /// The memories.
        ids: Vec<String>,
        /// All of its names, folded.
        names: Vec<String>,
    },
    /// Not deleted, or deleted by an agent: what the user deleted or dropped is theirs alone. Added for agents.
    NotDeletedByUser,
    /// The negated condition after `-`.
    Not(Box<Clause>),
}

impl Clause {
    /// Whether a memory meets the condition.
    pub fn accepts(&self, memory: &Memory) -> bool {
        match self {
            Self::Namespace(any) => any.contains(&memory.namespace),
            Self::Domain(any) => any.contains(&memory.domain),
            Self::Trust(any) => any.contains(&memory.trust),
            Self::Tag(any) => memory.tags.iter().any(|tag| any.iter().any(|glob| glob.matches(tag))),
            Self::Text(field, any) => {
                field.of(memory).is_some_and(|text| any.iter().any(|glob| glob.matches(text)))
            }
            Self::Captured { from, until } => {
                from.is_none_or(|from| memory.created_ms >= from)
                    && until.is_none_or(|until| memory.created_ms < until)
            }
            Self::Entity(_) => false,
            Self::Mentions { ids, .. } => ids.contains(&memory.id),
            // A memory alone doesn't tell who deleted it.
            Self::NotDeletedByUser => memory.status != Status::Tombstoned,
            Self::Not(clause) => !clause.accepts(memory),
        }
    }

    fn look_up<E>(&mut self, ids_mentioning: &mut impl FnMut(&[String]) -> Result<Self, E>) -> Result<(), E> {
        match self {
            Self::Entity(names) => *self = ids_mentioning(names)?,
            Self::Not(clause) => clause.look_up(ids_mentioning)?,
            _ => {}
        }
        Ok(())
    }

    fn is_entity(&self) -> bool {
        match self {
            Self::Entity(_) => true,
            Self::Not(clause) => clause.is_entity(),
            _ => false,
        }
    }
}

/// The states that a filter selects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statuses {
    /// These.
    pub any: Vec<Status>,
    /// Expired memories: `Some(true)` only those, `Some(false)` none, `None` both.
    pub expired: Option<bool>,
}

impl Default for Statuses {
    /// Active memories that haven't expired.
    fn default() -> Self {
        Self { any: vec![Status::Active], expired: Some(false) }
    }
}

impl Statuses {
    /// All states.
    pub fn all() -> Self {
        Self { any: Status::ALL.iter().map(|(status, _)| *status).collect(), expired: None }
    }

    /// Whether a memory's state is selected at this time.
    pub fn accepts(&self, memory: &Memory, now_ms: i64) -> bool {
        self.any.contains(&memory.status)
            && self.expired.is_none_or(|expired| memory.expired(now_ms) == expired)
    }
}

/// A filter: a memory must meet all of its conditions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// The conditions.
    pub clauses: Vec<Clause>,
    /// The selected states.
    pub statuses: Statuses,
}

impl Filter {
    /// Whether a memory meets the filter at this time.
    pub fn accepts(&self, memory: &Memory, now_ms: i64) -> bool {
        self.statuses.accepts(memory, now_ms) && self.clauses.iter().all(|clause| clause.accepts(memory))
    }

    /// Whether [`look_up`](Self::look_up) is needed.
    pub fn names_entities(&self) -> bool {
        self.clauses.iter().any(Clause::is_entity)
    }

    /// Replaces names of entities by the memories that mention them.
    ///
    /// # Errors
    /// Those of `ids_mentioning`.
    pub fn look_up<E>(
        &mut self,
        mut ids_mentioning: impl FnMut(&[String]) -> Result<Clause, E>,
    ) -> Result<(), E> {
        self.clauses.iter_mut().try_for_each(|clause| clause.look_up(&mut ids_mentioning))
    }

    /// Whether it selects every memory in use: a status alone doesn't tell which are meant.
    pub fn selects_all(&self) -> bool {
        let in_use = self.statuses.any.contains(&Status::Active) && self.statuses.expired != Some(true);
        self.clauses.iter().all(|clause| *clause == Clause::NotDeletedByUser) && in_use
    }
}
