//! The codebase's index from outside: languages, laws of updating and searching, references, faults.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;
mod faults;
mod languages;
mod laws;
mod own;
mod references;
mod searching;
mod typed;
