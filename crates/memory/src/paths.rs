//! The path of the memory database.

use std::path::PathBuf;

use home::Home;

/// The path of `memory.db`.
pub(crate) fn database(home: &Home) -> PathBuf {
    home.root().join("memory.db")
}
