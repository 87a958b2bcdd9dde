//! `cargo xtask stage [--target T] [--profile P] [--page]`: builds the sidecar and puts it where Tauri's bundler takes it from,
//! `src-tauri/binaries/plimsoll-<target>`, with what else is bundled beside it; `--page` builds the window's page as well.
//!
//! Only the release overlay `src-tauri/tauri.release.conf.json` names these files: named in the base configuration,
//! their absence would fail every `cargo check` of the desktop. The bundler calls this by itself, and says the
//! target in `TAURI_ENV_TARGET_TRIPLE`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::cross::toolchain::Toolchain;
use crate::cross::windows;
use crate::place::{Place, SHIPPED};
use crate::steps::{go, say};
use crate::{licences, package, ui};

/// Both kinds of Mac in one program.
const UNIVERSAL: &str = "universal-apple-darwin";

/// Builds and stages.
pub(crate) fn stage(place: &Place, yes: bool, rest: &[String]) -> Result<()> {
    let given = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
    let mut target = given("TAURI_ENV_TARGET_TRIPLE").unwrap_or_else(licences::host);
    let mut profile =
        if given("TAURI_ENV_DEBUG").is_some_and(|debug| debug == "true") { "dev" } else { SHIPPED }
            .to_owned();
    let mut page = false;
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--target" => target = words.next().context("--target wants a triple")?.clone(),
            "--profile" => profile = words.next().context("--profile wants a name")?.clone(),
            "--page" => page = true,
            other => bail!("there is no option `{other}`; use --target T, --profile P or --page"),
        }
    }
    if page {
        ui::build(place)?;
    }
    let folder = place.repo.join("src-tauri/binaries");
    std::fs::create_dir_all(&folder)?;
    let staged = if target == UNIVERSAL {
        let mut lipo = Command::new("lipo");
        let staged = folder.join(format!("plimsoll-{UNIVERSAL}"));
        lipo.args(["-create", "-output"]).arg(&staged);
        for half in ["aarch64-apple-darwin", "x86_64-apple-darwin"] {
            lipo.arg(replace_staged(&build(place, yes, half, &profile)?, &folder, half)?);
        }
        go(&mut lipo)?;
        staged
    } else {
        replace_staged(&build(place, yes, &target, &profile)?, &folder, &target)?
    };
    let of = if target == UNIVERSAL { "aarch64-apple-darwin" } else { &target };
    std::fs::write(folder.join("third-party-licences.txt"), licences::texts(place, of)?)?;
    std::fs::write(folder.join(package::METAINFO), package::metainfo(place)?)?;
    say(&staged.display().to_string());
    Ok(())
}

/// The built sidecar.
fn build(place: &Place, yes: bool, target: &str, profile: &str) -> Result<PathBuf> {
    let suffix = if target.contains("windows") { ".exe" } else { "" };
    // Cargo's folder name for its development profile.
    let kind = if profile == "dev" { "debug" } else { profile };
    let crossing = target == windows::TARGET && cfg!(target_os = "linux");
    let (mut command, folder) = if crossing {
        let toolchain = Toolchain::prepare(place, yes)?;
        (windows::cargo(place, &toolchain, "build"), toolchain.target().join(target))
    } else {
        let mut command = place.cargo(&["build", "--locked"]);
        let mut folder = place.target();
        // Naming the system's own target would build everything a second time into another folder.
        if target != licences::host() {
            command.args(["--target", target]);
            folder.push(target);
        }
        (command, folder)
    };
    go(command.args(["--package", "plimsoll", "--profile", profile]))?;
    Ok(folder.join(kind).join(format!("plimsoll{suffix}")))
}

/// Replaces the staged file as a whole: one that still runs is not written over.
fn replace_staged(built: &Path, folder: &Path, target: &str) -> Result<PathBuf> {
    let suffix = built.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
    let staged = folder.join(format!("plimsoll-{target}{suffix}"));
    let _ = std::fs::remove_file(&staged);
    std::fs::copy(built, &staged).with_context(|| format!("staging {}", built.display()))?;
    Ok(staged)
}
