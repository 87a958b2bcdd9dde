//! A repository's code: which files it has and what part each plays, their definitions, chunks and imports, and search
//! among them. One `code.db` for each project; the texts stay in the project.
//!
//! What a file says (`analyse`), what an import means (`resolve`) and how files are ranked (`search::rank`) are pure;
//! walking, reading and writing are in `walk`, `update` and `store`. Does not know agents, hooks, or what a person asked
//! before.

pub mod analyse;
mod chunk;
mod component_script;
pub mod decision_card;
mod edges;
mod error;
mod folder_entries;
pub mod freshness;
mod generation;
mod grammar;
pub mod graph;
mod imports;
mod journal;
pub mod language;
mod parse;
pub mod patterns;
mod postings;
mod quick_lookup;
pub mod refs;
pub mod resolve;
pub mod review;
pub mod role;
mod schema;
pub mod search;
mod stamp;
mod store;
mod symbols;
mod update;
mod walk;
mod word_lists;
mod words;
mod write;

pub use error::{CodebaseError, Result};
pub use grammar::Kind;
pub use imports::Import;
pub use journal::record_crash;
pub use parse::Parsed;
pub use quick_lookup::{IndexedFile, Overview, Span};
pub use store::{Definitions, OutlineEntry, Stats, Store};
pub use symbols::{Outline, Symbol};
pub use update::{Options, Report, update, update_only};
pub use walk::{FoundFile, SkipReason, Skipped, Walk, walk};
