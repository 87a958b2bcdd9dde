//! The graph of what memories mention: people, organisations, technologies, concepts and files, extracted by rules.
//! Pure; a store persists it.

mod draw;
mod extract;
mod found;
mod known;
mod names;
mod shared;
mod stated;
mod thing;
mod walk;

pub use draw::{Format, draw};
pub use extract::extract;
pub use found::{Extracted, FoundEntity, FoundRelation};
pub use known::other_names;
pub use names::{SURE_ENTITY, names_in, possible_names};
pub use shared::{End, EntityBody, RelationBody};
pub use thing::{Entity, EntityKind, Relation, RelationKind, entity_id, folded};
pub use walk::{Net, Step};
