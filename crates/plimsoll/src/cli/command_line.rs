//! The commands that can be typed, with the help text of each. Doesn't know what a command does.

use clap::{Parser, Subcommand};
use clap_complete::Shell;

use super::activity::Activity;
use super::args::{JsonFlag, RawArguments};
use super::changes::Changes;
use super::connect::{Connect, Disconnect};
use super::discover::Discover;
use super::doctor::Doctor;
use super::filters::Filters;
use super::index::Index;
use super::pause::{Pause, Resume};
use super::purge::Purge;
use super::read::Read;
use super::restore::Restore;
use super::search::Search;
use super::sessions::Sessions;
use super::settings::Settings;
use super::setup::Setup;
use super::sources::Sources;
use super::stats::Stats;
use super::uninstall::Uninstall;
use super::upgrade::Upgrade;
use super::verify::Verify;

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "plimsoll",
    bin_name = "plimsoll",
    version,
    about = "Keeps a coding agent's context window from being overloaded.",
    max_term_width = 100
)]
pub(crate) struct Cli {
    /// None shows how things are, and what to do next.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What `run` does with a command.
const ABOUT_RUN: &str = "It runs as it would without `plimsoll run`, with the same exit code. What is left out is kept; the last line says where. \
                         `plimsoll filters list` shows which commands are known.";

/// A command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find your agents, show the changes, connect them and check that they work
    Setup(Setup),
    /// List the agents on this computer and their state
    Agents(JsonFlag),
    /// Connect agents: write Plimsoll's entries into their configs
    Connect(Connect),
    /// Disconnect agents: remove Plimsoll's entries from their configs
    Disconnect(Disconnect),
    /// Start each connected agent's server and hook as the agent would, and time the answers
    Verify(Verify),
    /// Show the state of everything on one screen
    Status(JsonFlag),
    /// Check everything that Plimsoll needs
    Doctor(Doctor),
    /// Search what's indexed in this project
    Search(Search),
    /// Make text, files, folders or web pages searchable
    Index(Index),
    /// List what's searchable in this project
    Sources(Sources),
    /// Print a stored source or output
    Read(Read),
    /// List projects with stored data
    Projects(JsonFlag),
    /// Restore what `purge` moved to the trash
    Restore(Restore),
    /// List recorded sessions, show one, or delete one
    Sessions(Sessions),
    /// List what hooks did, and why
    Activity(Activity),
    /// Show how an agent's files differ from before Plimsoll
    Changes(Changes),
    /// Show or change settings, export or import them
    Settings(Settings),
    /// Show what was kept out of conversations and what it cost
    Stats(Stats),
    /// List the output filters, test or explain them, switch one off
    Filters(Filters),
    /// Estimate what the filters would have kept out of past sessions
    Discover(Discover),
    /// Move searchable text to the trash, and forget its sessions and memories
    Purge(Purge),
    /// Pause hooks for a while
    Pause(Pause),
    /// Resume paused hooks
    Resume(Resume),
    /// Install a newer version from the configured release server
    Upgrade(Upgrade),
    /// Undo everything and remove Plimsoll
    Uninstall(Uninstall),
    /// Answer one hook event
    #[command(override_usage = "plimsoll hook [AGENT] [EVENT]")]
    Hook(RawArguments),
    /// Run a command and show what matters of its output (`plimsoll run -- cargo test`)
    #[command(override_usage = "plimsoll run -- <COMMAND>...", after_help = ABOUT_RUN)]
    Run(RawArguments),
    /// Serve tools over standard input and output
    Mcp(RawArguments),
    /// Print shell completions
    Completions {
        /// The shell
        shell: Shell,
    },
}

#[cfg(test)]
mod tests {
    use crate::cli::verbs;

    #[test]
    fn the_command_line_is_consistent() {
        verbs::parser(service::SYSTEMS).debug_assert();
    }

    #[test]
    fn every_command_takes_json() {
        // Asks in the terminal, prints the script of a shell, or passes on what others print.
        let apart = ["setup", "completions", "hook", "run", "mcp", "help"];
        let mut line = verbs::parser(service::SYSTEMS);
        line.build();
        let mut waiting: Vec<&clap::Command> =
            line.get_subcommands().filter(|command| !apart.contains(&command.get_name())).collect();
        while let Some(command) = waiting.pop() {
            let name = command.get_name();
            let takes_it = command.get_arguments().any(|argument| argument.get_long() == Some("json"));
            assert!(takes_it, "`plimsoll {name}` takes no --json");
            waiting.extend(command.get_subcommands().filter(|nested| nested.get_name() != "help"));
        }
    }

    /// The command lines that the window shows in its tooltips.
    fn terminal_lines() -> Vec<Vec<String>> {
        let examples = [
            ("{agent}", "claude-code"),
            ("{project}", "."),
            ("{query}", "words"),
            ("{source}", "1"),
            ("{path}", "notes.md"),
            ("{url}", "https://example.org"),
            ("{origin}", "notes.md"),
            ("{trash}", "knowledge-1.db"),
            ("{session}", "abc"),
            ("{address}", "plimsoll://task/tAbC"),
            ("{key}", "hooks.enabled"),
            ("{value}", "true"),
            ("{id}", "1a2b3c"),
            ("{content}", "words"),
            ("{namespace}", "decisions"),
            ("{entity}", "PostgreSQL"),
            ("{other}", "pg"),
            ("{name}", "code-review"),
            ("{symbol}", "retryCharge"),
            ("{kind}", "template"),
            ("{scope}", "project"),
            ("{folder}", "src"),
        ];
        let of_systems =
            service::SYSTEMS.iter().flat_map(|system| system.commands).map(|command| command.in_terminal);
        commands::COMMANDS
            .iter()
            .map(|command| command.in_terminal)
            .chain(of_systems)
            .filter_map(|line| match line {
                commands::TerminalEquivalent::CommandLine(line) => Some(line),
                commands::TerminalEquivalent::None(_) => None,
            })
            .map(|line| {
                let line =
                    examples.iter().fold(line.to_owned(), |line, (name, value)| line.replace(name, value));
                assert!(!line.contains('{'), "{line}: a value without an example");
                line.split(' ').map(str::to_owned).collect()
            })
            .collect()
    }

    #[test]
    fn everything_the_window_does_can_be_typed() {
        for words in terminal_lines() {
            if let Err(error) = verbs::parser(service::SYSTEMS).try_get_matches_from(&words) {
                panic!("{}: {error}", words.join(" "));
            }
        }
    }

    #[test]
    fn everything_that_can_be_typed_is_in_the_window() {
        // Started by agents and shells, or the whole of the wizard, or the end of a pause.
        let apart = ["hook", "mcp", "run", "completions", "setup", "resume"];
        let shown: Vec<String> =
            terminal_lines().into_iter().filter_map(|words| words.into_iter().nth(1)).collect();
        for command in verbs::parser(service::SYSTEMS).get_subcommands() {
            let name = command.get_name();
            assert!(
                apart.contains(&name) || shown.iter().any(|verb| verb == name),
                "`plimsoll {name}` has no place in the window"
            );
        }
    }
}
