//! The knowledge base's tests from outside, in one program so that it is linked once.
#![expect(clippy::expect_used, reason = "helpers of tests may fail as tests do")]

mod common;
mod crash;
mod folder;
mod garbage;
mod last_used;
mod names;
mod purge;
mod search;
mod secrets;
mod size;
mod web;
