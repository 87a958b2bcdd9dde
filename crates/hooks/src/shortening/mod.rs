//! Shortens tools' outputs if a hook can: by rewriting a command to run under `plimsoll run`, or by replacing its
//! output afterwards. Owns when each is right; `filters` knows how to shorten an output.
//!
//! The original is kept before the shortened text is given out; if it can't be kept, nothing is shortened.

mod config;
mod little;
mod repeated_reads;
mod replace;
mod rewrite;
mod shell_state;

pub use config::{ProjectFilters, Shortening, filters_are_on, filters_for, project_filters};
pub(crate) use repeated_reads::forget as forget_reads;
pub use repeated_reads::{CHANGED, UNCHANGED};
pub(crate) use replace::replace;
pub(crate) use rewrite::rewrite;
