//! What a system can be asked for by others than its own tools: passages that answer a question, and prompts that a person
//! puts to an agent by name.

use contract::Error;
use serde_json::{Map, Value};

use crate::At;

/// How a system is searched together with others.
#[derive(Debug, Clone, Copy)]
pub struct Find {
    /// What `in` of a search calls it.
    pub what: contract::System,
    /// The best passages for a question, the best first, at most so many.
    pub find: fn(&At, &str, usize) -> Result<Vec<Passage>, Error>,
}

/// A passage that answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Where it stands: what its reader calls the place, and an address where there is one.
    pub place: String,
    /// Its text.
    pub text: String,
    /// When it was written, in milliseconds since 1970.
    pub at_ms: i64,
    /// Whether it is code.
    pub code: bool,
}

/// Prompts that a person saved. Agents show them in their own way, and nothing is written for it into their files.
#[derive(Debug, Clone, Copy)]
pub struct Prompts {
    /// Which there are.
    pub list: fn(&At) -> Result<Vec<Prompt>, Error>,
    /// The text of one with its places filled.
    pub fill: Fill,
}

/// Fills the prompt of a name with values by the names of its places.
pub type Fill = fn(&At, &str, Map<String, Value>) -> Result<Filled, Error>;

/// A saved prompt.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Prompt {
    /// Its name.
    pub name: String,
    /// What it is good for.
    pub description: Option<String>,
    /// Its places.
    pub places: Vec<Place>,
}

/// A place for a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// What is to be given.
    pub description: Option<String>,
    /// Whether something must be.
    pub required: bool,
}

/// A prompt as it is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// What it is good for.
    pub description: Option<String>,
    /// The text.
    pub text: String,
}
