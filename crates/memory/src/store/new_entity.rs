//! An entity and a relation that somebody adds.

use serde_json::{Map, Value};

use super::sanitizer::Checked;
use crate::graph::{EntityKind, RelationKind};

/// An entity to create by hand.
#[derive(Debug, Clone)]
pub struct NewEntity {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: EntityKind,
    /// Its aliases.
    pub aliases: Vec<String>,
    /// Further properties.
    pub properties: Map<String, Value>,
}

/// A relation to create or confirm.
#[derive(Debug)]
pub struct NewRelation {
    /// The id of its source.
    pub from: String,
    /// The id of its target.
    pub to: String,
    /// Its kind.
    pub kind: RelationKind,
    /// The confidence, 0 to 1.
    pub confidence: f64,
    /// Further properties.
    pub properties: Checked<Map<String, Value>>,
}
