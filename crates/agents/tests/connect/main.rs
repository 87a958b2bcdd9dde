//! The fixture matrix: connects and disconnects every agent's files in every possible state through `edits`.
//!
//! Laws: connecting twice writes once; disconnecting restores the same bytes; the user's content (other servers, other hooks,
//! unknown keys, comments) survives both; a file that must not be written keeps its bytes and its time. A state that a file
//! can't have (a comment in strict JSON) must be refused.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod any_content;
mod entries;
mod files;
mod laws;
mod links;
mod refusals;
mod round_trips;
mod scratch;
