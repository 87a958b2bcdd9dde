//! Memories as files: shared through a repository, exported, imported.

mod claude_mem;
mod commits;
mod csv;
mod export;
mod front;
mod import;
mod instructions;
mod json;
mod notes;
mod shared;
mod sources;

pub use export::export;
pub use import::{Import, import};
pub use shared::{Sharing, read_shared, refresh_shared, share, shared_file, sharing, unshare};
pub use sources::{Kind as SourceKind, Spot, spots};
