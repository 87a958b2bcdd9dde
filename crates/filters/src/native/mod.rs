//! Parsers for shapes that rules about single lines cannot get right. Each is a function from a normalised text to a
//! shorter one, or to nothing when the shape is not what it knows.

mod diff;
mod git_log;
mod git_status;
mod grep;
mod json;
mod listing;
mod log;
mod numbers;
mod table;

use serde::Deserialize;

pub(crate) use json::json;
pub(crate) use log::repeats;

/// Which parser a filter uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Native {
    Diff,
    GitLog,
    GitStatus,
    Grep,
    Json,
    Log,
    Table,
    Listing,
}

/// Runs a parser over a normalised text.
pub(crate) fn run(native: Native, text: &str, argv: &[String], _exit: Option<i32>) -> Option<String> {
    match native {
        Native::Diff => diff::diff(text),
        Native::GitLog => git_log::git_log(text),
        Native::GitStatus => git_status::git_status(text),
        Native::Grep => grep::grep(text),
        Native::Json => json(text),
        Native::Log => log::log(text),
        Native::Table => table::table(text),
        Native::Listing => listing::listing(text, argv),
    }
}
