//! Never weaker than the agent alone: generated commands are played to a real agent twice, in a home without Plimsoll and in a
//! connected one, and their effects are compared. Owns what a case is, its possible effects, and the law: whatever happens with
//! Plimsoll happens without it too.
//!
//! `grammar` generates commands, `scenario` reads rule sets, layers and histories, `play` runs a session, `shrink` finds the
//! shortest command that still breaks the law. The data is in `tests/differential/`.

mod grammar;
mod play;
mod random;
mod scenario;
mod shrink;

use std::collections::BTreeSet;
use std::path::PathBuf;

pub use grammar::Grammar;
pub use play::{Bench, Side};
pub use random::Random;
pub use scenario::{Mode, Scenario, scenarios};
pub use shrink::{Comparison, WeakerCase, compare};

/// The folder with rule sets and grammar: in this run's clone, because build output outlives clones.
fn data() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    PathBuf::from(here).join("differential")
}

/// How a command reaches a shell. Without Plimsoll it is always the agent's own shell tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Route {
    /// The agent's own shell tool, past Plimsoll's hook.
    Shell,
    /// The tool `execute`.
    Execute,
    /// The tool `batch`.
    Batch,
    /// `execute` in the background.
    Task,
    /// `plimsoll run --` in the agent's own shell tool.
    Run,
    /// The tool `execute` with a file as its input; the command is the file's path.
    File,
    /// The tool `index` with a path, and a search in what it stored.
    Index,
}

impl Route {
    /// Whether the agent's own engine never sees the command.
    pub fn uses_plimsoll_tool(self) -> bool {
        !matches!(self, Self::Shell | Self::Run)
    }
}

/// One command, and the shell's history of folders.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    /// The case's own mark in the command, which separates the effects.
    pub mark: String,
    /// Earlier commands, each a `cd`.
    pub history: Vec<String>,
    /// The command line; a path if the route is about a file.
    pub command: String,
    /// How it runs with Plimsoll.
    pub route: Route,
}

/// A command's effects: canaries that ran, files whose text came back, files that were written.
pub type Effects = BTreeSet<String>;

/// A case's outcome on one side.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Its effects.
    pub effects: Effects,
    /// What the model received.
    pub told: String,
}
