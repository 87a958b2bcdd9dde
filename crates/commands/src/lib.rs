//! Runs the window's commands: decodes the arguments, makes one call to `service` and encodes the reply.
//!
//! Both hosts of the window (the Tauri shell and the loopback server for tests) use [`Router`], so they offer the
//! same commands. This crate depends on neither Tauri nor HTTP. A host provides dialogs, folders and autostart
//! through [`Host`].

mod call;
mod desktop_host;
#[cfg(feature = "typescript")]
mod exported_types;
mod filters;
mod history;
mod host;
mod json;
mod knowledge;
pub mod messages;
mod overview;
mod router;
mod settings;
mod setup;
mod table;
pub mod texts;
#[cfg(feature = "typescript")]
pub mod typescript;

pub use host::{Host, RequestedScreen};
pub use router::Router;
pub use table::{COMMANDS, CommandInfo, TerminalEquivalent};
