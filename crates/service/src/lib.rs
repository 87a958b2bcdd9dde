//! The operations that you or an agent can ask for, composed from the crates below.
//!
//! Every operation takes a `contract` request and returns a `contract` reply or error. Owns the order of steps
//! (permission, work, storing, ledger) and the shape of replies. Doesn't know transports or screens, and leaves the
//! details of running, storing and searching to the lower crates.

mod address;
mod age;
mod batch;
mod confine;
mod context;
pub mod desktop;
pub mod discover;
mod disk_budget;
pub mod doctor;
mod execute;
mod export;
mod failure;
mod filter_commands;
pub mod filtered_run;
mod idle;
mod index;
mod knowledge_base;
mod launcher_placeholder;
mod ledger;
mod manage;
pub mod messages;
mod output;
mod output_parts;
mod own_files;
mod permission;
mod printed_text;
mod project_root;
mod purge;
mod reply_budget;
mod resources;
mod retention;
mod search;
mod service;
mod session_search;
pub mod setup;
mod stats;
pub mod status;
mod task;
mod tool_calls;
mod tool_list;
mod tool_list_cost;
mod unified_search;
pub mod uninstall;
pub mod upgrade;

pub use export::{ExportError, Format};
pub use failure::brief;
pub use filter_commands::{FilterCheck, FilterExplanation, FilterResult};
pub use resources::{Listed, ResourceItem};
pub use service::{Service, give_back_memory, parent_gone, prepare_memory, survive_file_limit};
pub use system::{Call, CancelHandle, Cancelled, Progress};

/// Plimsoll's systems. Server, hook, command line, window, settings, doctor, purge and retention loop over them, so
/// that a new system is its crate and one line here.
pub static SYSTEMS: &[&system::System] = &[&context::SYSTEM, &memory::SYSTEM, &codebase::SYSTEM];
