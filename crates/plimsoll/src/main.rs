//! The sidecar binary. Dispatches to its entry points; doesn't know how anything is done.
//!
//! Checks for `hook`, `mcp` and `run` first, without building the argument parser: an agent waits for the first on
//! every tool call and for the second at every start.

mod cli;
mod hook;
mod logging;
mod mcp;
mod run;
mod time_zone;

#[cfg(test)]
mod dummy_tests;

use std::io::{IsTerminal, Write as _};
use std::process::ExitCode;

fn main() -> ExitCode {
    // An agent under `ulimit -f` would see its hook or its server killed.
    service::survive_file_limit();
    // Not `args()`, which panics on an argument that isn't Unicode.
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    match arguments.split_first() {
        Some((first, rest)) if first == "hook" && !cli::help::is_asked(rest) => {
            explain_wait("hook", "an event");
            hook::run(rest)
        }
        Some((first, rest)) if first == "mcp" && !cli::help::is_asked(rest) => {
            explain_wait("mcp", "messages");
            mcp::run(rest)
        }
        Some((first, rest)) if first == "run" && !cli::help::is_asked(rest) => run::run(),
        #[cfg(feature = "conformance")]
        Some((first, rest)) if first == "conformance" => mcp::conformance::run(rest),
        // An agent that calls the bare program passes a payload and reads the answer; a user at a terminal gets the status.
        None if !std::io::stdin().is_terminal() && !std::io::stdout().is_terminal() => hook::run(&[]),
        _ => run_worker(&arguments).unwrap_or_else(cli::run),
    }
}

/// Tells whoever types a command of agents why nothing happens. An agent's input is never a terminal.
fn explain_wait(command: &str, input: &str) {
    if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
        let _ = writeln!(
            std::io::stderr(),
            "plimsoll {command} waits for {input} of an agent on standard input; Ctrl-C ends it. `plimsoll setup` connects agents."
        );
    }
}

/// Runs a system's own process, if these words start one.
fn run_worker(arguments: &[String]) -> Option<ExitCode> {
    let (first, rest) = arguments.split_first()?;
    let worker = system::find_worker(service::SYSTEMS, first)?;
    Some((worker.run)(rest))
}
