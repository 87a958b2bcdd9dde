//! Asks installed language servers who uses a name when the index isn't sure; off until the user switches it on.
//!
//! There is one server of each kind for a project, whatever the number of sessions. A host process (`host`) of low priority
//! and limited memory runs it, and ends with it after some idle time. A session leaves its request in the project's data
//! folder (`mailbox`) and waits two seconds; without a reply it answers from the index alone. `lsp` speaks the protocol,
//! `kinds` is the table of servers, and `resolve` merges the replies with the index's results.

mod host;
mod kinds;
mod lsp;
mod lsp_input;
mod mailbox;
mod resolve;
#[cfg(test)]
#[cfg(unix)]
mod tests;

pub(crate) use host::run;
pub(crate) use mailbox::forget;
pub(crate) use resolve::{AvailableServers, available, resolve};

/// The setting.
pub(crate) const SETTING: &str = "codebase.language_servers";
