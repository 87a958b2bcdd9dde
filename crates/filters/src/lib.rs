//! Output filters: declarative rules that shorten what one command prints, and the laws that every result obeys.
//!
//! This crate takes a command line, its exit code and its output, and gives back a shorter text or nothing. It owns
//! the filters' format ([`Filter`]), their three layers ([`FilterSet`]: built in, the person's, the project's), the
//! recognition of commands ([`command`]), the parsers for shapes that a line rule cannot get right, and the guard
//! that no rule can overrule: a line that states a failure stays. It runs no processes, knows no agents, stores
//! nothing; where the full output lies is the caller's affair.
//!
//! The laws, tested over every built-in filter: never longer than the original; an unknown shape stays as it is; no
//! line with a failure, an error, a count of warnings, a place in a file or a change of a diff is lost; nothing is
//! said that the tool did not say, but counts of what was left out; the same input gives the same output; time grows
//! with the length of the output.

mod after;
mod again;
mod apply;
mod builtin;
mod cap;
pub mod check;
pub mod command;
mod data;
mod definition;
mod diagnostics;
mod guard;
mod laws;
mod lines;
mod misleads;
mod native;
mod normal;
mod peers;
mod repeat;
mod set;
mod shortened;
mod signature;
mod stream;
mod tight;
mod traces;
mod tree;
mod within;

pub use apply::{WORTH_BYTES, shorten, shorten_parts, shorten_text, shorten_within};
pub use cap::{cap, spread};
pub use definition::{Case, Filter, FilterError};
pub use guard::{carries, must_stay};
pub use misleads::misleading;
pub use normal::normalise;
pub use set::{FilterSet, Layer, Listed, PROJECT_FOLDER, fingerprint};
pub use shortened::{GENERIC, Shortened};
pub use stream::Stream;
pub use within::{Answer, fit};

/// What is left, and what was left out by name and count.
pub(crate) type Left = (String, Vec<(&'static str, usize)>);
