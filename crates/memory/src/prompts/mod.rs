//! Texts with placeholders: prompts, which are run, and templates, which show memories. Pure; a store persists them,
//! `actions` provides the values.

mod fill;
pub mod messages;
mod piece;
mod template;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::domain::Domain;

pub use fill::{Output, escaped};
pub use template::{AUTOMATIC, Template, TemplateError};

/// The kind of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A text to send to an agent.
    Prompt,
    /// A text that shows memories.
    Template,
}

impl Kind {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Template => "template",
        }
    }

    /// The variant with this name.
    pub fn from_name(word: &str) -> Option<Self> {
        [Self::Prompt, Self::Template].into_iter().find(|kind| kind.as_str() == word)
    }
}

/// A placeholder's definition.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What to fill in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The value if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// Whether a value is required; one with a default isn't.
    #[serde(default = "default_true")]
    pub required: bool,
}

fn default_true() -> bool {
    true
}

/// A saved text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// Its kind.
    pub kind: Kind,
    /// Who it is for.
    pub domain: Domain,
    /// Its name: words joined by hyphens.
    pub name: String,
    /// 1 at first; each change adds one.
    pub version: u32,
    /// Its purpose.
    pub description: Option<String>,
    /// The text.
    pub content: String,
    /// Its placeholders, in the order of the text.
    pub variables: Vec<Variable>,
    /// Tags.
    pub tags: Vec<String>,
    /// A template's default format.
    pub format: Option<String>,
    /// When this version was saved (ms since the epoch).
    pub created_ms: i64,
}

/// The items of a loop: a text is a list with commas between, because the window and an agent's own prompts give only texts.
pub(crate) fn list_of(value: Value) -> Value {
    match value {
        Value::Array(_) | Value::Null => value,
        Value::String(text) => text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect(),
        other => vec![other].into(),
    }
}

/// Maximum length of a name, in characters.
pub const NAME_CHARS: usize = 64;

/// Whether it is a valid name: words of lower-case letters and digits joined by single hyphens.
pub fn is_name(name: &str) -> bool {
    let plain = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let edges = name.starts_with('-') || name.ends_with('-') || name.contains("--");
    !name.is_empty() && name.len() <= NAME_CHARS && plain && !edges
}

/// The record body of a saved version, as other computers receive it; kind, name and domain are in the record's key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptBody {
    /// Its purpose.
    #[serde(default)]
    pub description: Option<String>,
    /// The text.
    pub content: String,
    /// Its placeholders.
    #[serde(default)]
    pub variables: Vec<Variable>,
    /// Tags.
    #[serde(default)]
    pub tags: Vec<String>,
    /// A template's default format.
    #[serde(default)]
    pub format: Option<String>,
    /// When it was saved (ms since the epoch).
    pub created_ms: i64,
}

impl From<&Saved> for PromptBody {
    fn from(saved: &Saved) -> Self {
        Self {
            description: saved.description.clone(),
            content: saved.content.clone(),
            variables: saved.variables.clone(),
            tags: saved.tags.clone(),
            format: saved.format.clone(),
            created_ms: saved.created_ms,
        }
    }
}
