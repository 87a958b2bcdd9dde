//! The Plimsoll folder: where things are, who may write them, and how they survive.
//!
//! Owns `~/.plimsoll` with its paths, settings, databases (opening, migrating, salvaging), locks and the
//! snapshot of the environment that the rest of the house works from. Does not know what any table means,
//! nor what an agent is.

mod clock;
mod db;
mod env;
mod files;
pub mod launcher;
mod lock;
mod paths;
mod project;
mod salvage;
mod settings;

pub use clock::Clock;
pub use db::{Db, DbError, Migration, open_db, open_db_read_only, open_db_unchecked, suspect, write};
pub use env::{Env, Os};
pub use files::{private_dir, write_private};
pub use lock::{FileLock, lock};
pub use paths::{Home, binary_name};
pub use project::{Project, refusal};
pub use salvage::Salvaged;
pub use settings::{
    Desktop, Hooks, Mcp, Network, Retention, Sandbox, Settings, SettingsError, Upgrade, set_value,
};

use std::path::PathBuf;

/// What can go wrong around the folder itself.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// No home folder is known.
    #[error(
        "no home folder is known: set HOME (or USERPROFILE on Windows), or PLIMSOLL_HOME to the folder to use"
    )]
    NoHome,
    /// The working folder cannot be read.
    #[error("the working folder cannot be read ({0}); change to a folder that exists")]
    NoCwd(std::io::Error),
    /// A path could not be created or written.
    #[error("{path}: {source}; check that the folder exists, is yours and has space left", path = path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// Somebody else holds a lock for too long.
    #[error(
        "{name} is held by another Plimsoll process for over {waited_ms} ms; try again, or end that process"
    )]
    Locked {
        /// Lock name.
        name: String,
        /// How long we waited, in milliseconds.
        waited_ms: u128,
    },
    /// The path is no project.
    #[error("{path} is not a project folder: {reason}", path = path.display())]
    NotAProject {
        /// The path.
        path: PathBuf,
        /// Why it is refused.
        reason: &'static str,
    },
}

pub(crate) fn io_error(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> HomeError {
    let path = path.into();
    move |source| HomeError::Io { path, source }
}
