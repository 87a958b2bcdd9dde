//! What can be typed. Owns names, help texts and exit codes; knows nothing of what a command does.

mod query;

pub(crate) use query::{
    Activity, Changes, Discover, Filters, FiltersWhat, Read, Restore, Sessions, Settings, SettingsChange,
};

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

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

/// A command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find your agents, show the changes, connect them and check that they work
    Setup(Setup),
    /// List the agents on this computer and their state
    Agents(Reading),
    /// Connect agents: write Plimsoll's entries into their configs
    Connect(Connect),
    /// Disconnect agents: remove Plimsoll's entries from their configs
    Disconnect(Disconnect),
    /// Start each connected agent's server and hook as the agent would, and time the answers
    Verify(Verify),
    /// Show the state of everything on one screen
    Status(Reading),
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
    Projects(Reading),
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
    /// Move searchable text to the trash, and forget its sessions
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
    Hook(Passed),
    /// Run a command and show what matters of its output (`plimsoll run -- cargo test`)
    Run(Passed),
    /// Serve tools over standard input and output
    Mcp(Passed),
    /// Print shell completions
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// `doctor`
#[derive(Debug, Clone, Args)]
pub(crate) struct Doctor {
    /// Set aside a record that can't be read and start a new one; the damaged file is kept
    #[arg(long)]
    pub(crate) start_fresh: bool,
    /// List what's fine, too
    #[arg(long)]
    pub(crate) all: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of commands that only read.
#[derive(Debug, Clone, Args)]
pub(crate) struct Reading {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments that are handled before the command line is parsed.
#[derive(Debug, Clone, Args)]
pub(crate) struct Passed {
    /// Passed on as they are
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub(crate) rest: Vec<String>,
}

/// Where entries go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Where {
    /// Your own configuration: every project
    User,
    /// The configuration inside the project of the working folder
    Project,
}

/// `setup`
#[derive(Debug, Clone, Args)]
pub(crate) struct Setup {
    /// Ask nothing: connect the agents found and verify them
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
    /// Only these agents, e.g. claude-code,codex
    #[arg(long, value_delimiter = ',', value_name = "IDS")]
    pub(crate) agents: Vec<String>,
    /// Show the plan and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// `connect`
#[derive(Debug, Clone, Args)]
pub(crate) struct Connect {
    /// Agents, e.g. claude-code codex; `plimsoll agents` lists them
    #[arg(value_name = "AGENT")]
    pub(crate) agents: Vec<String>,
    /// Every agent that was found
    #[arg(long, conflicts_with = "agents")]
    pub(crate) all: bool,
    /// Where the entries go
    #[arg(long, value_enum, default_value = "user")]
    pub(crate) scope: Where,
    /// Tools only, no automatic filtering
    #[arg(long)]
    pub(crate) no_hooks: bool,
    /// Also add a few lines to the agent's instruction file
    #[arg(long)]
    pub(crate) instructions: bool,
    /// Let Codex and Gemini CLI pass GH_TOKEN, AWS, npm, Google and Docker credentials on to what Plimsoll runs
    #[arg(long, conflicts_with = "no_credentials")]
    pub(crate) credentials: bool,
    /// Stop passing them on
    #[arg(long)]
    pub(crate) no_credentials: bool,
    /// Print what to enter by hand; works for agents that are not installed
    #[arg(long)]
    pub(crate) print: bool,
    /// Show the plan and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Apply without asking
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `disconnect`
#[derive(Debug, Clone, Args)]
pub(crate) struct Disconnect {
    /// Agents, e.g. claude-code codex
    #[arg(value_name = "AGENT")]
    pub(crate) agents: Vec<String>,
    /// Every agent
    #[arg(long, conflicts_with = "agents")]
    pub(crate) all: bool,
    /// Where the entries are
    #[arg(long, value_enum, default_value = "user")]
    pub(crate) scope: Where,
    /// Show the plan and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Apply without asking
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `verify`
#[derive(Debug, Clone, Args)]
pub(crate) struct Verify {
    /// Agents; all connected ones when none is named
    #[arg(value_name = "AGENT")]
    pub(crate) agents: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `search`
#[derive(Debug, Clone, Args)]
pub(crate) struct Search {
    /// What to look for; each argument gets its own answer
    #[arg(required = true, value_name = "QUERY")]
    pub(crate) queries: Vec<String>,
    /// Only this source
    #[arg(long, short)]
    pub(crate) source: Option<String>,
    /// Only passages with code, or only without
    #[arg(long, value_enum)]
    pub(crate) kind: Option<Kind>,
    /// Passages per query
    #[arg(long, short = 'n', default_value_t = 3)]
    pub(crate) limit: usize,
    /// Passages to skip, for paging
    #[arg(long, default_value_t = 0)]
    pub(crate) offset: usize,
    /// Newest first instead of best first
    #[arg(long)]
    pub(crate) newest: bool,
    /// Search in recorded sessions too
    #[arg(long)]
    pub(crate) sessions: bool,
    /// The project's folder, instead of the working folder's
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// With code
    Code,
    /// Without code
    Prose,
}

/// `index`
#[derive(Debug, Clone, Args)]
pub(crate) struct Index {
    /// Files, folders or addresses; `-` reads standard input
    #[arg(required = true, value_name = "WHAT")]
    pub(crate) what: Vec<String>,
    /// Its name; derived from the input if you don't give one
    #[arg(long, short)]
    pub(crate) source: Option<String>,
    /// Only these files of a folder, e.g. '*.md'
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Not these files of a folder
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Index again even if nothing seems to have changed
    #[arg(long)]
    pub(crate) force: bool,
    /// Say what would be indexed and store nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The project's folder, instead of the working folder's
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `sources`
#[derive(Debug, Clone, Args)]
pub(crate) struct Sources {
    /// How many
    #[arg(long, short = 'n', default_value_t = 50)]
    pub(crate) limit: usize,
    /// How many to skip, for paging
    #[arg(long, default_value_t = 0)]
    pub(crate) offset: usize,
    /// The project's folder, instead of the working folder's
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Forms of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Export {
    /// Comma separated values
    Csv,
    /// A JSON array
    Json,
}

/// `stats`
#[derive(Debug, Clone, Args)]
pub(crate) struct Stats {
    /// Only this many days back
    #[arg(long)]
    pub(crate) days: Option<u32>,
    /// Every call, latest first
    #[arg(long)]
    pub(crate) calls: bool,
    /// Write every call of the ledger to standard output
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["days", "calls", "json"])]
    pub(crate) export: Option<Export>,
    /// With --export: only calls since then (2026-01-31, 7d, 24h)
    #[arg(long, value_name = "WHEN", requires = "export")]
    pub(crate) since: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `purge`
#[derive(Debug, Clone, Args)]
pub(crate) struct Purge {
    /// One source, by name or number
    #[arg(long, conflicts_with_all = ["session", "everything"])]
    pub(crate) source: Option<String>,
    /// What one session stored, and what Plimsoll remembers from it
    #[arg(long, conflicts_with = "everything")]
    pub(crate) session: Option<String>,
    /// All of this project, and what Plimsoll remembers from its sessions (the working folder's when no folder is named)
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = ".")]
    pub(crate) project: Option<PathBuf>,
    /// Every project and session, kept outputs, caches and downloads; asks you to type a word
    #[arg(long, conflicts_with = "project")]
    pub(crate) everything: bool,
    /// Delete searchable text instead of moving it to the trash
    #[arg(long)]
    pub(crate) now: bool,
    /// Keep what Plimsoll remembers from sessions, which can't be restored
    #[arg(long, conflicts_with = "source")]
    pub(crate) keep_records: bool,
    /// Say what would be removed and remove nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `pause`
#[derive(Debug, Clone, Args)]
pub(crate) struct Pause {
    /// For how long, e.g. 30m, 1h, 2d
    #[arg(long = "for", value_name = "TIME", default_value = "1h", value_parser = duration)]
    pub(crate) ms: i64,
    /// Only in this project (the working folder's when no folder is named)
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = ".")]
    pub(crate) project: Option<PathBuf>,
    /// Say what would change and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// `resume`
#[derive(Debug, Clone, Args)]
pub(crate) struct Resume {
    /// Only this project (the working folder's when no folder is named)
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = ".")]
    pub(crate) project: Option<PathBuf>,
    /// Say what would change and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// `upgrade`
#[derive(Debug, Clone, Args)]
pub(crate) struct Upgrade {
    /// Look for a newer version and install nothing
    #[arg(long, visible_alias = "check")]
    pub(crate) dry_run: bool,
    /// Install the server's version even if it's the same or older
    #[arg(long)]
    pub(crate) force: bool,
    /// Install nothing; only bring the entries of connected agents up to date
    #[arg(long, conflicts_with = "force")]
    pub(crate) entries: bool,
    /// Bring the entries of connected agents up to date without asking
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `uninstall`
#[derive(Debug, Clone, Args)]
pub(crate) struct Uninstall {
    /// Disconnect every agent and remove Plimsoll's folder
    #[arg(long, required = true)]
    pub(crate) all: bool,
    /// Keep the databases and settings in Plimsoll's folder
    #[arg(long)]
    pub(crate) keep_data: bool,
    /// Say what would be undone and removed, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// A length of time: a number and `m`, `h` or `d`.
fn duration(text: &str) -> Result<i64, String> {
    let wrong = || format!("`{text}` isn't a length of time; write it like 30m, 1h or 2d");
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = text.get(digits.len()..).unwrap_or_default();
    let number: i64 = digits.parse().map_err(|_| wrong())?;
    let minutes = match unit {
        "m" | "min" => 1,
        "h" => 60,
        "d" => 24 * 60,
        _ => return Err(wrong()),
    };
    let ms = number.checked_mul(minutes * 60_000).filter(|ms| *ms <= 366 * 86_400_000);
    ms.filter(|ms| *ms > 0).ok_or_else(|| format!("`{text}` is too long or too short; at most a year"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::verbs;

    #[test]
    fn the_command_line_is_consistent() {
        verbs::parser(service::SYSTEMS).debug_assert();
    }

    #[test]
    fn lengths_of_time() {
        assert_eq!(duration("30m"), Ok(1_800_000));
        assert_eq!(duration("2d"), Ok(172_800_000));
        for wrong in ["", "h", "1", "-1h", "0m", "1x", "99999999999999d", "é"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    /// The command lines that the window shows in its tooltips.
    fn twins() -> Vec<Vec<String>> {
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
            service::SYSTEMS.iter().flat_map(|system| system.commands).map(|command| command.twin);
        commands::COMMANDS
            .iter()
            .map(|command| command.twin)
            .chain(of_systems)
            .filter_map(|twin| match twin {
                commands::Twin::Verb(line) => Some(line),
                commands::Twin::None(_) => None,
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
        for words in twins() {
            if let Err(error) = verbs::parser(service::SYSTEMS).try_get_matches_from(&words) {
                panic!("{}: {error}", words.join(" "));
            }
        }
    }

    #[test]
    fn everything_that_can_be_typed_is_in_the_window() {
        // Started by agents and shells, or the whole of the wizard, or the end of a pause.
        let apart = ["hook", "mcp", "run", "completions", "setup", "resume"];
        let shown: Vec<String> = twins().into_iter().filter_map(|words| words.into_iter().nth(1)).collect();
        for command in verbs::parser(service::SYSTEMS).get_subcommands() {
            let name = command.get_name();
            assert!(
                apart.contains(&name) || shown.iter().any(|verb| verb == name),
                "`plimsoll {name}` has no place in the window"
            );
        }
    }
}
