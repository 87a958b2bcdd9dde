//! The system *codebase*: what the code of a project is. Search, references, the decision card, the map and the rest over an
//! index that is never older than the project: what changed is read first, or said.
//!
//! `index` is the project's index as this process has it and the worker that makes it; `actions` are what can be asked; `cap`
//! keeps every answer within its size; `diagnose` is what the project's own checkers say; `servers` asks language servers who uses a name; `help` is what is told unasked; `offer` is how entry points come by all that. How code is read and ranked is the crate
//! `code`'s; the files stay where they are. Off until `[codebase] enabled` says otherwise; what a person types works anyway.

mod actions;
mod diagnose;
mod entry_points;
mod hints;
mod index;
pub mod messages;
mod reply_cap;
mod servers;

use std::process::ExitCode;

use system::{OnEvent, Switch, System};

/// Runs with the words behind `plimsoll code-worker`.
#[must_use]
pub fn work(words: &[String]) -> ExitCode {
    match words {
        [what, folder, rest @ ..] if what == "check" => {
            index::worker_process::print_result(diagnose::run(folder, rest))
        }
        [what, folder, rest @ ..] if what == "serve" => {
            index::worker_process::print_result(servers::run(folder, rest))
        }
        _ => index::worker_process::run(words),
    }
}

/// What there is of it.
pub static SYSTEM: System = System {
    purpose: "knows the code (codebase)",
    switch: Some(Switch { key: "codebase.enabled", default: false }),
    tools: entry_points::TOOLS,
    older: entry_points::OLDER,
    commands: entry_points::COMMANDS,
    screens: &["code"],
    verbs: entry_points::VERBS,
    typed_when_off: true,
    settings: entry_points::SETTINGS,
    on_event: Some(OnEvent { tell: hints::tell, after: |_, _| {}, learn: |_, _| None }),
    databases: entry_points::databases,
    check: entry_points::check,
    background: diagnose::watch_edits,
    forget: Some(entry_points::FORGET),
    retain: entry_points::retain,
    ..System::named("codebase")
};
