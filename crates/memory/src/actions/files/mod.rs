//! Memories as files: shared through a repository, written out, taken in.

mod export;
mod front;
mod import;
mod instructions;
mod shared;

pub use export::export;
pub use import::{Import, import};
pub use shared::{read_shared, refresh_shared, share, shared_file, unshare};
