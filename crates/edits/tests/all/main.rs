//! The crate's tests, in one program so that they build once.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

mod common;
mod concurrent;
mod damaged_log;
mod duplicates;
mod files;
mod hard_links;
mod killed;
mod laws;
mod matrix;
mod moved;
mod names;
mod nested;
mod shared;
mod taken_along;
