//! `cargo xtask cross [windows|macos] [--release]`: builds for the other systems. Windows is built and run (under
//! wine), macOS is linked and type-checked. Works on Debian and its kin on x86-64, because the compiler with its
//! library's source comes from there; see [`toolchain`].
//!
//! It proves that the code builds and that what does not depend on the real system works. It does not make
//! what is released: that is done on the systems themselves.

pub(crate) mod macos;
pub(crate) mod smoke;
pub(crate) mod stubs;
pub(crate) mod toolchain;
pub(crate) mod windows;
pub(crate) mod wine;

use anyhow::{Result, bail};

use crate::place::Place;
use crate::steps::{Steps, say};
use toolchain::Toolchain;

/// One line of the closing table.
pub(crate) struct Line {
    what: String,
    result: String,
}

impl Line {
    pub(crate) fn new(what: impl Into<String>, result: impl Into<String>) -> Self {
        Self { what: what.into(), result: result.into() }
    }
}

/// Everything, or only the systems that are named in `rest`. `--release` builds the sidecar as it ships, which
/// is a second build of everything it is made of.
pub(crate) fn cross(place: &Place, yes: bool, rest: &[String]) -> Result<()> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) || crate::place::on_path("dpkg").is_none() {
        bail!(
            "cross-building needs Debian or Ubuntu on x86-64, whose packages contain the compiler's source"
        );
    }
    let mut systems = Vec::new();
    let mut release = false;
    for word in rest {
        match word.as_str() {
            "--release" => release = true,
            "windows" | "macos" => systems.push(word.as_str()),
            other => bail!("there is no option `{other}`; use windows, macos or --release"),
        }
    }
    let wants = |system: &str| systems.is_empty() || systems.contains(&system);

    let toolchain = Toolchain::prepare(place, yes)?;
    let mut steps = Steps::new();
    let mut table = Vec::new();
    if wants("windows") {
        windows::all(place, &toolchain, yes, release, &mut steps, &mut table)?;
    }
    if wants("macos") {
        macos::all(place, &toolchain, yes, release, &mut steps, &mut table)?;
    }
    show(&table);
    steps.finish()
}

pub(crate) fn show(table: &[Line]) {
    let width = table.iter().map(|line| line.what.chars().count()).max().unwrap_or_default();
    say("\n── other systems");
    for line in table {
        say(&format!("   {:width$}  {}", line.what, line.result));
    }
}

/// Megabytes with one decimal.
fn size(path: &std::path::Path) -> Result<String> {
    #[expect(clippy::cast_precision_loss, reason = "it is shown with one decimal")]
    let megabytes = std::fs::metadata(path)?.len() as f64 / 1e6;
    Ok(format!("{megabytes:.1} MB"))
}
