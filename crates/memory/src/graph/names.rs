//! The names under which a text mentions something, so that a search by another name finds it.

use super::entity::{EntityKind, folded};
use super::extract::extract;
use super::technologies::other_names;

/// Entities below this confidence aren't stored automatically.
pub const SURE_ENTITY: f64 = 0.65;

/// The folded names of everything that a text surely mentions, including aliases.
pub fn names_in(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for found in extract(text).entities.iter().filter(|found| found.confidence >= SURE_ENTITY) {
        out.push(folded(&found.name));
        if found.kind == EntityKind::Technology {
            out.extend(other_names(&found.name));
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// The folded names under which a memory may mention what these names or ids denote.
pub fn possible_names(given: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for name in given {
        let lower = name.to_lowercase();
        let plain = lower.strip_prefix("entity_").map_or_else(|| folded(name), |rest| rest.replace('_', " "));
        out.extend(other_names(&plain));
        out.push(plain);
    }
    out.sort_unstable();
    out.dedup();
    out
}
