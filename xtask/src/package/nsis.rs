//! The setup program for Windows, packed with Debian's NSIS.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::facts::Facts;
use crate::place::Place;
use crate::steps::go;

pub(crate) fn pack(place: &Place, facts: &Facts, parts: &Path, version: &str) -> Result<PathBuf> {
    let path = facts.out.join(format!("plimsoll-{version}-x64-setup.exe"));
    let mut makensis = Command::new("makensis");
    makensis.args(["-V2", "-WX"]);
    if let Some(signer) = super::signing::signer() {
        makensis.arg(format!("-DSIGN={signer}"));
    }
    go(makensis
        .arg(format!("-DVERSION={version}"))
        .arg(format!("-DPARTS={}", parts.display()))
        .arg(format!("-DOUT={}", path.display()))
        .arg(place.repo.join("installers/windows/plimsoll.nsi"))
        .env("SOURCE_DATE_EPOCH", facts.epoch.to_string()))?;
    super::signing::sign(&path)?;
    Ok(path)
}
