//! The index of a repository's code: files and their roles, definitions, chunks, imports, and search over them. Each project
//! has one `code.db`; the texts stay in the project.
//!
//! Analysis (`analyse`), import resolution (`resolve`) and ranking (`search::rank`) are pure; `walk`, `update` and `store` do
//! the I/O. Doesn't know agents, hooks or earlier questions.

pub mod analyse;
mod autoload;
mod chunk;
mod component_script;
mod constants;
pub mod decision_card;
mod declaration_macros;
mod default_names;
mod define;
mod define_names;
mod edges;
mod ended_members;
mod error;
mod exports;
mod folder_entries;
pub mod frameworks;
pub mod freshness;
mod generation;
mod global_usings;
mod grammar;
pub mod graph;
pub mod health;
mod impact;
mod import_names;
mod imports;
mod journal;
pub mod language;
mod mention_edges;
mod mentions;
mod packages;
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
mod second_parse;
mod signature;
mod stamp;
mod store;
pub mod styles;
mod symbols;
mod update;
mod walk;
mod word_lists;
mod words;
mod write;

pub use error::{CodebaseError, Result};
pub use exports::Export;
pub use grammar::Kind;
pub use imports::Import;
pub use journal::record_crash;
pub use parse::Parsed;
pub use quick_lookup::{IndexedFile, Overview, Span};
pub use schema::NEWEST;
pub use store::{Definitions, OutlineEntry, Stats, Store};
pub use symbols::{Outline, Symbol};
pub use update::{Options, Report, update, update_only};
pub use walk::{FoundFile, SkipReason, Skipped, Walk, walk};
