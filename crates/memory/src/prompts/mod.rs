//! Texts with places for values: prompts, which are run, and templates, into which memories are put. Pure; a store keeps
//! them, `actions` finds the values.

mod template;

use serde::{Deserialize, Serialize};

use crate::domain::Domain;

pub use template::{AUTOMATIC, Output, Template, TemplateError, escaped};

/// What it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Something to say to an agent.
    Prompt,
    /// A form in which memories are shown.
    Template,
}

impl Kind {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Template => "template",
        }
    }

    /// The one of this word.
    pub fn named(word: &str) -> Option<Self> {
        [Self::Prompt, Self::Template].into_iter().find(|kind| kind.as_str() == word)
    }
}

/// A place for a value.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What is to be given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What holds when nothing is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// Whether it must be given; one with a default need not.
    #[serde(default = "yes")]
    pub required: bool,
}

fn yes() -> bool {
    true
}

/// A saved text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// What it is for.
    pub kind: Kind,
    /// Who it is for.
    pub domain: Domain,
    /// Its name, in words with hyphens.
    pub name: String,
    /// 1 for the first, one more for each change.
    pub version: u32,
    /// What it is good for.
    pub description: Option<String>,
    /// The text.
    pub content: String,
    /// What is known of its places, in the order of the text.
    pub variables: Vec<Variable>,
    /// Tags.
    pub tags: Vec<String>,
    /// How a template is shown where nothing else is asked.
    pub format: Option<String>,
    /// When this version was saved (ms since the epoch).
    pub created_ms: i64,
}

/// The longest name.
pub const NAME_CHARS: usize = 64;

/// Whether it can be a name: words of small letters and digits with single hyphens between.
pub fn is_name(name: &str) -> bool {
    let plain = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let edges = name.starts_with('-') || name.ends_with('-') || name.contains("--");
    !name.is_empty() && name.len() <= NAME_CHARS && plain && !edges
}

/// What is told of a version of a saved text, for others to have it as well; kind, name and domain are told beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptBody {
    /// What it is good for.
    #[serde(default)]
    pub description: Option<String>,
    /// The text.
    pub content: String,
    /// What is known of its places.
    #[serde(default)]
    pub variables: Vec<Variable>,
    /// Tags.
    #[serde(default)]
    pub tags: Vec<String>,
    /// How a template is shown where nothing else is asked.
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
