//! `cargo xtask types`: the TypeScript side of the contract, written from the Rust types, so that the front end
//! cannot drift from what it is given.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::place::{Place, WHOLE};
use crate::steps::go;

/// Writes `ui/src/contract`, or with `--check` only compares.
pub(crate) fn types(place: &Place, rest: &[String]) -> Result<()> {
    if rest.iter().any(|word| word == "--check") {
        return check(place);
    }
    let folder = place.repo.join("ui/src/contract");
    // What is no longer made shall not stay.
    let _ = std::fs::remove_dir_all(&folder);
    write(place, &folder)
}

/// Fails when the files in the clone are not what the contract gives.
pub(crate) fn check(place: &Place) -> Result<()> {
    let fresh = place.cache.join("types");
    let _ = std::fs::remove_dir_all(&fresh);
    write(place, &fresh)?;
    let (wanted, there) = (read(&fresh)?, read(&place.repo.join("ui/src/contract"))?);
    let names: std::collections::BTreeSet<&String> = wanted.keys().chain(there.keys()).collect();
    let wrong: Vec<&str> =
        names.into_iter().filter(|name| wanted.get(*name) != there.get(*name)).map(String::as_str).collect();
    ensure!(wrong.is_empty(), "not what the contract gives (run `cargo xtask types`): {}", wrong.join(", "));
    Ok(())
}

fn write(place: &Place, folder: &Path) -> Result<()> {
    go(place.cargo(&["build", "--quiet", "--example", "typescript"]).args(WHOLE))?;
    let program = format!("debug/examples/typescript{}", std::env::consts::EXE_SUFFIX);
    go(Command::new(place.target().join(program)).arg(folder))
}

fn read(folder: &Path) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        files
            .insert(entry.file_name().to_string_lossy().into_owned(), std::fs::read_to_string(entry.path())?);
    }
    Ok(files)
}
