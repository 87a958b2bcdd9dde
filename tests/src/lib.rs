//! Harness shared by the end-to-end tests: a scripted model on loopback, scratch homes, and the real
//! agents' command lines.

mod cli;
mod dialect;
mod model;
mod scratch;

pub use cli::{Cli, Ended, agents_dir};
pub use model::{Model, Request, Step};
pub use scratch::{Scratch, Tree, sidecar};
