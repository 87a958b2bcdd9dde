//! `cargo xtask package [deb|rpm|windows|macos]`: makes the packages that can be made and tried on this system, tries them, and
//! says how large they are. Without a word: the first three. `macos` makes disk images that nothing here can open as a Mac would:
//! they are checked as files; `--quick` builds what is in them as for developing. `windows --programs FOLDER` packs programs that were built elsewhere,
//! and tries nothing.
//!
//! The packages for Linux are packed from one laid-out tree with the distributions' own tools rather than by Tauri's
//! bundler: theirs compress better, work out the libraries that are needed, and keep manual pages, completions and
//! licences. What needs another system (dmg, signed installers, AppImage) is made by `.github/workflows/release.yml`.

mod deb;
mod facts;
mod macho;
mod macos;
mod nsis;
mod programs;
mod rpm;
mod signing;
mod sizes;
mod tree;
mod tried;
mod udif;
mod windows;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::place::Place;
use crate::steps::{Steps, say};
use crate::system;
use facts::Facts;
use programs::Programs;

pub(crate) use tree::files;

/// A finished package.
pub(crate) struct BuiltPackage {
    pub(crate) path: PathBuf,
}

/// The page in software centres, by the name it is installed with.
pub(crate) const METAINFO: &str = "dev.plimsoll.Plimsoll.metainfo.xml";

/// The page in software centres, of this version.
pub(crate) fn metainfo(place: &Place) -> Result<String> {
    Facts::gather(place)?.filled_template(place, &format!("linux/{METAINFO}"))
}

/// Makes and tries the packages.
pub(crate) fn package(place: &Place, yes: bool, rest: &[String]) -> Result<()> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        bail!("packages are made on Debian or Ubuntu on x86-64; for other systems see installers/README.md");
    }
    let mut kinds: Vec<&str> = Vec::new();
    let mut built = None;
    let mut quick = false;
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "deb" | "rpm" | "windows" | "macos" => kinds.push(word),
            "--quick" => quick = true,
            "--programs" => built = Some(PathBuf::from(words.next().context("--programs wants a folder")?)),
            other => bail!(
                "there is no option `{other}`; use deb, rpm, windows, macos, --programs FOLDER or --quick"
            ),
        }
    }
    if built.is_some() && kinds != ["windows"] {
        bail!("--programs is for `package windows`: the folder has programs that were built on Windows");
    }
    if quick && kinds != ["macos"] {
        bail!("--quick is for `package macos`: the others are tried as they ship");
    }
    let wants = |kind: &str| kinds.contains(&kind) || (kinds.is_empty() && kind != "macos");
    let linux = wants("deb") || wants("rpm");

    let mut needs: Vec<&system::Need> = system::BUILD.iter().chain(system::PACKAGE).collect();
    if linux {
        needs.extend(system::PACKAGE_LINUX.iter().chain(system::DESKTOP).chain(system::SCREEN));
    }
    if wants("windows") {
        needs.extend(system::PACKAGE_WINDOWS);
    }
    if wants("macos") {
        needs.extend(system::PACKAGE_MACOS);
    }
    system::ensure(&needs, yes)?;

    let facts = Facts::gather(place)?;
    let mut steps = Steps::new();
    let mut made: Vec<BuiltPackage> = Vec::new();
    if linux {
        let mut programs = None;
        steps.step("build the programs as they ship", || {
            programs = Some(Programs::build(place)?);
            Ok(())
        });
        if let Some(programs) = &programs {
            steps.step("the sidecar is within its size", || sizes::SIDECAR.check_size(&programs.sidecar));
            if wants("deb") {
                steps.step("deb: pack", || {
                    made.push(deb::pack(place, &facts, programs)?);
                    Ok(())
                });
                if let Some(package) = made.last() {
                    steps.step("deb: within its size", || sizes::DEB.check_size(&package.path));
                    steps.step("deb: lintian", || deb::lint(&package.path));
                    steps.step("deb: installed, run, removed", || tried::deb(place, &package.path));
                }
            }
            if wants("rpm") {
                steps.step("rpm: pack", || {
                    made.push(rpm::pack(place, &facts, programs)?);
                    Ok(())
                });
            }
        }
    }
    if wants("windows") {
        match &built {
            Some(folder) => windows::pack(place, &facts, folder, &mut steps, &mut made),
            None => windows::all(place, &facts, yes, &mut steps, &mut made)?,
        }
    }
    if wants("macos") {
        macos::all(place, &facts, yes, quick, &mut steps, &mut made)?;
    }
    say("\n── packages");
    for package in &made {
        #[expect(clippy::cast_precision_loss, reason = "it is shown with one decimal")]
        let size = std::fs::metadata(&package.path)?.len() as f64 / 1e6;
        say(&format!("   {size:6.1} MB  {}", package.path.display()));
    }
    steps.finish()
}

/// Packs a deb from programs that the tests have built already, checks it, installs it, uses it and removes it. The same as
/// `package deb`, without building everything once more as it ships.
pub(crate) fn deb_trial(place: &Place, sidecar: &Path, desktop: &Path) -> Result<()> {
    let facts = Facts::gather(place)?.for_trial()?;
    let programs = Programs::stripped(sidecar, desktop, &facts.empty_folder("programs")?)?;
    let made = deb::pack(place, &facts, &programs)?;
    deb::lint(&made.path)?;
    tried::deb(place, &made.path)
}

/// A disk image around stand-ins for the programs, packed and read back.
pub(crate) fn dmg_trial(place: &Place) -> Result<()> {
    macos::trial(place, &Facts::gather(place)?.for_trial()?)
}
