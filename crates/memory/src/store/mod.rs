//! Persists memories: the trait for stores, the validation of what goes in, and the types of what comes out. `sqlite`
//! is the local store, `postgres` the organisation's.
//!
//! `query` decides which memories may be returned; a store applies that and adds no rules.

mod error;
pub mod messages;
mod org_error;
mod postgres;
mod sqlite;
mod store_trait;
mod validation;

pub use error::{MAX_CONTENT_BYTES, Result, StoreError};
pub use org_error::OrgError;
pub use postgres::{Given, Health, Incoming, PgStore, Recent, Role, Server};
pub use sqlite::{Adopted, MIGRATIONS, NEWEST, NewEntity, SqliteStore, Unseen, VectorCount};
pub use store_trait::{
    Captured, Done, Effort, HistoryEntry, Listed, Match, Matches, Near, Page, QueryVector, Similar,
    Statistics, Store, Term, What, Who,
};
pub use validation::{Change, Draft, NewChange, NewMemory, Secrets};
