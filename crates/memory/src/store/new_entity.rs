//! An entity that somebody adds.

use serde_json::{Map, Value};

use crate::graph::EntityKind;

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
