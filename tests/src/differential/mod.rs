//! Never weaker than the host alone: generated commands are played to a real agent twice, in a home without Plimsoll and
//! in one that is connected, and what they did is compared. Owns what a case is, what it can do (its effects), and the
//! law: whatever happens with Plimsoll happens without it as well.
//!
//! `grammar` makes commands, `scenario` reads rule sets, layers and histories, `play` runs a session, `shrink` finds the
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
pub use shrink::{Compared, Weaker, compare};

/// The folder with rule sets and grammar: of this run's clone, since build output outlives clones.
fn data() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    PathBuf::from(here).join("differential")
}

/// How a command reaches a shell. Without Plimsoll it is always the host's own shell tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Route {
    /// The host's own shell tool, past our hook.
    Shell,
    /// Our tool `execute`.
    Execute,
    /// Our tool `batch`.
    Batch,
    /// `execute` in the background.
    Task,
    /// `plimsoll run --` in the host's own shell tool.
    Run,
    /// Our tool `execute` with a file as its input; the command is the file's path.
    File,
    /// Our tool `index` with a path, and a search in what it stored.
    Index,
}

impl Route {
    /// Whether the host's own engine never sees the command.
    pub fn is_ours(self) -> bool {
        !matches!(self, Self::Shell | Self::Run)
    }
}

/// One command, and where the shell was taken before it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    /// What stands in the command as its own mark, so that effects are told apart.
    pub mark: String,
    /// Commands before it, each a `cd`.
    pub history: Vec<String>,
    /// The command line; a path where the route is about a file.
    pub command: String,
    /// How it is run with Plimsoll.
    pub route: Route,
}

/// What a command did: canaries that ran, files whose text came back, files that were written.
pub type Effects = BTreeSet<String>;

/// What became of a case on one side.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// What it did.
    pub effects: Effects,
    /// What the model was told.
    pub told: String,
}
