//! The arguments and replies of the window's and the tray's commands, as data.
//!
//! Each type is exported to TypeScript (feature `typescript`), so the front end can't drift from it. Times are
//! milliseconds since 1970, sizes are bytes, durations name their unit. Doesn't know windows.

mod filters;
mod history;
mod host;
mod knowledge;
mod overview;
mod purge;
mod settings;
mod setup;
mod sums;

pub use filters::{
    DiscoverQuery, DiscoverRow, DiscoverView, FilterLayer, FilterRow, FiltersView, SwitchFilter,
};
pub use history::{
    Activity, ActivityQuery, Calls, CallsQuery, EventRow, LedgerCall, ModelTokens, OutputText, ReadOutput,
    SessionFact, SessionQuery, SessionRef, SessionRow, SessionView, SessionsPage, SessionsQuery,
};
pub use host::{
    Autostart, HostView, PageFault, PickWhat, Picked, Place, SavePicture, Screen, Target, Toggle,
};
pub use knowledge::{
    AddPath, AddUrl, Added, DeleteSource, EVERY_PROJECT, ProjectView, ReadSource, SearchHit, SearchPage,
    SearchQuery, Section, SourceKind, SourceOrder, SourceRow, SourceText, SourcesPage, SourcesQuery,
};
pub use overview::{
    AgentCounts, Attention, GroupRow, MemoryToday, Overview, Period, Problem, Pulse, Remedy, StartedFresh,
    StatsQuery, StatsView, TimeBucket, TimeRow, TokensRow, WorthRow,
};
pub use purge::{Forgotten, Purge, PurgeWhat, Removed, Restore, TrashRow};
pub use settings::{
    Leave, PauseProject, PauseUntil, SetSetting, SettingKind, SettingView, SettingsFile, SettingsView,
    Upgrade,
};
pub use setup::{
    AgentRef, AgentsQuery, ApplyPlan, FileChange, PlanConnect, PlanDisconnect, PlanView, SaveDiff,
};
pub use sums::Sums;

/// No arguments, or an empty reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Nothing {}
