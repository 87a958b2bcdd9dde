//! Output filters: declarative rules that shorten what one command prints, and the laws that every result obeys.
//!
//! This crate takes a command line, its exit code and its output, and gives back a shorter text or nothing. It owns
//! the filters' format ([`Filter`]), their three layers ([`FilterSet`]: built in, the user's, the project's), the
//! recognition of commands ([`command`]), the parsers for shapes that a line rule cannot get right, and the guard that
//! no rule can overrule: a line that states a failure stays. It runs no processes, knows no agents, stores nothing;
//! the caller decides where the full output is stored.
//!
//! The laws, tested over every built-in filter: never longer than the original; an unknown shape stays as it is; no
//! line with a failure, an error, a count of warnings, a place in a file or a change of a diff is lost; nothing is
//! added that the tool did not print, except counts of what was left out; the same input gives the same output; time
//! grows with the length of the output.

mod after;
mod answer;
mod blame;
mod block_repeats;
mod builtin;
mod by_package;
mod by_rules;
mod cap;
pub mod check;
mod clip;
pub mod command;
mod compact;
mod containers;
mod counted;
mod data;
mod definition;
mod deprecated;
mod diagnostics;
mod duplicates;
mod file_lists;
mod filter_error;
mod fit;
mod go_events;
mod guard;
mod inner;
mod laws;
mod lines;
mod misleading;
mod native;
mod normal;
mod npm_peers;
mod packages;
mod parts;
mod plan;
mod processes;
mod profile;
mod recognised;
mod repeat;
mod rules;
mod set;
mod shorten;
mod shortened;
mod signature;
mod sizes;
mod stream;
mod subjects;
mod traces;
mod tree;
mod worth;

pub use answer::Answer;
pub use block_repeats::fold_repeats;
pub use cap::{cap, spread};
pub use data::binary::description as binary_description;
pub use definition::{Case, Filter};
pub use filter_error::FilterError;
pub use fit::fit;
pub use guard::{carries, must_stay};
pub use misleading::misleading;
pub use native::is_source as shows_source;
pub use normal::normalise;
pub use parts::shorten_parts;
pub use set::{FilterSet, Layer, Listed, PROJECT_FOLDER, fingerprint};
pub use shorten::{shorten, shorten_text, shorten_within};
pub use shortened::{GENERIC, Shortened};
pub use stream::Stream;
pub use worth::WORTH_BYTES;

/// The result, and what was left out by name and count.
pub(crate) type Left = (String, Vec<(&'static str, usize)>);
