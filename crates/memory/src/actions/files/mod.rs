//! Memories as files: shared through a repository, exported, imported.

mod claude_mem;
mod commits;
mod csv;
mod export;
mod front_matter;
mod import;
mod import_sources;
mod instructions;
mod json;
mod markdown;
mod shared_files;

pub use export::export;
pub use import::{Import, import};
pub use import_sources::{Kind as SourceKind, Spot, spots};
pub use shared_files::{Sharing, read_shared, refresh_shared, share, shared_file, sharing, unshare};
