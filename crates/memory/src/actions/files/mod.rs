//! Memories as files: shared through a repository, exported, imported.

mod claude_mem;
mod commits;
mod csv;
mod export;
mod exported;
mod exported_markdown;
mod file_ids;
mod filed;
mod front_matter;
mod graph_import;
mod import;
mod import_sources;
mod instructions;
mod json;
mod markdown;
mod shared_files;
mod shared_import;
mod shared_replaced;
mod shared_unread;
mod stated_end;

pub use export::{export, read_text};
pub use import::{Import, import};
pub use import_sources::{ImportSource, Kind as SourceKind, find_import_sources};
pub(crate) use shared_files::purge_for_good;
pub(in crate::actions) use shared_files::{AtPurge, before_purge, share_new, tell_file, tell_still_shared};
pub use shared_files::{share, shared_file, unshare};
pub use shared_import::{SharedStatus, read_shared, refresh_shared, shared_problems, shared_status};
pub(crate) use shared_unread::{text_mark, unread_shared};
