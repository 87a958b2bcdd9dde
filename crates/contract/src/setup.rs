//! Agents and their connection, as front ends show them: the survey, a plan, the result of applying it, and the
//! verification.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Sentence, joined};

/// An agent's state, computed from its files at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum AgentState {
    /// The agent isn't installed.
    NotInstalled,
    /// It has none of Plimsoll's entries.
    NotConnected,
    /// Some entries are there, or outdated ones.
    Partly,
    /// All entries are there, but the user must do something.
    NeedsYou,
    /// All entries are up to date.
    Connected,
    /// A file can't be read, so the state is unknown.
    Unreadable,
}

impl AgentState {
    /// The state in words.
    pub fn message(&self) -> Sentence {
        match self {
            Self::NotInstalled => messages::not_installed(),
            Self::NotConnected => messages::not_connected(),
            Self::Partly => messages::partly(),
            Self::NeedsYou => messages::needs_you(),
            Self::Connected => messages::connected(),
            Self::Unreadable => messages::unreadable(),
        }
    }
}

/// One agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AgentReport {
    /// ID, as in `plimsoll connect <id>`.
    pub id: String,
    /// Product name.
    pub name: String,
    /// Its state.
    pub state: AgentState,
    /// The only project it is connected in; `None` if it is connected in the user's configuration, or not at all.
    pub project: Option<PathBuf>,
    /// Its version, if known.
    pub version: Option<String>,
    /// Its product variants (`IDE`, `Insiders`).
    pub products: Vec<String>,
    /// The evidence that it is installed.
    pub found: Vec<FoundAt>,
    /// Whether it can get the tools, automatic filtering and session notes.
    pub gains: [bool; 3],
    /// Which of these work now.
    pub works: [bool; 3],
    /// Its files.
    pub files: Vec<FileReport>,
    /// What the user must do.
    pub needs: Vec<Sentence>,
    /// What doesn't work or may surprise.
    pub warnings: Vec<Sentence>,
}

/// Evidence that an agent is installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FoundAt {
    /// The evidence in words.
    pub how: String,
    /// Where.
    pub path: PathBuf,
}

/// The state of Plimsoll's entries in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum FileState {
    /// There is none.
    Absent,
    /// All are up to date.
    Ours,
    /// They are outdated.
    Outdated,
    /// Some are missing.
    Partly,
    /// A foreign entry is in their place.
    Foreign,
    /// Plimsoll wrote them and the user removed them, which is respected.
    Removed,
    /// The file can't be read.
    Unreadable,
}

impl FileState {
    /// The state in words.
    pub fn message(&self) -> Sentence {
        match self {
            Self::Absent => messages::file_absent(),
            Self::Ours => messages::file_ours(),
            Self::Outdated => messages::file_outdated(),
            Self::Partly => messages::file_partly(),
            Self::Foreign => messages::file_foreign(),
            Self::Removed => messages::file_removed(),
            Self::Unreadable => messages::unreadable(),
        }
    }
}

/// One file of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FileReport {
    /// The file.
    pub path: PathBuf,
    /// Its roles: `tools`, `hooks`, `instructions`, `plugin`.
    pub roles: Vec<String>,
    /// The state of Plimsoll's entries.
    pub state: FileState,
    /// Why it can't be read.
    pub reason: Option<Sentence>,
}

impl FileReport {
    /// The state in words, with the reason if there is one.
    pub fn state_text(&self) -> Sentence {
        match &self.reason {
            Some(reason) => joined::about(self.state.message(), reason.clone()),
            None => self.state.message(),
        }
    }
}

/// What connecting or disconnecting would change.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlanReport {
    /// The parts of the plan, per agent.
    pub agents: Vec<AgentPlanReport>,
    /// The folder for backups.
    pub backups: PathBuf,
}

/// One agent's part of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AgentPlanReport {
    /// The agent's ID.
    pub id: String,
    /// Product name.
    pub name: String,
    /// The files.
    pub files: Vec<FilePlanReport>,
    /// What the user should know first.
    pub notes: Vec<Sentence>,
    /// Whether nothing would be written for this agent, because one of its files can't be edited.
    pub blocked: bool,
}

/// One file's part of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FilePlanReport {
    /// The file.
    pub path: PathBuf,
    /// Its roles.
    pub roles: Vec<String>,
    /// `unchanged`, `create`, `modify`, `delete` or `refused`.
    pub change: String,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
    /// Unified diff.
    pub diff: String,
    /// What the user should know.
    pub notes: Vec<Sentence>,
    /// Why the file isn't edited.
    pub refusal: Option<Sentence>,
    /// The snippet for manual setup if the file isn't edited.
    pub snippet: Option<String>,
}

/// The result of applying a plan for one agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AppliedReport {
    /// The agent's ID.
    pub id: String,
    /// Product name.
    pub name: String,
    /// Files that were written or deleted.
    pub written: Vec<PathBuf>,
    /// Files that were up to date already.
    pub unchanged: Vec<PathBuf>,
    /// Why it failed; the agent's files are then unchanged.
    pub error: Option<Sentence>,
    /// What the user must do next, if anything.
    pub next_steps: Vec<Sentence>,
}

/// Whether the server and the hook answer when started as the agent does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct VerifyReport {
    /// The agent's ID.
    pub id: String,
    /// Product name.
    pub name: String,
    /// Milliseconds from the server's start to its `initialize` answer; `None` if the agent has no server entry.
    pub initialize_ms: Option<f64>,
    /// The number of tools listed.
    pub tools: usize,
    /// The duration of one tool call in milliseconds.
    pub call_ms: Option<f64>,
    /// The duration of one hook process in milliseconds; `None` if the agent has no hook entry.
    pub hook_ms: Option<f64>,
    /// The failure, if any.
    pub error: Option<Sentence>,
}

impl VerifyReport {
    /// Whether everything tested answered.
    pub fn ok(&self) -> bool {
        self.error.is_none()
    }
}

/// The states of agents and files in words.
pub mod messages {
    crate::sentences! { "agent_status";
        not_installed() = "not installed";
        not_connected() = "not connected";
        partly() = "partly connected";
        needs_you() = "needs you";
        connected() = "connected";
        unreadable() = "unreadable";
        file_absent() = "absent";
        file_ours() = "in place";
        file_outdated() = "outdated";
        file_partly() = "partly there";
        file_foreign() = "an entry that isn't Plimsoll's is in its place";
        file_removed() = "removed by you";
    }
}
