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
