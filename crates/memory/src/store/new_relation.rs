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
    /// Since when it's so (ms since the epoch); `None` for as known before, or from now on.
    pub since_ms: Option<i64>,
    /// Until when it was so; `None` if it still is.
    pub until_ms: Option<i64>,
}
