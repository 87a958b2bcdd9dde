//! Persists memories: the trait for stores, the validation of what goes in, and the types of what comes out. `sqlite`
//! is the local store, `postgres` the organisation's.
//!
//! `query` decides which memories may be returned; a store applies that and adds no rules.

mod error;
pub mod messages;
mod new_entity;
mod new_relation;
mod org_error;
mod postgres;
mod sanitizer;
mod sqlite;
mod store_trait;
mod validation;

pub use error::{MAX_CONTENT_BYTES, Result, StoreError};
pub use new_entity::NewEntity;
pub use new_relation::NewRelation;
pub use org_error::OrgError;
pub use postgres::{ChangesPage, GrantedRole, Health, PgStore, RecordsPage, Role, Server, SharedVector};
use sanitizer::trust_with;
pub use sanitizer::{Checked, Sanitize, Sanitizer, Secrets};
pub(crate) use sanitizer::{clean_json, clean_memory};
pub use sqlite::{Adoption, MIGRATIONS, MissingVector, NEWEST, SavedCounts, SqliteStore, VectorCount};
pub use store_trait::{
    Actor, CaptureResult, ChangeKind, Done, Effort, HistoryEntry, Match, Matches, MemoryPage, NearMatch,
    Page, QueryVector, Similar, Statistics, Store, Term,
};
pub use validation::{Change, Draft, NewChange, NewMemory};
