//! Errors before or around a run. A program that fails, times out or prints too much isn't an error here: that is an
//! [`crate::Outcome`].

use std::io;
use std::path::{Path, PathBuf};

/// A run that couldn't be started or completed. Each message names the thing and the way out.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The language's name is unknown.
    #[error("unknown language {given:?}; use one of {known}")]
    UnknownLanguage {
        /// The name.
        given: String,
        /// The accepted names, comma-separated.
        known: String,
    },
    /// No program that runs the language was found.
    #[error("no runtime for {language} found ({looked_for}); {install}")]
    NoRuntime {
        /// The language asked for.
        language: String,
        /// The programs that would do.
        looked_for: String,
        /// How to get one, for this operating system.
        install: String,
    },
    /// The working folder is missing or is not a folder.
    #[error("the working folder {} {}; give an existing one as cwd", path.display(), why_no_folder(path))]
    NoFolder {
        /// The folder that was given.
        path: PathBuf,
    },
    /// The working folder exists but can't be entered.
    #[error("the working folder {} can't be entered: {source}; give another one as cwd", path.display())]
    ClosedFolder {
        /// The folder that was given.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file for `FILE_CONTENT` can't be read.
    #[error("can't read {}: {source}; check the path and its permissions", path.display())]
    NoFile {
        /// The file that was given.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The runtime was found but didn't start.
    #[error("{} didn't start: {source}; run `plimsoll doctor` to see the runtimes", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A temporary folder, script or task file couldn't be written or read.
    #[error("{what} {} failed: {source}; check free space and permissions there", path.display())]
    Io {
        /// The operation.
        what: &'static str,
        /// The path.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// No background task has this id.
    #[error("no task {id:?}; `task list` shows the ids")]
    NoTask {
        /// The id that was given.
        id: String,
    },
}

/// A session outlives its folder: a worktree is removed, a project is moved.
fn why_no_folder(path: &Path) -> &'static str {
    if path.exists() { "isn't a folder" } else { "doesn't exist" }
}

impl SandboxError {
    /// An [`SandboxError::Io`], shaped for `map_err`.
    pub(crate) fn io(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> SandboxError {
        let path = path.into();
        move |source| SandboxError::Io { what, path, source }
    }
}
