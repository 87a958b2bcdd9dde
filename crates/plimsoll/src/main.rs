//! The sidecar binary. Dispatches to its three faces and knows nothing of how anything is done.
//!
//! `hook` is looked for first, then `mcp` and `run`, all without building the argument parser of the rest: an
//! agent waits for the one on every tool call and for the other at every start.

mod cli;
mod hook;
mod logging;
mod mcp;
mod run;
mod zone;

#[cfg(test)]
mod dummy_tests;

use std::io::IsTerminal;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Not `args()`, which panics on an argument that is not Unicode.
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    match arguments.split_first() {
        Some((first, rest)) if first == "hook" => hook::run(rest),
        Some((first, rest)) if first == "mcp" => mcp::run(rest),
        Some((first, _)) if first == "run" => run::run(),
        Some((first, rest)) if first == "code-worker" => codebase::work(rest),
        #[cfg(feature = "conformance")]
        Some((first, rest)) if first == "conformance" => mcp::conformance::run(rest),
        // An agent that calls the bare program hands a payload over; a person at a terminal gets help.
        None if !std::io::stdin().is_terminal() => hook::run(&[]),
        _ => cli::run(),
    }
}
