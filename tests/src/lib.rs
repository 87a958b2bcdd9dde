//! The end-to-end tests' harness: a scripted model on loopback, scratch homes, the real agents' command lines, and sessions with
//! the sidecar.

mod cases;
mod cli;
mod dialect;
#[cfg(unix)]
pub mod differential;
mod model;
mod model_request;
pub mod process;
mod scratch;
mod server;
mod turn;

pub use cases::{Case, case, programs};
pub use cli::{Cli, CliRun, Run, agents_dir, newer_agents_dir};
pub use model::Model;
pub use model_request::ToolResult;
pub use scratch::{Scratch, Tree, sidecar};
pub use server::{Server, ToolReply, next_answer, printed};
pub use turn::{Request, Step};
