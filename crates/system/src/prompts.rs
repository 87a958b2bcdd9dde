//! The prompts that the user saved, as a system offers them to agents.

use contract::Error;
use serde_json::{Map, Value};

use crate::CallContext;

/// The user's saved prompts. Agents show them in their own way; nothing is written to agents' files.
#[derive(Debug, Clone, Copy)]
pub struct Prompts {
    /// Lists them.
    pub list: fn(&CallContext) -> Result<Vec<Prompt>, Error>,
    /// Fills one in.
    pub fill: FillPrompt,
}

/// Fills in the prompt of this name with values by placeholder name.
pub type FillPrompt = fn(&CallContext, &str, Map<String, Value>) -> Result<FilledPrompt, Error>;

/// A saved prompt.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Prompt {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub description: Option<String>,
    /// Its placeholders.
    pub placeholders: Vec<Placeholder>,
}

/// A placeholder.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Placeholder {
    /// Its name.
    pub name: String,
    /// What to enter.
    pub description: Option<String>,
    /// Whether a value is required.
    pub required: bool,
}

/// A prompt with its placeholders filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilledPrompt {
    /// Its purpose.
    pub description: Option<String>,
    /// Its text.
    pub text: String,
}
