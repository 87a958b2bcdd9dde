//! The result of an extraction.

use super::entity::{EntityKind, RelationKind, folded};

/// An entity that a text mentions.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundEntity {
    /// Its name.
    pub name: String,
    /// Its likely kind.
    pub kind: EntityKind,
    /// The confidence, 0 to 1.
    pub confidence: f64,
}

/// A relation that a text states between two of its entities.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundRelation {
    /// The index of the source in [`Extracted::entities`].
    pub from: usize,
    /// The index of the target.
    pub to: usize,
    /// Its kind.
    pub kind: RelationKind,
    /// The confidence, 0 to 1.
    pub confidence: f64,
}

/// The entities and relations in a text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extracted {
    /// The entities, each once, in the order of the text.
    pub entities: Vec<FoundEntity>,
    /// The relations between them.
    pub relations: Vec<FoundRelation>,
}

impl Extracted {
    /// Merges two extractions; entries of the first win.
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
