//! Agents and their wiring, as a front end shows them: what was found, what a plan would change, what an
//! application did, and whether a started server answered.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Sentence, joined};

/// How an agent stands, computed from its files at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum AgentState {
    /// Nothing convincing was found on this computer.
    NotInstalled,
    /// None of our entries is there.
    NotConnected,
    /// Some of our entries are there, or outdated ones.
    Partly,
    /// Everything is there, and a person must still do something.
    NeedsYou,
    /// Everything is there.
    Connected,
    /// A file cannot be read, so nothing can be said.
    Unreadable,
}

impl AgentState {
    /// In words.
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
    /// Id, as in `plimsoll connect <id>`.
    pub id: String,
    /// Product name.
    pub name: String,
    /// Its state.
    pub state: AgentState,
    /// The only project it is connected in; `None` when it is in the user's own configuration, or nowhere.
    pub project: Option<PathBuf>,
    /// Version, where it could be asked.
    pub version: Option<String>,
    /// Products behind it (`IDE`, `Insiders`).
    pub products: Vec<String>,
    /// Why it is believed to be installed.
    pub found: Vec<FoundAt>,
    /// Whether it gets the tools, automatic filtering and session notes.
    pub gains: [bool; 3],
    /// Which of these work now.
    pub works: [bool; 3],
    /// Its files.
    pub files: Vec<FileReport>,
    /// What a person must do.
    pub needs: Vec<Sentence>,
    /// What does not work or will surprise.
    pub warnings: Vec<Sentence>,
}

/// A reason to believe that an agent is installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FoundAt {
    /// In words.
    pub how: String,
    /// Where.
    pub path: PathBuf,
}

/// How our entries stand in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum FileState {
    /// None is there.
    Absent,
    /// All are there as they should be.
    Ours,
    /// They are not what they should be now.
    Outdated,
    /// Some are missing.
    Partly,
    /// Somebody else's entry stands at our place.
    Foreign,
    /// We wrote them once and the person took them out; their wish, which is respected.
    Removed,
    /// The file cannot be read.
    Unreadable,
}

impl FileState {
    /// In words.
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
    /// What it is for: `tools`, `hooks`, `instructions`, `plugin`.
    pub roles: Vec<String>,
    /// How our entries stand in it.
    pub state: FileState,
    /// Why it cannot be read, where that is so.
    pub reason: Option<Sentence>,
}

impl FileReport {
    /// How it stands, with the reason where there is one.
    pub fn standing(&self) -> Sentence {
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
    /// Agent by agent.
    pub agents: Vec<AgentPlanReport>,
    /// Where backups would be kept.
    pub backups: PathBuf,
}

/// One agent's part of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AgentPlanReport {
    /// Id.
    pub id: String,
    /// Product name.
    pub name: String,
    /// The files.
    pub files: Vec<FilePlanReport>,
    /// What the person should know beforehand.
    pub notes: Vec<Sentence>,
    /// Nothing of this agent would be written, because one of its files must be left alone.
    pub blocked: bool,
}

/// One file's part of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FilePlanReport {
    /// The file.
    pub path: PathBuf,
    /// What it is for.
    pub roles: Vec<String>,
    /// `unchanged`, `create`, `modify`, `delete` or `refused`.
    pub change: String,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
    /// Unified diff.
    pub diff: String,
    /// What the person should know.
    pub notes: Vec<Sentence>,
    /// Why the file is left alone.
    pub refusal: Option<Sentence>,
    /// For work by hand, when the file is left alone.
    pub snippet: Option<String>,
}

/// What an application did for one agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AppliedReport {
    /// Id.
    pub id: String,
    /// Product name.
    pub name: String,
    /// Files that were written or deleted.
    pub written: Vec<PathBuf>,
    /// Files that already were as planned.
    pub unchanged: Vec<PathBuf>,
    /// Why it failed; the agent's files are then as they were.
    pub error: Option<Sentence>,
    /// What the person does next, only where needed.
    pub next_steps: Vec<Sentence>,
}

/// Whether the server and the hook answer when started as the agent would start them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct VerifyReport {
    /// Id.
    pub id: String,
    /// Product name.
    pub name: String,
    /// Milliseconds from starting the server to its `initialize` answer; `None` when the agent has no server entry.
    pub initialize_ms: Option<f64>,
    /// How many tools it lists.
    pub tools: usize,
    /// Milliseconds of one tool call.
    pub call_ms: Option<f64>,
    /// Milliseconds of one hook, the whole process; `None` when the agent has no hook entry.
    pub hook_ms: Option<f64>,
    /// What went wrong.
    pub error: Option<Sentence>,
}

impl VerifyReport {
    /// Whether everything that was tried answered.
    pub fn ok(&self) -> bool {
        self.error.is_none()
    }
}

/// How an agent and its files stand, in words.
pub mod messages {
    crate::sentences! { "standing";
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
