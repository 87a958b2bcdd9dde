//! The programs as they ship.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use crate::place::{Place, SHIPPED};
use crate::steps::go;
use crate::ui;

/// Cargo's arguments that build the desktop as Tauri's own command line would: with its page inside.
pub(crate) const DESKTOP: [&str; 4] =
    ["--package", "plimsoll-desktop", "--features", "tauri/custom-protocol"];

/// The built programs of this system.
pub(crate) struct Programs {
    pub(crate) sidecar: PathBuf,
    pub(crate) desktop: PathBuf,
}

impl Programs {
    /// Builds both, each by itself: together, the sidecar would be made with more of its libraries' features than it
    /// is tested with.
    pub(crate) fn build(place: &Place) -> Result<Self> {
        ui::build(place)?;
        go(&mut place.cargo(&["build", "--profile", SHIPPED, "--locked", "--package", "plimsoll"]))?;
        go(place.cargo(&["build", "--profile", SHIPPED, "--locked"]).args(DESKTOP))?;
        let dir = place.target().join(SHIPPED);
        let programs = Self { sidecar: dir.join("plimsoll"), desktop: dir.join("plimsoll-desktop") };
        for program in [&programs.sidecar, &programs.desktop] {
            ensure!(program.is_file(), "cargo built no {}", program.display());
        }
        Ok(programs)
    }

    /// Programs that were built for something else, without what debuggers want.
    pub(crate) fn stripped(sidecar: &Path, desktop: &Path, dir: &Path) -> Result<Self> {
        let programs = Self { sidecar: dir.join("plimsoll"), desktop: dir.join("plimsoll-desktop") };
        for (from, to) in [(sidecar, &programs.sidecar), (desktop, &programs.desktop)] {
            go(Command::new("strip").arg("-o").arg(to).arg(from))?;
        }
        Ok(programs)
    }
}
