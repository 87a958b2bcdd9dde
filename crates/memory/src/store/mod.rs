//! Where memories are kept: the trait that every kind of store fulfils, what goes in (checked before it gets there),
//! and what comes out. `sqlite` is the one on this computer, `postgres` the organisation's.
//!
//! What may come back is decided by `query`; a store applies it and adds nothing of its own.

mod api;
mod check;
mod error;
pub mod messages;
mod org_error;
mod postgres;
mod sqlite;

pub use api::{
    Captured, Done, Effort, HistoryEntry, Listed, Match, Matches, Meaning, Near, Page, Similar, Statistics,
    Store, Term, What, Who,
};
pub use check::{Change, Draft, NewChange, NewMemory, Secrets};
pub use error::{MAX_CONTENT_BYTES, Result, StoreError};
pub use org_error::OrgError;
pub use postgres::{Given, Health, Incoming, PgStore, Recent, Role, Server};
pub use sqlite::{Adopted, MIGRATIONS, NEWEST, NewEntity, SqliteStore, Unseen, VectorCount};
