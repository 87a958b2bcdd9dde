//! Arguments of the commands that look through what was stored and recorded: the terminal's twins of the
//! window's screens.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// `changes`
#[derive(Debug, Clone, Args)]
pub(crate) struct Changes {
    /// The agent, e.g. claude-code
    #[arg(value_name = "AGENT")]
    pub(crate) agent: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `read`
#[derive(Debug, Clone, Args)]
pub(crate) struct Read {
    /// The source's number or name, as `plimsoll sources` lists it, or the address of a kept output
    /// (plimsoll://task/…)
    #[arg(value_name = "SOURCE")]
    pub(crate) source: String,
    /// The project's folder, instead of the working folder's
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `restore`
#[derive(Debug, Clone, Args)]
pub(crate) struct Restore {
    /// The file in the trash, as `plimsoll purge` named it; without it, lists the trash
    #[arg(value_name = "FILE")]
    pub(crate) trash: Option<PathBuf>,
    /// Restore it into this project instead of the one it came from
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
    /// Say what would be restored and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print what is in the trash as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `sessions`
#[derive(Debug, Clone, Args)]
pub(crate) struct Sessions {
    /// One session, as the list names it
    #[arg(value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// Only this agent's, e.g. codex
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// Delete this session: its events and calls
    #[arg(long, requires = "session")]
    pub(crate) delete: bool,
    /// Stop recording sessions of this project (the working folder's when no folder is named)
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = ".", conflicts_with = "session")]
    pub(crate) unrecord: Option<PathBuf>,
    /// Start recording them again
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = ".", conflicts_with_all = ["session", "unrecord"])]
    pub(crate) record: Option<PathBuf>,
    /// How many
    #[arg(long, short = 'n', default_value_t = 20)]
    pub(crate) limit: u64,
    /// How many to skip, for paging
    #[arg(long, default_value_t = 0)]
    pub(crate) offset: u64,
    /// Don't ask before deleting
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
    /// Say what would be deleted and delete nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `activity`
#[derive(Debug, Clone, Args)]
pub(crate) struct Activity {
    /// Only this agent's, e.g. codex
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// Only with this decision: pass, deny, ask, redirect, context
    #[arg(long)]
    pub(crate) decision: Option<String>,
    /// Only with all of these words
    #[arg(long, value_name = "WORDS")]
    pub(crate) contains: Option<String>,
    /// How many
    #[arg(long, short = 'n', default_value_t = 20)]
    pub(crate) limit: u64,
    /// How many to skip, for paging
    #[arg(long, default_value_t = 0)]
    pub(crate) offset: u64,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `settings`
#[derive(Debug, Clone, Args)]
pub(crate) struct Settings {
    #[command(subcommand)]
    pub(crate) change: Option<SettingsChange>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to do with settings.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum SettingsChange {
    /// Change one setting
    Set {
        /// Its name, e.g. sandbox.timeout_ms
        key: String,
        /// Its new value
        value: String,
        /// Say what would change and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Write the settings to a file
    Export {
        /// The file
        path: PathBuf,
        /// Say what would be written and write nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Replace the settings with those in a file
    Import {
        /// The file
        path: PathBuf,
        /// Say what would change and change nothing
        #[arg(long)]
        dry_run: bool,
    },
}

/// `filters`
#[derive(Debug, Clone, Args)]
pub(crate) struct Filters {
    #[command(subcommand)]
    pub(crate) what: Option<FiltersWhat>,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// What to do with filters.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum FiltersWhat {
    /// List them: built in, your own (~/.plimsoll/filters), the project's (.plimsoll/filters)
    List,
    /// Run their cases: real outputs, what is left, and the facts that must stay
    Test {
        /// Only these filters
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Show which filters a command goes through, and what they make of its output
    Explain {
        /// The command line
        #[arg(value_name = "COMMAND")]
        command: String,
        /// What it printed: a file, or `-` for standard input
        #[arg(long, value_name = "FILE")]
        input: Option<PathBuf>,
        /// Its exit code
        #[arg(long, value_name = "CODE")]
        exit: Option<i32>,
    },
    /// Switch one off; `generic` is the one for commands that no filter knows
    Off {
        /// Its name
        name: String,
        /// Say what would change and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Switch one on again
    On {
        /// Its name
        name: String,
        /// Say what would change and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Look at a project's own filters and use them from now on, as they are
    Trust {
        /// The project's folder, instead of the working folder's
        #[arg(value_name = "FOLDER")]
        folder: Option<PathBuf>,
        /// Don't ask
        #[arg(long, short = 'y')]
        yes: bool,
    },
    /// Stop using a project's own filters
    Untrust {
        /// The project's folder, instead of the working folder's
        #[arg(value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
}

/// `discover`
#[derive(Debug, Clone, Args)]
pub(crate) struct Discover {
    /// How many days back
    #[arg(long, default_value_t = 30)]
    pub(crate) days: u32,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
