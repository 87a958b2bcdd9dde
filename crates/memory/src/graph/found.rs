//! What was found in a text.

use super::thing::{EntityKind, RelationKind, folded};

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
