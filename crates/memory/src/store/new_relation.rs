//! A relation that somebody adds.

use serde_json::{Map, Value};

use super::sanitizer::Checked;
use crate::graph::RelationKind;

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
