//! Decides which part of a text may be stored: the one place that takes out secrets and what is between `<private>` and
//! `</private>`, and that limits the sizes of fields. Every text on its way into `memory.db` passes it: memories and
//! changes as [`Draft`](super::Draft) and [`Change`](super::Change), everything else as [`Checked`], and what other
//! computers send as [`clean_memory`] and [`clean_json`].

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value};
use sessions::without_private;

use super::error::{MAX_CONTENT_BYTES, Result, StoreError};
use super::messages;
use super::new_entity::NewEntity;
use crate::domain::{Memory, Trust};
use crate::graph::{MAX_NAME_BYTES, entity_id};
use crate::prompts::Saved;

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

/// A value whose texts may be stored.
#[derive(Debug, Clone)]
pub struct Checked<T>(T);

impl<T: Sanitize> Checked<T> {
    /// Checks all texts of a value.
    ///
    /// # Errors
    /// [`StoreError::Empty`], [`StoreError::TooLong`], [`StoreError::BadField`], [`StoreError::Secret`].
    pub fn new(value: T, secrets: Secrets) -> Result<Self> {
        value.sanitized(&mut Sanitizer::new(secrets)).map(Self)
    }

    /// The value.
    pub fn get(&self) -> &T {
        &self.0
    }
}

/// What can be stored besides memories.
pub trait Sanitize: Sized {
    /// The same without what may not be stored.
    ///
    /// # Errors
    /// As [`Checked::new`].
    fn sanitized(self, guard: &mut Sanitizer) -> Result<Self>;
}

impl Sanitize for NewEntity {
    fn sanitized(self, guard: &mut Sanitizer) -> Result<Self> {
        Ok(Self {
            name: guard.name(self.name)?,
            aliases: self.aliases.into_iter().map(|alias| guard.name(alias)).collect::<Result<_>>()?,
            properties: self.properties.sanitized(guard)?,
            kind: self.kind,
        })
    }
}

/// An entity's name.
impl Sanitize for String {
    fn sanitized(self, guard: &mut Sanitizer) -> Result<Self> {
        guard.name(self)
    }
}

/// The properties of an entity or a relation.
impl Sanitize for Map<String, Value> {
    fn sanitized(self, guard: &mut Sanitizer) -> Result<Self> {
        let value = each_text(Value::Object(self), &|text| without_private(&text).into_owned());
        // As one text, because a key like `password` tells what its value is.
        let text = guard.without_secrets("properties", value.to_string())?;
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }
}

impl Sanitize for Saved {
    fn sanitized(self, guard: &mut Sanitizer) -> Result<Self> {
        let mut variables = self.variables;
        for one in &mut variables {
            one.description = guard.text("variables", one.description.take())?;
            one.default = guard.text("variables", one.default.take())?;
        }
        // A name is an address, which a mark in it would make unusable.
        if guard.without_secrets("name", self.name.clone())? != self.name {
            let reason = messages::field_secret();
            return Err(StoreError::BadField { field: "name", reason });
        }
        Ok(Self {
            description: guard.text("description", self.description)?,
            content: guard.content(self.content)?,
            tags: guard.tags(self.tags)?,
            variables,
            ..self
        })
    }
}

/// Takes out what may not be stored, and remembers whether there was any.
#[derive(Debug)]
pub struct Sanitizer {
    secrets: Secrets,
    redacted: bool,
}

impl Sanitizer {
    pub(super) fn new(secrets: Secrets) -> Self {
        Self { secrets, redacted: false }
    }

    /// Whether something was taken out.
    pub(super) fn redacted(&self) -> bool {
        self.redacted
    }

    pub(super) fn content(&mut self, content: String) -> Result<String> {
        let content = self.public(content);
        if content.trim().is_empty() {
            return Err(StoreError::Empty);
        }
        if content.len() > MAX_CONTENT_BYTES {
            return Err(StoreError::TooLong { bytes: content.len() });
        }
        self.without_secrets("content", content)
    }

    /// A short text of one line; none if it is empty.
    pub(super) fn field(&mut self, field: &'static str, text: Option<String>) -> Result<Option<String>> {
        let text = text.map(|text| self.public(text).trim().to_owned());
        let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(None) };
        short(field, &text, MAX_FIELD_BYTES)?;
        self.without_secrets(field, text).map(Some)
    }

    pub(super) fn tags(&mut self, tags: Vec<String>) -> Result<Vec<String>> {
        let mut out: Vec<String> = Vec::new();
        for tag in tags {
            let tag = self.public(tag).trim().to_owned();
            if tag.is_empty() {
                continue;
            }
            short("tags", &tag, MAX_TAG_BYTES)?;
            if tag.contains(',') {
                let reason = messages::field_comma(tag);
                return Err(StoreError::BadField { field: "tags", reason });
            }
            let tag = self.without_secrets("tags", tag)?;
            if !out.contains(&tag) {
                out.push(tag);
            }
        }
        if out.len() > MAX_TAGS {
            let reason = messages::field_many_tags(out.len(), MAX_TAGS);
            return Err(StoreError::BadField { field: "tags", reason });
        }
        Ok(out)
    }

    /// A text of any length; none if it is empty.
    fn text(&mut self, field: &'static str, text: Option<String>) -> Result<Option<String>> {
        let text = text.map(|text| self.public(text)).filter(|text| !text.trim().is_empty());
        text.map(|text| self.without_secrets(field, text)).transpose()
    }

    /// The name of an entity.
    fn name(&mut self, name: String) -> Result<String> {
        let name = self.public(name);
        if name.len() > MAX_NAME_BYTES || name.chars().any(char::is_control) || entity_id(&name) == "entity" {
            let given = format!("{:?}", text::redact(&name).chars().take(40).collect::<String>());
            let reason = messages::field_no_name(given, MAX_NAME_BYTES);
            return Err(StoreError::BadField { field: "name", reason });
        }
        self.without_secrets("name", name)
    }

    /// The text without what its author marked as private.
    fn public(&mut self, text: String) -> String {
        match without_private(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(public) => {
                self.redacted = true;
                public
            }
        }
    }

    fn without_secrets(&mut self, field: &'static str, text: String) -> Result<String> {
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

/// A memory without the secrets and private parts that it shouldn't have: it comes from another computer, or goes
/// there and was stored when fewer kinds of secrets were known.
pub(crate) fn clean_memory(memory: &mut Memory) {
    let fields = [&mut memory.branch, &mut memory.file, &mut memory.source, &mut memory.author];
    let texts = fields.into_iter().filter_map(Option::as_mut).chain(&mut memory.tags);
    for text in texts.chain([&mut memory.content]) {
        *text = clean(text);
    }
}

/// A memory's trust with new words: see [`Memory::trust_with`]. What is left of its own words, once today's rules took the
/// secrets out, is nobody else's.
pub(crate) fn trust_with(memory: &Memory, content: &str, giver: Trust) -> Trust {
    let trust = memory.trust_with(content, giver);
    if trust == memory.trust {
        return trust;
    }
    let cleaned = Memory { content: clean(&memory.content), ..memory.clone() };
    cleaned.trust_with(content, giver)
}

/// A record's body, likewise.
pub(crate) fn clean_json(value: Value) -> Value {
    each_text(value, &|text| clean(&text))
}

fn clean(text: &str) -> String {
    text::redact(&without_private(text)).into_owned()
}

fn each_text(value: Value, edit: &dyn Fn(String) -> String) -> Value {
    match value {
        Value::String(text) => edit(text).into(),
        Value::Array(all) => all.into_iter().map(|one| each_text(one, edit)).collect(),
        Value::Object(all) => all.into_iter().map(|(key, one)| (key, each_text(one, edit))).collect(),
        other => other,
    }
}

fn short(field: &'static str, text: &str, most: usize) -> Result<()> {
    let reason = if text.len() > most {
        messages::field_long(text.len(), most)
    } else if text.chars().any(char::is_control) {
        messages::field_control()
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
