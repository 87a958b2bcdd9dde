//! The graph of what memories mention: people, organisations, technologies, concepts and files, extracted by rules.
//! Pure; a store persists it.

mod draw;
mod entity;
mod extract;
mod extracted;
mod names;
mod record_bodies;
mod relation_cues;
mod technologies;
mod traversal;

pub use draw::{Format, draw};
pub use entity::{Entity, EntityKind, Relation, RelationKind, entity_id, folded};
pub use extract::{MAX_NAME_BYTES, extract};
pub use extracted::{Extracted, FoundEntity, FoundRelation};
pub use names::{SURE_ENTITY, names_in, phrases_in, possible_names};
pub use record_bodies::{End, EntityBody, RelationBody};
pub use technologies::other_names;
pub use traversal::{Graph, Step};
