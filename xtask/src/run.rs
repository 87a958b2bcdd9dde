//! `cargo xtask run`: from a fresh clone to the main job, with nothing else to type.

use anyhow::Result;

use crate::place::Place;
use crate::steps::{go, say};
use crate::system;

/// Builds the sidecar and starts `plimsoll setup` with the remaining arguments.
pub(crate) fn run(place: &Place, yes: bool, rest: &[String]) -> Result<()> {
    system::ensure(&system::BUILD.iter().collect::<Vec<_>>(), yes)?;
    say("Building the sidecar (the first time takes a few minutes) …");
    go(&mut place.cargo(&["build", "--release", "--locked", "--package", "plimsoll"]))?;
    let binary = place.target().join("release").join(format!("plimsoll{}", std::env::consts::EXE_SUFFIX));
    let mut setup = std::process::Command::new(&binary);
    setup.arg("setup").args(rest);
    if yes && !rest.iter().any(|word| word == "--dry-run") {
        setup.arg("--yes");
    }
    go(&mut setup)
}
