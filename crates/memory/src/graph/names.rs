//! By which names a text speaks of something, so that who asks by another name finds it as well.

use super::extract::extract;
use super::known::other_names;
use super::thing::{EntityKind, folded};

/// Who or what is less sure is not kept by itself.
pub const SURE_ENTITY: f64 = 0.65;

/// The names, folded, of everything that a text surely speaks of: each with what it's called elsewhere.
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

/// By which names, folded, a memory may speak of what somebody calls by these names or ids.
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
