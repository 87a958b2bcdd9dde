//! The record bodies of manually created entities and relations, as other computers receive them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::entity::EntityKind;

/// An entity's record body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityBody {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: EntityKind,
    /// Its aliases.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Further properties.
    #[serde(default)]
    pub properties: Map<String, Value>,
}

/// An end of a relation, so that it can be created where no memory mentions it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: EntityKind,
}

/// A relation's record body; the key has the ids and the kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelationBody {
    /// The source.
    pub from: End,
    /// The target.
    pub to: End,
    /// The confidence, 0 to 1.
    pub confidence: f64,
    /// Further properties.
    #[serde(default)]
    pub properties: Map<String, Value>,
    /// Since when it's so (ms since the epoch), if that was stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_ms: Option<i64>,
    /// Until when it was so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<i64>,
}
