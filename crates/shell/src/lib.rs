//! The shell's grammar: which commands a text starts, with which words, and how their inputs and outputs connect.
//!
//! Owns the parsing of command lines for every other crate: [`grammar`] parses any text (lists, pipelines, groups, loops,
//! substitutions, redirections, here-documents), [`line`] is the view for plain command lines only, [`pipelines`] for the
//! question of what the reader finally sees. [`quote`] is the inverse, from words to a text. Knows no agent, no rule and no
//! filter; expands nothing and runs nothing.
//!
//! The promise: it never panics, whatever the text; it misses no command that a shell would start; it marks a text that a
//! shell would parse differently or reject. A here-document's text is data, never a command. `tests/brush` compares it with
//! an independent parser.

pub mod grammar;
pub mod line;
mod names;
mod pipelines;
mod quote;

pub use names::{base, is_assignment};
pub use pipelines::{Stage, pipelines};
pub use quote::{join_quoted, quote};
