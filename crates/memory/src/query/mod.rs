//! The query layer: which memories may be returned at all. Scope, status, expiry and filter apply here, for every
//! search mode and every store. A store translates a [`Selection`] into its own language and must agree with
//! [`Selection::accepts`].

mod error;
mod filter;
mod glob;
pub mod messages;
mod parse;
mod selection;

pub use error::FilterError;
pub use filter::{Clause, Field, Filter, Statuses};
pub use glob::{Glob, Piece};
pub use parse::is_key;
pub use selection::{ProjectKeys, Scope, Selection};
