//! Home and tray: how things stand, and what was kept out.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{AgentState, Sentence, ServerReport};

use super::{LedgerCall, Sums};

/// How things stand, cheaply: nothing is started and no program is asked for its version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Overview {
    /// This program's version.
    pub version: String,
    /// The Plimsoll folder.
    pub home: PathBuf,
    /// The wizard has not been gone through and no agent is connected.
    pub first_run: bool,
    /// Agents by state.
    pub agents: AgentCounts,
    /// Servers that run right now.
    pub servers: Vec<ServerReport>,
    /// Hooks are off altogether.
    pub hooks_off: bool,
    /// Hooks are paused until then; `None` when they are not.
    pub paused_until_ms: Option<i64>,
    /// Projects in which hooks are paused.
    pub paused_projects: Vec<PathBuf>,
    /// The project of the server that was started last: what "this project" means in the tray.
    pub project: Option<PathBuf>,
    /// Sources in every project's knowledge base together.
    pub sources: u64,
    /// Chunks in every project's knowledge base together.
    pub chunks: u64,
    /// Since midnight here.
    pub today: Sums,
    /// What is remembered; `None` while memory is off.
    pub memory: Option<MemoryToday>,
    /// What does not work, and what can be done about it.
    pub problems: Vec<Problem>,
}

/// What is remembered, and what agents were given of it today without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MemoryToday {
    /// Memories in use, of every project.
    pub total: u64,
    /// Memories that were given.
    pub given: u64,
    /// How often something was given.
    pub times: u64,
    /// What that took, in bytes.
    pub bytes: u64,
}

/// Something that does not work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Problem {
    /// What it is.
    pub text: Sentence,
    /// What a person can do about it.
    pub remedy: Remedy,
}

/// What a person can do about a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Remedy {
    /// Look at the doctor's report.
    Doctor,
    /// The record cannot be read: start a fresh one and keep the damaged file.
    StartFresh,
    /// Nothing can be written: open the folder and mend its rights.
    Folder,
    /// An agent's entry leads nowhere: repair it.
    Agents,
}

/// A fresh record was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StartedFresh {
    /// Where the damaged file is kept.
    pub kept: PathBuf,
}

/// An agent that does not work as it should.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Attention {
    /// The agent's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How it stands.
    pub state: AgentState,
    /// What is wrong, or what the person must do.
    pub what: Option<Sentence>,
}

/// Agents by state.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AgentCounts {
    /// Connected, the ones that need the person among them.
    pub connected: usize,
    /// Found on this computer.
    pub found: usize,
    /// Names of those in which a person must still do something, unreadable and half connected ones among them.
    pub needs_you: Vec<String>,
    /// The same with what is wrong.
    pub attention: Vec<Attention>,
}

/// A stretch of time and where the person is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Period {
    /// Its beginning; 0 for everything.
    pub since_ms: i64,
    /// How far east of Greenwich the person's clock is, in minutes.
    pub utc_offset_min: i32,
}

/// How fine a series of time is.
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

/// Which figures are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StatsQuery {
    /// The stretch of time.
    pub period: Period,
    /// How fine the series is.
    pub bucket: TimeBucket,
}

/// The sums of one agent, tool, filter or project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GroupRow {
    /// Which.
    pub name: String,
    /// Its sums.
    pub sums: Sums,
}

/// The sums of one hour or day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TimeRow {
    /// When it began.
    pub start_ms: i64,
    /// Its sums.
    pub sums: Sums,
}

/// Tokens kept out, by one tokenizer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TokensRow {
    /// The tokenizer.
    pub name: String,
    /// It is a model family's own; else the tokens are estimated from bytes.
    pub measured: bool,
    /// How many; negative if replies were longer than what they stand for.
    pub tokens: i64,
}

/// What the net would be worth if all of it had been read by models of one family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct WorthRow {
    /// The model family, as the person named it.
    pub family: String,
    /// The person's price of a million tokens.
    pub per_million: f64,
    /// In the same money, by an estimate of the tokens; negative if Plimsoll cost more than it kept out.
    pub amount: f64,
}

/// What the ledger says about a stretch of time.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StatsView {
    /// Everything.
    pub sums: Sums,
    /// Per agent, the most saving first.
    pub by_agent: Vec<GroupRow>,
    /// Per tool, the most saving first.
    pub by_tool: Vec<GroupRow>,
    /// Per project, the most saving first.
    pub by_project: Vec<GroupRow>,
    /// Per filter, the most saving first: `raw_bytes` is before it, `returned_bytes` after it.
    pub by_filter: Vec<GroupRow>,
    /// Tokens kept out, per tokenizer; never added up.
    pub tokens: Vec<TokensRow>,
    /// What the net is worth at the person's own prices; empty without a price table.
    pub worth: Vec<WorthRow>,
    /// Over time, the earliest first; stretches without calls are left out.
    pub over_time: Vec<TimeRow>,
    /// Sessions that were active.
    pub sessions: u64,
    /// Hook events that were recorded.
    pub events: u64,
    /// Time that hooks took, in microseconds.
    pub hook_us: u64,
    /// The last call that kept something out.
    pub last: Option<LedgerCall>,
}

/// Whether something may have changed: a number that differs when a database or the settings were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Pulse {
    /// Compare it with the last one.
    pub stamp: u32,
}
