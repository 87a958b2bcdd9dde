//! The status on one screen, and the reports of doctor, upgrade and uninstall.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{AgentReport, Sentence};

/// Plimsoll's status.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StatusReport {
    /// This program's version.
    pub version: String,
    /// Plimsoll's folder.
    pub home: PathBuf,
    /// The program behind the launcher; `None` if there is none.
    pub launcher: Option<PathBuf>,
    /// The installed agents.
    pub agents: Vec<AgentReport>,
    /// The running servers.
    pub servers: Vec<ServerReport>,
    /// Whether hooks are switched off.
    pub hooks_off: bool,
    /// When the pause of hooks ends, in milliseconds since 1970.
    pub paused_until_ms: Option<i64>,
    /// Projects in which hooks are paused.
    pub paused_projects: Vec<PathBuf>,
    /// Net bytes kept out of conversations in the last seven days, after Plimsoll's own overhead; `None` if nothing
    /// was recorded.
    pub week_net_bytes: Option<i64>,
    /// What couldn't be read.
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

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Health {
    /// Fine.
    Ok,
    /// Works, but needs a look.
    Warn,
    /// Doesn't work.
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
    /// The result.
    pub health: Health,
    /// What was checked: `storage`, `python`, `claude-code`.
    pub name: Sentence,
    /// The finding, with the remedy if it isn't fine.
    pub detail: Sentence,
}

/// What an upgrade found or did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct UpgradeReport {
    /// The running version.
    pub current: String,
    /// The version that the server offers; `None` if no server is configured.
    pub offered: Option<String>,
    /// `not_configured`, `up_to_date`, `available` or `installed`.
    pub outcome: String,
    /// The result in words.
    pub text: Sentence,
    /// The connected agents' entries that the installed version writes differently; `None` if it wasn't asked.
    pub entries: Option<EntriesReport>,
}

/// The connected agents' entries that were updated, or would be.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct EntriesReport {
    /// Whether they were written; otherwise they would be.
    pub written: bool,
    /// The affected agents with their files; empty if every entry is up to date.
    pub agents: Vec<crate::AppliedReport>,
}

/// What an uninstall would do or did.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct UninstallReport {
    /// Agents' files, and what happens to each.
    pub files: Vec<ReturnedFile>,
    /// What is removed below Plimsoll's folder.
    pub removed: Vec<PathBuf>,
    /// What is removed that isn't a file: keys in a keyring.
    pub removed_elsewhere: Vec<Sentence>,
    /// What stays, and why.
    pub kept: Vec<Sentence>,
    /// What went wrong.
    pub problems: Vec<Sentence>,
}

/// An agent's file after an uninstall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReturnedFile {
    /// The agent's id.
    pub agent: String,
    /// The file.
    pub path: PathBuf,
    /// `as before`, `Plimsoll's entries removed`, `removed`, or why it was left alone.
    pub state: Sentence,
}
