//! Output filters: which there are, switching one off or on, and what they would have done to past sessions.

use serde::{Deserialize, Serialize};

/// Where a filter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum FilterLayer {
    /// Part of the program.
    Builtin,
    /// The person's own folder.
    User,
    /// The folder of a project that the person trusts.
    Project,
}

/// A filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FilterRow {
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub layer: FilterLayer,
    /// The commands that it answers to; none for `generic`, which answers to every command that no filter knows.
    pub commands: Vec<String>,
    /// It is in use.
    pub on: bool,
    /// Its file; empty when it is a part of the program.
    pub file: String,
}

/// All filters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FiltersView {
    /// `generic` first, then by name.
    pub filters: Vec<FilterRow>,
    /// Files that cannot be read, each with why.
    pub broken: Vec<String>,
}

/// Switch a filter off or on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SwitchFilter {
    /// Its name.
    pub name: String,
    /// On, or off.
    pub on: bool,
}

/// How far back past sessions are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DiscoverQuery {
    /// Days before now.
    pub days: u32,
}

/// What the filters would have kept out of past sessions, by the agents' own transcripts. An estimate, always. All
/// sizes in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DiscoverView {
    /// From when on.
    pub since_ms: i64,
    /// Transcripts, and databases of them, that were read; none means that there is nothing to say.
    pub transcripts: u64,
    /// Outputs of commands that were looked at.
    pub calls: u64,
    /// Of which would have been shorter.
    pub shortened: u64,
    /// What models got.
    pub raw_bytes: u64,
    /// What they would have got; never more.
    pub bytes_after: u64,
    /// The commands of which most would have been kept out.
    pub families: Vec<DiscoverRow>,
    /// What could not be read and why.
    pub problems: Vec<String>,
}

/// The outputs of one family of commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DiscoverRow {
    /// Program and subcommand: `cargo test`.
    pub family: String,
    /// Outputs that were looked at.
    pub calls: u64,
    /// What models got.
    pub raw_bytes: u64,
    /// What they would have got.
    pub bytes_after: u64,
}
