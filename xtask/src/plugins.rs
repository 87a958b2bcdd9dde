//! `cargo xtask plugins`: the agents' plugins, written from the same hooks and entries that connecting writes.

use std::process::Command;

use anyhow::{Result, ensure};

use crate::package::files;
use crate::place::{Place, WHOLE};
use crate::steps::go;

/// The handwritten files in `plugin/`.
const BY_HAND: &str = "README.md";

/// Writes `plugin/`, or with `--check` only compares.
pub(crate) fn plugins(place: &Place, rest: &[String]) -> Result<()> {
    let folder = place.repo.join("plugin");
    let fresh = place.cache.join("plugins");
    let _ = std::fs::remove_dir_all(&fresh);
    go(place.cargo(&["build", "--quiet", "--example", "plugins"]).args(WHOLE))?;
    let program = format!("debug/examples/plugins{}", std::env::consts::EXE_SUFFIX);
    go(Command::new(place.target().join(program)).arg(&fresh))?;
    let inside = |root: &std::path::Path| -> Result<std::collections::BTreeMap<String, Vec<u8>>> {
        let mut found = std::collections::BTreeMap::new();
        for path in files(root)? {
            found.insert(path.strip_prefix(root)?.to_string_lossy().into_owned(), std::fs::read(path)?);
        }
        found.remove(BY_HAND);
        Ok(found)
    };
    let (wanted, there) = (inside(&fresh)?, inside(&folder)?);
    if rest.iter().any(|word| word == "--check") {
        let names: std::collections::BTreeSet<&String> = wanted.keys().chain(there.keys()).collect();
        let wrong: Vec<&str> = names
            .into_iter()
            .filter(|name| wanted.get(*name) != there.get(*name))
            .map(String::as_str)
            .collect();
        ensure!(
            wrong.is_empty(),
            "not what the agents give (run `cargo xtask plugins`): {}",
            wrong.join(", ")
        );
        return Ok(());
    }
    // Files that are no longer generated are removed.
    for name in there.keys().filter(|name| !wanted.contains_key(*name)) {
        std::fs::remove_file(folder.join(name))?;
    }
    for (name, bytes) in wanted {
        let path = folder.join(name);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(path, bytes)?;
    }
    Ok(())
}
