//! The files of memory in Plimsoll's folder.

use std::path::PathBuf;

use home::Home;

/// How their names begin: the databases with what is kept beside them, what agents were given, the branches that were
/// last seen, and the keys of models' providers.
pub(crate) const FILES: &[&str] =
    &["memory.db", "memory-org.db", "memory.given", "memory.heads", "model-keys.json", "model-keyring.json"];

/// The path of `memory.db`.
pub(crate) fn database(home: &Home) -> PathBuf {
    home.root().join("memory.db")
}
