//! Packages are tried: installed, used and removed as people would.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::place::Place;
use crate::steps::{go, say};
use crate::system;

/// Installs the deb on an overlay of this system, uses it, and removes it.
pub(crate) fn deb(place: &Place, package: &Path) -> Result<()> {
    if !system::is_root() {
        say("   not tried: only root may mount the system that it is installed into");
        return Ok(());
    }
    go(Command::new("sh").arg(place.repo.join("tests/packages/try-deb.sh")).arg(package))
}
