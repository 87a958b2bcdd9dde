//! The built binary at the command line of a scratch computer. The scratch computer is a Unix one: its shell,
//! its PATH and its folders are; what the systems differ in is tested in the rooms below.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod desk;

mod agents;
mod code;
mod code_checked;
mod code_git;
mod code_history;
mod crash;
mod knowledge;
mod memory_keys;
mod poisoned;
mod query;
mod rewriting;
mod round_trip;
mod run;
mod setup;
mod sharing;
mod stats;
mod upkeep;
mod versions;
