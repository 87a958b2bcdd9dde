//! A filter that has been understood: what is asked of which field, and whether a memory meets it.

use super::glob::Glob;
use crate::domain::{Domain, Memory, Namespace, Status, Trust};

/// A field that a text pattern can be asked of.
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
    /// What a memory has there.
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

/// One condition. A list in it means any of them; all conditions of a filter must be met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clause {
    /// `ns:`
    Namespace(Vec<Namespace>),
    /// `domain:`
    Domain(Vec<Domain>),
    /// `trust:`
    Trust(Vec<Trust>),
    /// `tag:`; any of a memory's tags fits any of these.
    Tag(Vec<Glob>),
    /// A field fits any of these; one that is empty fits none.
    Text(Field, Vec<Glob>),
    /// `since:` and `until:`: captured in this range of ms since the epoch, the end not included.
    Captured {
        /// From here on.
        from: Option<i64>,
        /// Up to here.
        until: Option<i64>,
    },
    /// `entity:` before anybody has looked up who speaks of these; met by nothing.
    Entity(Vec<String>),
    /// What speaks of something: on this computer the memories with these ids, elsewhere those that name it.
    SpeaksOf {
        /// The memories.
        ids: Vec<String>,
        /// All of its names, folded.
        names: Vec<String>,
    },
    /// The condition after `-`.
    Not(Box<Clause>),
}

impl Clause {
    /// Whether a memory meets it.
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
            Self::SpeaksOf { ids, .. } => ids.contains(&memory.id),
            Self::Not(clause) => !clause.accepts(memory),
        }
    }

    fn look_up<E>(&mut self, speaking_of: &mut impl FnMut(&[String]) -> Result<Self, E>) -> Result<(), E> {
        match self {
            Self::Entity(names) => *self = speaking_of(names)?,
            Self::Not(clause) => clause.look_up(speaking_of)?,
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

/// Which states come back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statuses {
    /// These.
    pub any: Vec<Status>,
    /// Those whose time has passed: `Some(true)` only they, `Some(false)` never, `None` as well.
    pub expired: Option<bool>,
}

impl Default for Statuses {
    /// Active ones whose time has not passed.
    fn default() -> Self {
        Self { any: vec![Status::Active], expired: Some(false) }
    }
}

impl Statuses {
    /// Everything there is.
    pub fn all() -> Self {
        Self { any: Status::ALL.iter().map(|(status, _)| *status).collect(), expired: None }
    }

    /// Whether a memory is in such a state at this time.
    pub fn accepts(&self, memory: &Memory, now_ms: i64) -> bool {
        self.any.contains(&memory.status)
            && self.expired.is_none_or(|expired| memory.expired(now_ms) == expired)
    }
}

/// A filter: all of its conditions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// The conditions.
    pub clauses: Vec<Clause>,
    /// The states that were asked for.
    pub statuses: Statuses,
}

impl Filter {
    /// Whether a memory meets all of it at this time.
    pub fn accepts(&self, memory: &Memory, now_ms: i64) -> bool {
        self.statuses.accepts(memory, now_ms) && self.clauses.iter().all(|clause| clause.accepts(memory))
    }

    /// Whether [`look_up`](Self::look_up) is due.
    pub fn names_entities(&self) -> bool {
        self.clauses.iter().any(Clause::is_entity)
    }

    /// Replaces names of entities by what speaks of one of them.
    ///
    /// # Errors
    /// Those of `speaking_of`.
    pub fn look_up<E>(
        &mut self,
        mut speaking_of: impl FnMut(&[String]) -> Result<Clause, E>,
    ) -> Result<(), E> {
        self.clauses.iter_mut().try_for_each(|clause| clause.look_up(&mut speaking_of))
    }

    /// Whether it asks for nothing at all.
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty() && self.statuses == Statuses::default()
    }
}
