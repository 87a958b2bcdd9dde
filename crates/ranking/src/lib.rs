//! What searches of all systems share: which words a text gives to an index, how a query becomes a full-text
//! expression that can never be a syntax error, and what of a text moves it up among the matches.
//!
//! Everything here is a pure function of its input; it knows no database, no source and no memory.

mod query;
mod rank;
pub mod words;

pub use query::{Part, Query, STOP_WORDS, quote};
pub use rank::{Candidate, Ranker};
