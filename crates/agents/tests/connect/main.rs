//! The fixture matrix: every agent's files in every state in which a file can be found, connected and
//! disconnected through `edits`.
//!
//! Laws: connecting twice writes once; disconnecting brings the same bytes back; what is the user's (other
//! servers, other hooks, unknown keys, comments) survives both; a file that must not be written keeps its
//! bytes and its time. A state that some file cannot have (a comment in strict JSON) must be refused.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod any_content;
mod entries;
mod files;
mod laws;
mod links;
mod refusals;
mod round_trips;
mod scratch;
