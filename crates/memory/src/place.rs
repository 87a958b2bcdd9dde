//! Where memories are kept.

use std::path::PathBuf;

use home::Home;

/// The database of memories.
pub(crate) fn database(home: &Home) -> PathBuf {
    home.root().join("memory.db")
}
