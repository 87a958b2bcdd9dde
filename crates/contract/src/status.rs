//! How things stand, on one screen, and what a check-up found.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{AgentReport, Sentence};

/// How things stand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StatusReport {
    /// This program's version.
    pub version: String,
    /// The Plimsoll folder.
    pub home: PathBuf,
    /// The version behind the launcher; `None` when it is not there.
    pub launcher: Option<PathBuf>,
    /// Agents that were found.
    pub agents: Vec<AgentReport>,
    /// Servers that run right now.
    pub servers: Vec<ServerReport>,
    /// Hooks are off altogether.
    pub hooks_off: bool,
    /// Hooks are paused until then, in milliseconds since 1970.
    pub paused_until_ms: Option<i64>,
    /// Projects in which hooks are paused.
    pub paused_projects: Vec<PathBuf>,
    /// Bytes kept out of conversations in the last seven days, net of our own cost; `None` when nothing was recorded.
    pub week_net_bytes: Option<i64>,
    /// What could not be read.
    pub problems: Vec<String>,
}

/// A running server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ServerReport {
    /// Process number.
    pub pid: u32,
    /// The agent that started it.
    pub agent: String,
    /// Its project.
    pub project: PathBuf,
    /// Since when, in milliseconds since 1970.
    pub started_ms: i64,
}

/// How one check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Health {
    /// As it should be.
    Ok,
    /// Works, but somebody should look.
    Warn,
    /// Does not work.
    Fail,
}

impl Health {
    /// The word in brackets.
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Ok => "[OK]",
            Self::Warn => "[WARN]",
            Self::Fail => "[FAIL]",
        }
    }
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Check {
    /// How it ended.
    pub health: Health,
    /// What was checked: `storage`, `python`, `claude-code`.
    pub name: Sentence,
    /// What was found, with the way out when it is not fine.
    pub detail: Sentence,
}

/// What an upgrade found or did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct UpgradeReport {
    /// The version that runs.
    pub current: String,
    /// The version the server offers; `None` when no server is configured.
    pub offered: Option<String>,
    /// `not_configured`, `up_to_date`, `available` or `installed`.
    pub outcome: String,
    /// In words.
    pub text: Sentence,
    /// The entries of connected agents that the installed version writes differently; `None` where it was not asked.
    pub entries: Option<EntriesReport>,
}

/// The entries of connected agents that were brought up to date, or would be.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct EntriesReport {
    /// They were written; else this is what would be.
    pub written: bool,
    /// Each agent with the files that it concerns; none when every entry is as it should be.
    pub agents: Vec<crate::AppliedReport>,
}

/// What an uninstallation would do or did.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct UninstallReport {
    /// Files of agents, and what became of each.
    pub files: Vec<ReturnedFile>,
    /// What is removed below the Plimsoll folder.
    pub removed: Vec<PathBuf>,
    /// What stays, and why.
    pub kept: Vec<Sentence>,
    /// What went wrong.
    pub problems: Vec<Sentence>,
}

/// A file that was given back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReturnedFile {
    /// The agent's id.
    pub agent: String,
    /// The file.
    pub path: PathBuf,
    /// `as before`, `our entries are out`, `removed`, or why it was left alone.
    pub state: Sentence,
}
