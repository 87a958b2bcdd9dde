//! The desktop's commands by name: arguments decoded, one call into `service`, the reply encoded.
//!
//! Every host of the window (the Tauri shell, the loopback host of the tests) serves [`Router`] and nothing
//! else, so that what one offers the other offers too. Knows neither Tauri nor HTTP; what only a desktop can do
//! (dialogs, folders, autostart) comes through [`Host`].

mod call;
mod desk;
#[cfg(feature = "typescript")]
mod exported;
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

pub use host::{Host, Wanted};
pub use router::Router;
pub use table::{COMMANDS, Described, Twin};
