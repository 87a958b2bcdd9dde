//! The system *codebase*: queries on a project's code. Search, references, the decision card, the map and others over an index that is
//! never stale: changes are read first, or reported.
//!
//! `index` manages the project's index and its worker, `actions` are the queries, `reply_cap` limits their replies, `diagnose` runs the
//! project's checkers, `servers` asks language servers for references, `hints` tells agents what they didn't ask for, and
//! `entry_points` connects all this to tools, verbs and the window. The crate `code` parses and ranks; the files stay where they are.
//! Off until `[codebase] enabled` is set; verbs typed in a terminal always work.

mod actions;
mod diagnose;
mod entry_points;
mod hints;
mod index;
pub mod messages;
mod reply_cap;
mod servers;

use std::process::ExitCode;

use system::{EventHandlers, Screen, Switch, System, Worker};

/// Runs with the words behind `plimsoll code-worker`.
fn work(words: &[String]) -> ExitCode {
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

/// The system's table.
pub static SYSTEM: System = System {
    purpose: "knows the code (codebase)",
    switch: Some(Switch { key: "codebase.enabled", default: false }),
    tools: entry_points::TOOLS,
    legacy_tools: entry_points::OLDER,
    commands: entry_points::COMMANDS,
    screens: &[Screen::reference("code").loading_words()],
    addresses: Some(entry_points::CONTEXT),
    verbs: entry_points::VERBS,
    // This one also knows definitions.
    searched_elsewhere: Some((
        contract::System::Code,
        "code is searched with the tool codebase, action search",
    )),
    typed_when_off: true,
    // One store has all memories.
    forwards: &[(["code", "memory"], "memory")],
    settings: entry_points::SETTINGS,
    event_handlers: Some(EventHandlers {
        context: hints::tell,
        after_answer: |_, _, _| {},
        note: |_, _| None,
    }),
    databases: entry_points::databases,
    check: entry_points::check,
    background: diagnose::watch_edits,
    worker: Some(Worker { word: "code-worker", run: work }),
    purge: Some(entry_points::FORGET),
    retain: entry_points::retain,
    ..System::with_id("codebase")
};
