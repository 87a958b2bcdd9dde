//! What was found in a text.

use super::extract::extract;
use super::known::other_names;
use super::thing::{EntityKind, RelationKind, folded};

/// Who or what is less sure is not kept by itself.
pub const SURE_ENTITY: f64 = 0.65;

/// An entity that a text speaks of.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundEntity {
    /// Its name.
    pub name: String,
    /// What it seems to be.
    pub kind: EntityKind,
    /// How sure that is, 0 to 1.
    pub confidence: f64,
}

/// A relation that a text states, between two of its entities.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundRelation {
    /// The place of the first in [`Extracted::entities`].
    pub from: usize,
    /// The place of the second.
    pub to: usize,
    /// What the first is to the second.
    pub kind: RelationKind,
    /// How sure that is, 0 to 1.
    pub confidence: f64,
}

/// What a text speaks of.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extracted {
    /// Each once, in the order of the text.
    pub entities: Vec<FoundEntity>,
    /// What it says of them.
    pub relations: Vec<FoundRelation>,
}

impl Extracted {
    /// Both together; what the first has stays as it is.
    #[must_use]
    pub fn with(mut self, more: Self) -> Self {
        let places: Vec<usize> = more
            .entities
            .into_iter()
            .map(|one| {
                let same = |known: &FoundEntity| folded(&known.name) == folded(&one.name);
                self.entities.iter().position(same).unwrap_or_else(|| {
                    self.entities.push(one);
                    self.entities.len() - 1
                })
            })
            .collect();
        for one in more.relations {
            let one = FoundRelation { from: places[one.from], to: places[one.to], ..one };
            let known =
                |known: &FoundRelation| (known.from, known.to, known.kind) == (one.from, one.to, one.kind);
            if !self.relations.iter().any(known) {
                self.relations.push(one);
            }
        }
        self
    }
}

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
