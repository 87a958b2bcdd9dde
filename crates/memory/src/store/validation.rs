//! Validates the memories and changes that go into a store. Stores only accept validated types, so captures, changes
//! and imports follow the same rules. `sanitizer` says what of a text may be stored.

use super::error::{Result, StoreError};
use super::sanitizer::{Sanitizer, Secrets};
use crate::domain::{Domain, Memory, Namespace, Status, Trust, hash};

/// A memory to capture, not validated yet.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Its text.
    pub content: String,
    /// Its namespace.
    pub namespace: Namespace,
    /// Who it is for.
    pub domain: Domain,
    /// Its project's key.
    pub project: Option<String>,
    /// The git branch.
    pub branch: Option<String>,
    /// The file, relative to the project.
    pub file: Option<String>,
    /// Its source.
    pub source: Option<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// Its author.
    pub author: Option<String>,
    /// The capturing agent.
    pub client: Option<String>,
    /// The session.
    pub session: Option<String>,
    /// How far to trust it.
    pub trust: Trust,
    /// [`Status::Active`], or [`Status::Pending`] if nobody has reviewed it.
    pub status: Status,
    /// The time in milliseconds until it expires; 0 for never.
    pub ttl_ms: Option<i64>,
    /// Ids of the memories that it replaces.
    pub supersedes: Vec<String>,
}

impl Draft {
    /// A draft with only its content.
    pub fn new(content: impl Into<String>, namespace: Namespace, domain: Domain) -> Self {
        Self {
            content: content.into(),
            namespace,
            domain,
            project: None,
            branch: None,
            file: None,
            source: None,
            tags: Vec::new(),
            author: None,
            client: None,
            session: None,
            trust: Trust::Agent,
            status: Status::Active,
            ttl_ms: None,
            supersedes: Vec::new(),
        }
    }

    /// Validates the draft. What comes from a web page is untrusted, whatever the draft says.
    ///
    /// # Errors
    /// [`StoreError::Empty`], [`StoreError::TooLong`], [`StoreError::BadField`], [`StoreError::Secret`].
    pub fn check(self, secrets: Secrets) -> Result<NewMemory> {
        let mut guard = Sanitizer::new(secrets);
        let content = guard.content(self.content)?;
        let trust = self.trust.with_source(self.source.as_deref());
        let draft = Draft {
            tags: guard.tags(self.tags)?,
            project: guard.field("project", self.project)?,
            branch: guard.field("branch", self.branch)?,
            file: guard.field("file", self.file)?,
            source: guard.field("source", self.source)?,
            trust,
            author: guard.field("author", self.author)?,
            client: guard.field("client", self.client)?,
            session: guard.field("session", self.session)?,
            content,
            ..self
        };
        let hash = hash(&draft.content);
        Ok(NewMemory { draft, hash, redacted: guard.redacted() })
    }
}

/// A validated draft.
#[derive(Debug, Clone)]
pub struct NewMemory {
    draft: Draft,
    hash: [u8; 16],
    redacted: bool,
}

impl NewMemory {
    /// The draft, without secrets.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// The hash of its content.
    pub fn hash(&self) -> [u8; 16] {
        self.hash
    }

    /// Whether a secret was redacted.
    pub fn redacted(&self) -> bool {
        self.redacted
    }

    /// The change to a known memory with this text, if that ends before this one would. What waits for a review, or
    /// what others wrote, prolongs nothing.
    pub(in crate::store) fn prolongs(&self, known: &Memory, at_ms: i64) -> Option<NewChange> {
        let end = known.expires_ms?;
        let ttl = self.draft.ttl_ms.filter(|ttl| *ttl > 0);
        let lasts = ttl.is_some_and(|ttl| at_ms.saturating_add(ttl) <= end);
        let is_asked =
            self.draft.status == Status::Active && matches!(self.draft.trust, Trust::User | Trust::Agent);
        let change = Change { ttl_ms: Some(ttl.unwrap_or(0)), ..Change::default() };
        (is_asked && !lasts).then_some(NewChange { change, redacted: false })
    }
}

/// A change to a memory, not validated yet. `None` leaves a field unchanged.
#[derive(Debug, Clone, Default)]
pub struct Change {
    /// The new content.
    pub content: Option<String>,
    /// The new tags, replacing all.
    pub tags: Option<Vec<String>>,
    /// The new namespace.
    pub namespace: Option<Namespace>,
    /// The new source.
    pub source: Option<String>,
    /// The time in milliseconds until it expires, from now on; 0 for never.
    pub ttl_ms: Option<i64>,
    /// The expected current version; `None` accepts any.
    pub expected: Option<u32>,
}

impl Change {
    /// Validates the change.
    ///
    /// # Errors
    /// As [`Draft::check`], and [`StoreError::NothingToChange`].
    pub fn check(self, secrets: Secrets) -> Result<NewChange> {
        let nothing = self.content.is_none()
            && self.tags.is_none()
            && self.namespace.is_none()
            && self.source.is_none()
            && self.ttl_ms.is_none();
        if nothing {
            return Err(StoreError::NothingToChange);
        }
        let mut guard = Sanitizer::new(secrets);
        let change = Change {
            content: self.content.map(|content| guard.content(content)).transpose()?,
            tags: self.tags.map(|tags| guard.tags(tags)).transpose()?,
            source: guard.field("source", self.source)?,
            ..self
        };
        Ok(NewChange { change, redacted: guard.redacted() })
    }
}

/// A validated change.
#[derive(Debug, Clone)]
pub struct NewChange {
    change: Change,
    redacted: bool,
}

impl NewChange {
    /// The change, without secrets.
    pub fn change(&self) -> &Change {
        &self.change
    }

    /// Whether a secret was redacted.
    pub fn redacted(&self) -> bool {
        self.redacted
    }
}
