//! Cross builds.
use crate::place::Place;
use anyhow::{Result, bail};
pub(crate) fn cross(_place: &Place, _yes: bool, _rest: &[String]) -> Result<()> {
    bail!("not yet")
}
