//! Requests, replies and errors shared by every front end; types only.
//!
//! A front end (MCP, command line, desktop) builds a request, and `service` answers with a [`Reply`] or an [`Error`].
//! This crate doesn't know how either is transported or computed.

mod amount;
pub mod desktop;
mod error;
mod reply;
mod request;
mod sentence;
mod setup;
mod status;

pub use amount::{Amount, Decimal, Unit, count, plural, signed_bytes, singular, with_commas};
pub use error::{Error, ErrorCode, Fault, LowerError};
pub use reply::{Measure, Reply};
pub use request::{
    Batch, Command, Execute, Index, Input, Kind, Manage, ManageAction, Order, PurgeScope, Search, System,
    Task, TaskAction, WebPage,
};
pub use sentence::{Param, Sentence, Template, joined};
pub use setup::{
    AgentPlanReport, AgentReport, AgentState, AppliedReport, FilePlanReport, FileReport, FileState, FoundAt,
    PlanReport, VerifyReport, messages as agent_messages,
};
pub use status::{
    Check, EntriesReport, Health, ReturnedFile, ServerReport, StatusReport, UninstallReport, UpgradeReport,
};
