//! What every system's search shares: the words that a text contributes to an index, a query as a full-text expression that
//! is never a syntax error, and the features that rank matches.
//!
//! Every function is pure; it knows no database, no source and no memory.

mod query;
mod rank;
pub mod words;

pub use query::{Part, Query, STOP_WORDS, quote};
pub use rank::{Candidate, Ranker};
