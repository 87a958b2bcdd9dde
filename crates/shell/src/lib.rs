//! The shell's grammar: which commands a text starts, with which words, and what goes where between them.
//!
//! This crate owns reading command lines, for everybody who has to: [`grammar`] reads any text (lists, pipelines, groups,
//! loops, substitutions, redirections, here-documents), [`line`] is the view for who wants a plain command line and
//! nothing else, [`pipelines`] for who asks what reaches the reader at last. [`quoted`] is the way back, from words to a
//! text. It knows no agent, no rule and no filter, expands nothing and runs nothing.
//!
//! What it promises: it never panics, whatever the text; no command that a shell would start is missed; a text that a
//! shell would read otherwise, or not at all, is marked as such. The text of a here-document is data, never a command.
//! `tests/brush.rs` compares it with a parser that somebody else wrote.

pub mod grammar;
pub mod line;
mod names;
mod pipelines;
mod quoted;

pub use names::{base, is_assignment};
pub use pipelines::{Stage, pipelines};
pub use quoted::{joined, quoted};
