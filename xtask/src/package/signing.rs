//! Signing what people run, with the command that the maintainer gives.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::steps::go;

/// The command that signs a file in place, if there is one; the file's path is added to it.
pub(super) fn signer() -> Option<String> {
    std::env::var("PLIMSOLL_SIGN").ok().filter(|command| !command.is_empty())
}

/// Signs a program or an installer, if there is something to sign with.
pub(super) fn sign(path: &Path) -> Result<()> {
    let Some(signer) = signer() else { return Ok(()) };
    let mut words = signer.split_whitespace();
    let program = words.next().context("PLIMSOLL_SIGN is empty")?;
    go(Command::new(program).args(words).arg(path))
}
