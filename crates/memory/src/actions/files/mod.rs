//! Memories as files: shared through a repository, exported, imported.

mod claude_mem;
mod commits;
mod csv;
mod export;
mod exported;
mod exported_markdown;
mod front_matter;
mod graph_import;
mod import;
mod import_sources;
mod instructions;
mod json;
mod markdown;
mod shared_files;

pub use export::{export, read_text};
pub use import::{Import, import};
pub use import_sources::{ImportSource, Kind as SourceKind, find_import_sources};
pub use shared_files::{
    SharedStatus, read_shared, refresh_shared, share, shared_file, shared_status, unshare,
};
