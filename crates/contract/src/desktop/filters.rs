//! Output filters: the list, switching one, and the estimate for past sessions.

use serde::{Deserialize, Serialize};

/// Where a filter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum FilterLayer {
    /// Built in.
    Builtin,
    /// The user's own folder.
    User,
    /// The folder of a trusted project.
    Project,
}

/// A filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FilterRow {
    /// Its name.
    pub name: String,
    /// Its layer.
    pub layer: FilterLayer,
    /// The commands that it handles; empty for `generic`, which handles every command without a filter.
    pub commands: Vec<String>,
    /// Whether it is in use.
    pub on: bool,
    /// Its file; empty for a built-in filter.
    pub file: String,
}

/// All filters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FiltersView {
    /// `generic` first, then by name.
    pub filters: Vec<FilterRow>,
    /// Files that can't be read, with the reasons.
    pub broken: Vec<String>,
}

/// Switch a filter off or on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SwitchFilter {
    /// Its name.
    pub name: String,
    /// The new state.
    pub on: bool,
}

/// How far back to look at past sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DiscoverQuery {
    /// Days before now.
    pub days: u32,
}

/// What the filters would have kept out of past sessions according to the agents' own transcripts. Always an
/// estimate. All sizes are in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DiscoverView {
    /// The scan's start.
    pub since_ms: i64,
    /// How many transcripts and transcript databases were read; 0 means that there is nothing to report.
    pub transcripts: u64,
    /// How many outputs of commands were scanned.
    pub calls: u64,
    /// How many would have been shorter.
    pub shortened: u64,
    /// What models got.
    pub raw_bytes: u64,
    /// What they would have got; never more than `raw_bytes`.
    pub bytes_after: u64,
    /// The command families with the largest savings.
    pub families: Vec<DiscoverRow>,
    /// What couldn't be read, and why.
    pub problems: Vec<String>,
}

/// One command family's outputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DiscoverRow {
    /// Program and subcommand: `cargo test`.
    pub family: String,
    /// How many outputs were scanned.
    pub calls: u64,
    /// What models got.
    pub raw_bytes: u64,
    /// What they would have got.
    pub bytes_after: u64,
}
