//! What is told of an entity or a relation that somebody made by hand, for others to have it as well.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::thing::EntityKind;

/// An entity, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityBody {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: EntityKind,
    /// Other names.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Whatever else was said of it.
    #[serde(default)]
    pub properties: Map<String, Value>,
}

/// An end of a relation, so that it can be made where nothing speaks of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: EntityKind,
}

/// A relation, but for the ids and the kind, which are its key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelationBody {
    /// The first.
    pub from: End,
    /// The second.
    pub to: End,
    /// How sure it is, 0 to 1.
    pub confidence: f64,
    /// Whatever else was said of it.
    #[serde(default)]
    pub properties: Map<String, Value>,
}
