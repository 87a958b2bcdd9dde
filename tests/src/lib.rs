//! Harness shared by the end-to-end tests: a scripted model on loopback, scratch homes, the real agents'
//! command lines, and sessions with the sidecar.

mod cases;
mod cli;
mod dialect;
#[cfg(unix)]
pub mod differential;
mod model;
pub mod process;
mod scratch;
mod server;

pub use cases::{Case, case, programs};
pub use cli::{Cli, Ended, Run, agents_dir, newer_agents_dir};
pub use dialect::ToolResult;
pub use model::{Model, Request, Step};
pub use scratch::{Scratch, Tree, sidecar};
pub use server::{Said, Server, next_answer, said};
