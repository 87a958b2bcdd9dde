//! What the window and the tray ask for and get: arguments and replies of the desktop's commands, as data.
//!
//! Each type here is written to TypeScript (feature `typescript`), so the front end cannot drift from it. Times
//! are milliseconds since 1970, sizes are bytes, durations say their unit. Knows nothing of windows.

mod filters;
mod history;
mod host;
mod knowledge;
mod overview;
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
    AddPath, AddUrl, Added, DeleteSource, EVERY_PROJECT, Forgotten, ProjectRef, ProjectView, Purge,
    PurgeWhat, ReadSource, Removed, Restore, SearchHit, SearchPage, SearchQuery, Section, SourceKind,
    SourceOrder, SourceRow, SourceText, SourcesPage, SourcesQuery, TrashRow,
};
pub use overview::{
    AgentCounts, Attention, GroupRow, MemoryToday, Overview, Period, Problem, Pulse, Remedy, StartedFresh,
    StatsQuery, StatsView, TimeBucket, TimeRow, TokensRow, WorthRow,
};
pub use settings::{
    Leave, PauseProject, PauseUntil, SetSetting, SettingKind, SettingView, SettingsFile, SettingsView,
    Upgrade,
};
pub use setup::{
    AgentRef, AgentsQuery, ApplyPlan, FileChange, PlanConnect, PlanDisconnect, PlanView, SaveDiff,
};
pub use sums::Sums;

/// No arguments, or nothing to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Nothing {}
