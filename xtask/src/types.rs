//! `cargo xtask types`: the TypeScript side of the contract, written from the Rust types, and the sentences that crates
//! declare, written into the English catalogue, so that the front end can't drift from what it's given.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::place::{Place, WHOLE};
use crate::steps::go;

/// The catalogue with the English sentences; `crates/commands/tests/sentences.rs` compares it with the crates.
const CATALOGUE: &str = "ui/src/i18n/en.json";

/// Writes `ui/src/contract` and the declared sentences of the English catalogue, or with `--check` only compares.
pub(crate) fn types(place: &Place, rest: &[String]) -> Result<()> {
    if rest.iter().any(|word| word == "--check") {
        return check(place);
    }
    let folder = place.repo.join("ui/src/contract");
    // Types that are no longer generated are removed.
    let _ = std::fs::remove_dir_all(&folder);
    write(place, &folder, &place.repo.join(CATALOGUE))
}

/// Fails when the files in the clone are not what the contract gives.
pub(crate) fn check(place: &Place) -> Result<()> {
    let fresh = place.cache.join("types");
    let _ = std::fs::remove_dir_all(&fresh);
    let catalogue = place.cache.join("en.json");
    std::fs::create_dir_all(&place.cache)?;
    std::fs::copy(place.repo.join(CATALOGUE), &catalogue).context(CATALOGUE)?;
    write(place, &fresh, &catalogue)?;
    let (wanted, there) = (read(&fresh)?, read(&place.repo.join("ui/src/contract"))?);
    let names: std::collections::BTreeSet<&String> = wanted.keys().chain(there.keys()).collect();
    let mut wrong: Vec<&str> =
        names.into_iter().filter(|name| wanted.get(*name) != there.get(*name)).map(String::as_str).collect();
    if std::fs::read(&catalogue)? != std::fs::read(place.repo.join(CATALOGUE))? {
        wrong.push(CATALOGUE);
    }
    ensure!(wrong.is_empty(), "not what the contract gives (run `cargo xtask types`): {}", wrong.join(", "));
    Ok(())
}

fn write(place: &Place, folder: &Path, catalogue: &Path) -> Result<()> {
    go(place.cargo(&["build", "--quiet", "--example", "typescript"]).args(WHOLE))?;
    let program = format!("debug/examples/typescript{}", std::env::consts::EXE_SUFFIX);
    go(Command::new(place.target().join(program)).arg(folder).arg(catalogue))
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
