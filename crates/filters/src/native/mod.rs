//! Parsers for shapes that rules about single lines cannot get right. Each is a function from a normalised text to a
//! shorter one, or to `None` if the text has another shape.

mod apt;
mod bars;
mod below;
mod commits;
mod compiler_messages;
mod details;
mod diff;
mod finding_record;
mod git_log;
mod git_status;
mod http_head;
mod json;
mod json_findings;
mod json_tests;
mod junit;
mod listing;
mod log;
mod numbers;
mod rare;
mod records;
mod requested_text;
mod rows;
mod script_output;
mod search;
mod stat;
mod table;
mod trace;
mod xml_findings;

use serde::Deserialize;

pub(crate) use json::json;
pub(crate) use log::{repeats, without_repeats};
pub use requested_text::is_source;
pub(crate) use requested_text::shape;
pub(crate) use stat::{begins as begins_changed_files, within_report as changed_files};

/// The room for a list of files that is too long to be shown whole, in bytes.
const LISTED: usize = 8_000;

/// Which parser a filter uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Native {
    Diff,
    GitLog,
    GitChanges,
    Commits,
    AptSimulation,
    GitStatus,
    GitStat,
    #[serde(alias = "grep")]
    Search,
    Json,
    Log,
    Table,
    Rows,
    Listing,
    Text,
}

impl Native {
    /// Whether it reads requested data, so that words of failure in it mean nothing.
    pub(crate) fn prints_data(self) -> bool {
        !matches!(self, Native::Log | Native::GitStatus | Native::AptSimulation)
    }
}

/// Runs a parser over a normalised text. The result has at most about `room` bytes if it can leave things out; a
/// requested text is left alone up to `whole` bytes.
pub(crate) fn run(native: Native, text: &str, argv: &[String], whole: usize, room: usize) -> Option<String> {
    match native {
        Native::Diff => diff::diff(text, room),
        Native::Commits => commits::commits(text, room),
        Native::AptSimulation => apt::simulation(text, room),
        Native::GitLog => git_log::git_log(text, room),
        Native::GitChanges => git_log::changes(text, room),
        Native::GitStatus => git_status::git_status(text),
        Native::GitStat => stat::stat(text, room),
        Native::Search => search::search(text, room),
        Native::Json => json(text, room),
        Native::Log => log::log(text, room),
        Native::Rows => rows::rows(text, room),
        Native::Table => rows::named_things(text, room),
        // A few thousand bytes are enough to find things in a list that no agent shows whole.
        Native::Listing => {
            listing::listing(text, argv, if text.len() > whole { room.min(LISTED) } else { room })
        }
        Native::Text => requested_text::render(text, argv, whole, room),
    }
}
