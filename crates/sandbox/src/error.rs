//! What can go wrong before or around a run. A program that fails, times out or prints too much is
//! not an error here: that is an [`crate::Outcome`].

use std::io;
use std::path::PathBuf;

/// A run that could not be started or carried through. Each message names the thing and the way out.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The language's name is not one we know.
    #[error("unknown language {given:?}; use one of {known}")]
    UnknownLanguage {
        /// What was asked for.
        given: String,
        /// The names that are accepted, comma-separated.
        known: String,
    },
    /// No program that runs the language was found.
    #[error("no runtime for {language} found ({looked_for}); {install}")]
    NoRuntime {
        /// The language asked for.
        language: String,
        /// The programs that would have done.
        looked_for: String,
        /// How to get one, for this operating system.
        install: String,
    },
    /// The working folder is missing or is not a folder.
    #[error("the working folder {} is not a folder; give an existing one as cwd", path.display())]
    NoFolder {
        /// The folder that was given.
        path: PathBuf,
    },
    /// The working folder is there, but must not be entered.
    #[error("the working folder {} cannot be entered: {source}; give another one as cwd", path.display())]
    ClosedFolder {
        /// The folder that was given.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file that should become `FILE_CONTENT` cannot be read.
    #[error("cannot read {}: {source}; check the path and its permissions", path.display())]
    NoFile {
        /// The file that was given.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The runtime was found but would not start.
    #[error("{} would not start: {source}; run `plimsoll doctor` to see the runtimes", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A temp folder, script or task file could not be written or read.
    #[error("{what} {} failed: {source}; check free space and permissions there", path.display())]
    Io {
        /// What was being done.
        what: &'static str,
        /// Where.
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

impl SandboxError {
    /// An [`SandboxError::Io`], shaped for `map_err`.
    pub(crate) fn io(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> SandboxError {
        let path = path.into();
        move |source| SandboxError::Io { what, path, source }
    }
}
