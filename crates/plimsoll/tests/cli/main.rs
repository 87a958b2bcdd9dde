//! The built binary on the command line of a temporary computer. It is a Unix one, with its shell, PATH and folders;
//! differences between systems are tested in the lower crates.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod desk;

mod agents;
mod as_json;
mod code;
mod code_by_lines;
mod code_checked;
mod code_git;
mod code_history;
mod code_limits;
mod code_names;
mod code_review;
mod code_review_uses;
mod code_tested;
mod crash;
mod damaged_log;
mod doctor_names;
mod knowledge;
mod leftovers;
#[cfg(target_os = "linux")]
mod linked;
mod memories;
mod memory_keys;
mod moved;
mod poisoned;
mod query;
mod refusals;
mod rewriting;
mod round_trip;
mod run;
mod setup;
mod sharing;
mod stats;
mod unwritable;
mod upkeep;
mod versions;
mod wrong_input;
