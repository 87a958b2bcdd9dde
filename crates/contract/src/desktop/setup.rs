//! The setup and agents screens: plans, applying them, and file changes since.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::PlanReport;

/// Selects agents.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AgentsQuery {
    /// Whether to ask programs for their versions and the login shell for its PATH; takes a second or two.
    pub thorough: bool,
}

/// What to connect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlanConnect {
    /// Agent IDs; every installed agent if empty.
    pub agents: Vec<String>,
    /// With hooks: automatic filtering and session notes.
    pub hooks: bool,
    /// With a few lines in the agent's instruction file.
    pub instructions: bool,
    /// Whether agents that keep credentials from servers pass them on to Plimsoll; unchanged if `None`.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub credentials: Option<bool>,
    /// In this project instead of in every project.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub project: Option<PathBuf>,
}

/// What to disconnect.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlanDisconnect {
    /// Agent IDs; all if empty.
    pub agents: Vec<String>,
    /// In this project instead of in every project.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub project: Option<PathBuf>,
}

/// A plan. It is kept until the next one is made, so that exactly what was shown is applied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlanView {
    /// Its number.
    pub plan: u32,
    /// Whether it removes entries.
    pub removal: bool,
    /// What it would change.
    pub report: PlanReport,
}

/// Applies one agent's part of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ApplyPlan {
    /// The plan's number.
    pub plan: u32,
    /// The agent's id.
    pub agent: String,
}

/// Saves a plan as a unified diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SaveDiff {
    /// The plan's number.
    pub plan: u32,
    /// The file.
    pub path: PathBuf,
}

/// Names an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AgentRef {
    /// Its id.
    pub agent: String,
}

/// How a file has changed since Plimsoll first wrote to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FileChange {
    /// The file.
    pub path: PathBuf,
    /// The backup of the original; `None` if there was no file.
    pub backup: Option<PathBuf>,
    /// When Plimsoll last wrote it; `None` if never.
    pub written_ms: Option<i64>,
    /// Whether somebody else has written it since.
    pub changed_since: bool,
    /// Lines added since before Plimsoll.
    pub added: usize,
    /// Lines removed since before Plimsoll.
    pub removed: usize,
    /// Unified diff from the file before Plimsoll to the file now.
    pub diff: String,
    /// Why it can't be compared.
    pub problem: Option<String>,
}
