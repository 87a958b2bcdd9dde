//! Validates what goes into a store: sizes, fields, secrets. Stores only accept validated types, so captures, changes
//! and imports follow the same rules.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::error::{MAX_CONTENT_BYTES, Result, StoreError};
use crate::domain::{Domain, Namespace, Status, Trust, hash};

/// Maximum length of a field.
const MAX_FIELD_BYTES: usize = 1_000;
/// Maximum length of a tag.
const MAX_TAG_BYTES: usize = 100;
/// Maximum number of tags.
const MAX_TAGS: usize = 50;

/// How secrets are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Secrets {
    /// They are redacted, and the reply says so.
    #[default]
    Redact,
    /// The text is refused.
    Refuse,
}

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

    /// Validates the draft.
    ///
    /// # Errors
    /// [`StoreError::Empty`], [`StoreError::TooLong`], [`StoreError::BadField`], [`StoreError::Secret`].
    pub fn check(self, secrets: Secrets) -> Result<NewMemory> {
        let mut guard = Sanitizer { secrets, redacted: false };
        let content = guard.content(self.content)?;
        let draft = Draft {
            tags: guard.tags(self.tags)?,
            project: self.project,
            branch: guard.field("branch", self.branch)?,
            file: guard.field("file", self.file)?,
            source: guard.field("source", self.source)?,
            author: guard.field("author", self.author)?,
            client: guard.field("client", self.client)?,
            session: guard.field("session", self.session)?,
            content,
            ..self
        };
        let hash = hash(&draft.content);
        Ok(NewMemory { draft, hash, redacted: guard.redacted })
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
        let mut guard = Sanitizer { secrets, redacted: false };
        let change = Change {
            content: self.content.map(|content| guard.content(content)).transpose()?,
            tags: self.tags.map(|tags| guard.tags(tags)).transpose()?,
            source: guard.field("source", self.source)?,
            ..self
        };
        Ok(NewChange { change, redacted: guard.redacted })
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

struct Sanitizer {
    secrets: Secrets,
    redacted: bool,
}

impl Sanitizer {
    fn content(&mut self, content: String) -> Result<String> {
        if content.trim().is_empty() {
            return Err(StoreError::Empty);
        }
        if content.len() > MAX_CONTENT_BYTES {
            return Err(StoreError::TooLong { bytes: content.len() });
        }
        self.clean("content", content)
    }

    fn field(&mut self, field: &'static str, text: Option<String>) -> Result<Option<String>> {
        let Some(text) = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        short(field, &text, MAX_FIELD_BYTES)?;
        self.clean(field, text).map(Some)
    }

    fn tags(&mut self, tags: Vec<String>) -> Result<Vec<String>> {
        let mut out: Vec<String> = Vec::new();
        for tag in tags {
            let tag = tag.trim().to_owned();
            if tag.is_empty() {
                continue;
            }
            short("tags", &tag, MAX_TAG_BYTES)?;
            if tag.contains(',') {
                let reason = format!("the tag \"{tag}\" has a comma; give a list of tags");
                return Err(StoreError::BadField { field: "tags", reason });
            }
            let tag = self.clean("tags", tag)?;
            if !out.contains(&tag) {
                out.push(tag);
            }
        }
        if out.len() > MAX_TAGS {
            let reason = format!("there are {}; a memory has at most {MAX_TAGS}", out.len());
            return Err(StoreError::BadField { field: "tags", reason });
        }
        Ok(out)
    }

    fn clean(&mut self, field: &'static str, text: String) -> Result<String> {
        let cleaned = match text::redact(&text) {
            Cow::Owned(clean) if clean != text => clean,
            _ => return Ok(text),
        };
        match self.secrets {
            Secrets::Redact => {
                self.redacted = true;
                Ok(cleaned)
            }
            Secrets::Refuse => Err(StoreError::Secret { field, kinds: kinds(&text, &cleaned) }),
        }
    }
}

fn short(field: &'static str, text: &str, most: usize) -> Result<()> {
    let reason = if text.len() > most {
        format!("it has {} bytes; the limit is {most}", text.len())
    } else if text.chars().any(char::is_control) {
        "it has control characters".into()
    } else {
        return Ok(());
    };
    Err(StoreError::BadField { field, reason })
}

/// The kinds of the redacted secrets, without duplicates.
fn kinds(before: &str, after: &str) -> String {
    const MARK: &str = "[redacted:";
    let marks = |text: &str| -> BTreeSet<String> {
        text.split(MARK).skip(1).filter_map(|rest| rest.split(']').next().map(str::to_owned)).collect()
    };
    let new: Vec<String> = marks(after).difference(&marks(before)).cloned().collect();
    if new.is_empty() { "secret".into() } else { new.join(", ") }
}
