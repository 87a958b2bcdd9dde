//! Argument types that several commands share.

use clap::{Args, ValueEnum};

/// Options of commands that only read.
#[derive(Debug, Clone, Args)]
pub(crate) struct JsonFlag {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// A name of something, which can't be empty.
pub(crate) fn name(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("it's empty; name what you mean, or leave the argument out".to_owned()),
        _ => Ok(text.to_owned()),
    }
}

/// The longest period that can be asked for: a hundred years.
const MOST_DAYS: u32 = 36_500;

/// A number of days. Zero isn't a period: what began in it would be counted all the same.
pub(crate) fn days(text: &str) -> Result<u32, String> {
    let days = text.parse::<u32>().ok().filter(|days| (1..=MOST_DAYS).contains(days));
    days.ok_or_else(|| format!("a whole number from 1 to {MOST_DAYS} is needed"))
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
