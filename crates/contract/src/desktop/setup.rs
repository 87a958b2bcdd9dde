//! The wizard and the agents' screen: what would change, carrying it out, what changed since.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::PlanReport;

/// Which agents are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AgentsQuery {
    /// Also start programs to learn their versions, and ask the login shell for its PATH; takes a second or two.
    pub thorough: bool,
}

/// What to connect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlanConnect {
    /// Agents by id; every one that is installed when empty.
    pub agents: Vec<String>,
    /// With hooks: automatic filtering and session notes.
    pub hooks: bool,
    /// With a few lines in the agent's instruction file.
    pub instructions: bool,
    /// Agents that keep credentials from their servers pass them on to ours, by name; without it that stays as it is.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub credentials: Option<bool>,
    /// Inside this project instead of for every project.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub project: Option<PathBuf>,
}

/// What to disconnect.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlanDisconnect {
    /// Agents by id; all when empty.
    pub agents: Vec<String>,
    /// Inside this project instead of for every project.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub project: Option<PathBuf>,
}

/// A plan that is kept until the next one is made, so that exactly what was shown is carried out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlanView {
    /// Its number.
    pub plan: u32,
    /// It takes entries out.
    pub removal: bool,
    /// What it would change.
    pub report: PlanReport,
}

/// One agent's part of a plan, to be carried out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ApplyPlan {
    /// The plan's number.
    pub plan: u32,
    /// The agent's id.
    pub agent: String,
}

/// Where to write a plan as a unified diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SaveDiff {
    /// The plan's number.
    pub plan: u32,
    /// The file.
    pub path: PathBuf,
}

/// One agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AgentRef {
    /// Its id.
    pub agent: String,
}

/// What happened to a file since Plimsoll first touched it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FileChange {
    /// The file.
    pub path: PathBuf,
    /// The copy of it as it was before; `None` when there was no file.
    pub backup: Option<PathBuf>,
    /// When Plimsoll last wrote it; `None` when it never did.
    pub written_ms: Option<i64>,
    /// Somebody wrote it since Plimsoll did.
    pub changed_since: bool,
    /// Lines added since before Plimsoll.
    pub added: usize,
    /// Lines removed since before Plimsoll.
    pub removed: usize,
    /// Unified diff from the file before Plimsoll to the file now.
    pub diff: String,
    /// Why it cannot be compared.
    pub problem: Option<String>,
}
