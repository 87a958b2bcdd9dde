//! Plimsoll's folder: its paths, permissions and durability.
//!
//! Owns `~/.plimsoll` with its paths, settings, databases (opening, migrating, salvaging) and locks, and the snapshot
//! of the environment that all code works from. Doesn't know what any table means, nor what an agent is.

mod callers;
mod clock;
mod db;
mod db_error;
mod env;
mod files;
mod git_config;
mod growth;
pub mod launcher;
mod lock;
pub mod messages;
mod paths;
mod pause;
mod plain_path;
mod project;
mod salvage;
mod schema_recovery;
mod settings;
mod settings_file;
mod temp_dir;

pub use callers::Caller;
pub use clock::Clock;
pub use db::{
    BUSY_TIMEOUT, Db, Migration, open_db, open_db_briefly, open_db_read_only, open_db_unchecked, set_aside,
    write,
};
pub use db_error::{DbError, is_damage, is_disk_full, is_marked_damaged, mark_damaged};
pub use env::{Env, Os};
pub use files::{
    append_private, file_problem, is_made_up, is_missing, open_regular, open_to_append, private_dir,
    private_options, read_regular, read_regular_text, write_chosen, write_private,
};
pub use git_config::main_checkout;
pub use growth::{add_growth, growth, reset_growth};
pub use lock::{FileLock, lock};
pub use paths::{Home, binary_name};
pub use pause::Moment;
pub use plain_path::{as_text, one_path, without_dots};
pub use project::{Project, git_root, has_everything_below, project_root, refusal};
pub use salvage::{Salvaged, damaged_copies, remove_damaged_copy};
pub use settings::{Desktop, Hooks, Mcp, Network, PausedProject, Retention, Sandbox, Settings, Upgrade};
pub use settings_file::{SettingsError, replace_settings, set_value, toml_problem, update_value};
pub use temp_dir::private_temp_dir;

use std::path::PathBuf;

use contract::{LowerError, Sentence};

/// An error of the folder itself.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// No home folder is known.
    NoHome,
    /// The home folder isn't an absolute path, so it would be another one in each working folder.
    RelativeHome(PathBuf),
    /// `PLIMSOLL_HOME` is a folder that has other things in it.
    ForeignHome(PathBuf),
    /// The folder is there, but nothing can be looked up in it.
    Unusable {
        /// The folder.
        path: PathBuf,
        /// Why not.
        reason: Sentence,
    },
    /// The working folder cannot be read.
    NoCwd(std::io::Error),
    /// A path could not be created or written.
    Io {
        /// The path.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// Another process holds a lock for too long.
    Locked {
        /// Lock name.
        name: String,
        /// How long it was waited for, in milliseconds.
        waited_ms: u128,
    },
    /// The path isn't a project.
    NotAProject {
        /// The path.
        path: PathBuf,
        /// Why it is refused.
        reason: Sentence,
    },
}

impl LowerError for HomeError {
    fn message(&self) -> Sentence {
        match self {
            Self::NoHome => messages::no_home(),
            Self::RelativeHome(path) => messages::relative_home(path),
            Self::ForeignHome(path) => messages::foreign_home(path),
            Self::Unusable { path, reason } => messages::unusable(path, reason.clone()),
            Self::NoCwd(error) => messages::no_cwd(error.message()),
            Self::Io { path, source } => match source.kind() {
                std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
                    file_problem(path, source)
                }
                _ => messages::unwritten(path, source.message()),
            },
            Self::Locked { name, waited_ms } => messages::lock_held(name, waited_ms.to_string()),
            Self::NotAProject { path, reason } => messages::not_a_project(path, reason.clone()),
        }
    }
}

impl std::fmt::Display for HomeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message().fmt(f)
    }
}

pub(crate) fn io_error(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> HomeError {
    let path = path.into();
    move |source| HomeError::Io { path, source }
}
