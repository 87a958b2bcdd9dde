//! Agents and their wiring, as a front end shows them: what was found, what a plan would change, what an
//! application did, and whether a started server answered.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

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
    pub const fn words(self) -> &'static str {
        match self {
            Self::NotInstalled => "not installed",
            Self::NotConnected => "not connected",
            Self::Partly => "partly connected",
            Self::NeedsYou => "needs you",
            Self::Connected => "connected",
            Self::Unreadable => "unreadable",
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
    /// Version, where it could be asked.
    pub version: Option<String>,
    /// Products behind it (`IDE`, `Insiders`).
    pub products: Vec<String>,
    /// Why it is believed to be installed.
    pub found: Vec<FoundAt>,
    /// Whether it gets the tools, automatic filtering and session notes.
    pub gains: [bool; 3],
    /// Its files.
    pub files: Vec<FileReport>,
    /// What a person must do.
    pub needs: Vec<String>,
    /// What does not work or will surprise.
    pub warnings: Vec<String>,
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

/// One file of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FileReport {
    /// The file.
    pub path: PathBuf,
    /// What it is for: `tools`, `hooks`, `instructions`, `plugin`.
    pub roles: Vec<String>,
    /// `absent`, `ours`, `outdated`, `partly`, `foreign`, `removed by you`, or why it cannot be read.
    pub state: String,
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
    pub notes: Vec<String>,
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
    pub notes: Vec<String>,
    /// Why the file is left alone.
    pub refusal: Option<String>,
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
    pub error: Option<String>,
    /// What the person does next, only where needed.
    pub next_steps: Vec<String>,
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
    pub error: Option<String>,
}

impl VerifyReport {
    /// Whether everything that was tried answered.
    pub fn ok(&self) -> bool {
        self.error.is_none()
    }
}
