//! One hook event in, one verdict out.
//!
//! The order is fixed (`chain`): paused → greeting → the user's own rules → routing → rewriting → a nudge → shortening; then
//! systems' context, then the record. The links are pure (`links`); gathering the situation and recording are the edge
//! ([`handle`]). This crate doesn't know any agent's JSON, MCP, or any system.
//!
//! A hook must never harm the agent it serves: after any internal failure the agent gets its fail-open output, and the
//! verdict is final before anything is recorded.

mod better_tool;
mod chain;
mod event_context;
mod handle;
mod links;
mod outcome;
mod record;
pub mod routing;
mod shortening;
mod situation;
mod texts;

pub use handle::{Context, HookResult, Recording, find_agent, handle};
pub use outcome::{Nudge, Outcome, Reason, Route, ShortenedOutput};
pub use record::{DECISIONS, record};
pub use shortening::{
    CHANGED, ProjectFilters, Shortening, UNCHANGED, filters_are_on, filters_for, project_filters,
};
pub use situation::{Server, Situation, Tools};
