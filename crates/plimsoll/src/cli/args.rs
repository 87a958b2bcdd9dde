//! Argument types that several commands share.

use clap::{Args, ValueEnum};

/// Options of commands that only read.
#[derive(Debug, Clone, Args)]
pub(crate) struct JsonFlag {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments that are handled before the command line is parsed.
#[derive(Debug, Clone, Args)]
pub(crate) struct RawArguments {
    /// Passed on as they are
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub(crate) rest: Vec<String>,
}

/// Where entries go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeChoice {
    /// Your own configuration: every project
    User,
    /// The configuration inside the project of the working folder
    Project,
}
