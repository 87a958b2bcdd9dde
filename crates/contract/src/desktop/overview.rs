//! The home screen and the tray: status and figures.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{AgentState, Sentence, ServerReport};

use super::{LedgerCall, Sums};

/// A cheap status: starts nothing and asks no program for its version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Overview {
    /// This program's version.
    pub version: String,
    /// Plimsoll's folder.
    pub home: PathBuf,
    /// Whether setup hasn't been completed and no agent is connected.
    pub first_run: bool,
    /// Agent counts by state.
    pub agents: AgentCounts,
    /// The running servers.
    pub servers: Vec<ServerReport>,
    /// Whether hooks are switched off.
    pub hooks_off: bool,
    /// When the pause of hooks ends; `None` without a pause.
    pub paused_until_ms: Option<i64>,
    /// Projects in which hooks are paused.
    pub paused_projects: Vec<PathBuf>,
    /// The project of the server that started last: "this project" in the tray.
    pub project: Option<PathBuf>,
    /// The number of sources in all projects.
    pub sources: u64,
    /// The number of chunks in all projects.
    pub chunks: u64,
    /// The totals since local midnight.
    pub today: Sums,
    /// Today's memory figures; `None` while memory is off.
    pub memory: Option<MemoryToday>,
    /// What doesn't work, and the remedies.
    pub problems: Vec<Problem>,
}

/// The memories, and what agents were given today without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MemoryToday {
    /// Memories in use in all projects.
    pub total: u64,
    /// How many memories were given.
    pub given: u64,
    /// How often any were given.
    pub times: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// Whether a team's server is set, which gets what is shared.
    pub server: bool,
}

/// A problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Problem {
    /// The problem in words.
    pub text: Sentence,
    /// Its remedy.
    pub remedy: Remedy,
}

/// The remedy of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Remedy {
    /// Open the doctor's report.
    Doctor,
    /// The record can't be read: start a new one and keep the damaged file.
    StartFresh,
    /// Nothing can be written: open the folder and fix its permissions.
    Folder,
    /// An agent's entry names a missing program: repair it.
    Agents,
}

/// A new record was started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StartedFresh {
    /// Where the damaged file is kept.
    pub kept: PathBuf,
}

/// An agent that doesn't work as it should.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Attention {
    /// The agent's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its state.
    pub state: AgentState,
    /// The problem, or what the user must do.
    pub what: Option<Sentence>,
}

/// Agent counts by state.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AgentCounts {
    /// Connected, including those that need the user.
    pub connected: usize,
    /// Installed on this computer.
    pub found: usize,
    /// The names of agents that need the user, including unreadable and partly connected ones.
    pub needs_you: Vec<String>,
    /// The same with the problems.
    pub attention: Vec<Attention>,
}

/// A period, and the user's time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Period {
    /// Its start; 0 for everything.
    pub since_ms: i64,
    /// The user's UTC offset in minutes.
    pub utc_offset_min: i32,
}

/// The resolution of a time series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum TimeBucket {
    /// By hour.
    Hour,
    /// By day.
    #[default]
    Day,
}

/// Selects figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StatsQuery {
    /// The period.
    pub period: Period,
    /// The resolution of the time series.
    pub bucket: TimeBucket,
}

/// The totals of one agent, tool, filter or project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GroupRow {
    /// Its name.
    pub name: String,
    /// Its totals.
    pub sums: Sums,
}

/// The totals of one hour or day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TimeRow {
    /// Its start.
    pub start_ms: i64,
    /// Its totals.
    pub sums: Sums,
}

/// Tokens kept out, by one tokenizer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TokensRow {
    /// The tokenizer.
    pub name: String,
    /// Whether it is a model family's own tokenizer; otherwise the tokens are estimated from bytes.
    pub measured: bool,
    /// The number; negative if replies were longer than what they replaced.
    pub tokens: i64,
}

/// What the net saving is worth if one model family had read all the bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct WorthRow {
    /// The model family, as the user named it.
    pub family: String,
    /// The user's price per million tokens.
    pub per_million: f64,
    /// The amount in the same currency, from estimated tokens; negative if Plimsoll cost more than it kept out.
    pub amount: f64,
}

/// The ledger's figures for a period.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StatsView {
    /// The totals.
    pub sums: Sums,
    /// Per agent, largest saving first.
    pub by_agent: Vec<GroupRow>,
    /// Per tool, largest saving first.
    pub by_tool: Vec<GroupRow>,
    /// Per project, largest saving first.
    pub by_project: Vec<GroupRow>,
    /// Per filter, largest saving first: `raw_bytes` is before it, `returned_bytes` after it.
    pub by_filter: Vec<GroupRow>,
    /// Tokens kept out, per tokenizer; never added up.
    pub tokens: Vec<TokensRow>,
    /// The net saving at the user's own prices; empty without a price table.
    pub worth: Vec<WorthRow>,
    /// The time series, earliest first, without empty hours or days.
    pub over_time: Vec<TimeRow>,
    /// The number of active sessions.
    pub sessions: u64,
    /// The number of recorded hook events.
    pub events: u64,
    /// The total time that hooks took, in microseconds.
    pub hook_us: u64,
    /// The last call that kept something out.
    pub last: Option<LedgerCall>,
}

/// A change counter: differs after a database or the settings were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Pulse {
    /// Compare it with the previous one.
    pub stamp: u32,
}
