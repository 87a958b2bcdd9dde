//! The front end: its packages from npm, its build, its own checks.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::place::{Place, on_path};
use crate::steps::go;

/// Installs the packages of the lock file, unless they are there already.
pub(crate) fn ensure(place: &Place) -> Result<()> {
    let folder = folder(place);
    let lock = std::fs::read(folder.join("package-lock.json")).context("ui/package-lock.json")?;
    let mark = folder.join("node_modules/.plimsoll-lock");
    if std::fs::read(&mark).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    go(npm(place)?.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"]))?;
    Ok(std::fs::write(mark, lock)?)
}

/// Builds `ui/dist`, which the desktop carries inside itself.
pub(crate) fn build(place: &Place) -> Result<()> {
    ensure(place)?;
    go(npm(place)?.args(["run", "--silent", "build"]))
}

/// Types, texts of both languages, contrast of the colours, and what else needs no browser.
pub(crate) fn check(place: &Place) -> Result<()> {
    ensure(place)?;
    go(npm(place)?.args(["run", "--silent", "check"]))?;
    go(npm(place)?.args(["run", "--silent", "test"]))
}

fn folder(place: &Place) -> PathBuf {
    place.repo.join("ui")
}

/// npm in the front end's folder.
pub(crate) fn npm(place: &Place) -> Result<Command> {
    let Some(npm) = on_path("npm") else {
        bail!("npm is not on PATH; install Node.js 20 or newer, the front end is built with it");
    };
    let mut command = Command::new(npm);
    command.current_dir(folder(place));
    Ok(command)
}
