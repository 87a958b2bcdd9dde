//! The operations that a person or an agent can ask for, composed from the crates below.
//!
//! Every operation takes a request of `contract` and answers with a `contract` reply or error. Owns the order
//! of things (permission first, then the work, then storing, then the ledger) and the shape of replies; does
//! not know transports or screens, and leaves every detail of running, storing and searching to the crates.

mod address;
mod batch;
mod budget;
mod confine;
mod context;
pub mod desktop;
pub mod discover;
pub mod doctor;
mod execute;
mod export;
mod failure;
pub mod filtered;
mod filtering;
mod index;
mod ledger;
mod listed;
mod manage;
pub mod messages;
mod old;
mod output;
mod parts;
mod permission;
mod purge;
mod recorded;
mod resources;
mod retention;
mod search;
mod settle;
mod stats;
pub mod status;
mod store;
mod stub;
mod task;
mod together;
mod tool_list;
pub mod uninstall;
pub mod upgrade;
mod viewed;
pub mod wiring;
mod workplace;

pub use export::{Format, Stopped};
pub use filtering::{Applied, Checked, Explained};
pub use resources::{Listed, ResourceItem};
pub use system::{Call, CancelHandle, Cancelled, Progress};
pub use workplace::{Service, parent_gone, sparing};

/// What Plimsoll can do. Server, hook, command line, window, settings, doctor, purge and retention loop over it, so that a
/// new system is its crate and one line here.
pub static SYSTEMS: &[&system::System] = &[&context::SYSTEM, &memory::SYSTEM, &codebase::SYSTEM];
