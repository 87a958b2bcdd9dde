//! The disk images for macOS, one per processor, made on Linux: both programs linked against lists of the system's names
//! ([`crate::cross::macos`]), laid out as an application, signed ad hoc, packed.
//!
//! Nothing here can start them. Before an image is said to be made, its programs' load commands are read, its signature is verified,
//! and it is unpacked by another program than the one that made it and compared file by file. What is published is made by
//! `.github/workflows/release.yml` on a Mac, which opens it too.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::facts::{Facts, said};
use super::{Made, files, macho, programs, udif};
use crate::cross::macos::{OLDEST_MACOS, TARGETS, zig, zigbuild};
use crate::cross::stubs;
use crate::cross::toolchain::{Toolchain, logged};
use crate::place::{Place, SHIPPED};
use crate::steps::{Steps, go, say};
use crate::{icons, licences, tools, ui};

const APP: &str = "Plimsoll.app";

/// Programs of the application; the first is the one that opens.
const PROGRAMS: [&str; 2] = ["plimsoll-desktop", "plimsoll"];

pub(crate) fn all(
    place: &Place,
    facts: &Facts,
    yes: bool,
    quick: bool,
    steps: &mut Steps,
    made: &mut Vec<Made>,
) -> Result<()> {
    let toolchain = Toolchain::prepare(place, yes)?;
    let zig = zig(place, &toolchain, yes)?;
    let signer = tools::signer(place)?;
    for target in TARGETS {
        let (processor, _) = target.split_once('-').context("a target begins with its processor")?;
        let mut built = None;
        steps.step(&format!("macOS, {processor}: build the programs"), || {
            built = Some(build(place, &toolchain, &zig, target, quick)?);
            Ok(())
        });
        let Some(built) = built else { continue };
        let mut app = None;
        steps.step(&format!("macOS, {processor}: lay out and sign the application"), || {
            let bundle = lay(place, facts, &built, target)?;
            go(Command::new(&signer).arg("sign").arg(&bundle))?;
            verify(&bundle, &signer, processor)?;
            app = Some(bundle);
            Ok(())
        });
        let Some(app) = app else { continue };
        steps.step(&format!("macOS, {processor}: pack the image and read it back"), || {
            let end = if quick { "trial" } else { "untried" };
            let path = facts.out.join(format!("plimsoll-{}-{processor}-{end}.dmg", facts.version));
            pack(facts, &app, &path)?;
            made.push(Made { path });
            Ok(())
        });
    }
    say("   The images were checked as files. No Mac has opened them.");
    Ok(())
}

/// Builds both programs; their folder.
fn build(place: &Place, toolchain: &Toolchain, zig: &Path, target: &str, quick: bool) -> Result<PathBuf> {
    if !place.repo.join("ui/dist/assets").is_dir() || !quick {
        ui::build(place)?;
    }
    let logs = toolchain.folder("logs")?;
    let profile = if quick { "dev" } else { SHIPPED };
    let mut sidecar = zigbuild(place, toolchain, zig, "zigbuild", target)?;
    sidecar.args(["--profile", profile, "--package", "plimsoll"]);
    logged(&mut sidecar, &logs.join(format!("{target}-sidecar.txt")))?;
    let mut desktop = zigbuild(place, toolchain, zig, "rustc", target)?;
    desktop.args(["--profile", profile]).args(programs::DESKTOP).args(["--bin", "plimsoll-desktop", "--"]);
    logged(desktop.args(stubs::FOUND_AT_START), &logs.join(format!("{target}-desktop.txt")))?;
    Ok(toolchain.output(target, !quick))
}

/// The application's folder, not signed yet.
fn lay(place: &Place, facts: &Facts, built: &Path, target: &str) -> Result<PathBuf> {
    let app = facts.fresh(&format!("macos/{target}"))?.join(APP);
    let contents = app.join("Contents");
    for folder in ["MacOS", "Resources"] {
        std::fs::create_dir_all(contents.join(folder))?;
    }
    for name in PROGRAMS {
        // Copying keeps what may be run.
        std::fs::copy(built.join(name), contents.join("MacOS").join(name))
            .with_context(|| format!("taking {name}"))?;
    }
    icons::check(place)?;
    std::fs::copy(place.repo.join("icons/icon.icns"), contents.join("Resources/icon.icns"))?;
    std::fs::write(contents.join("Resources/third-party-licences.txt"), licences::texts(place, target)?)?;
    let merged = facts.fill(place, "macos/Info.plist")?;
    let list = facts.fill(place, "macos/bundle.plist")?.replace("@MERGED@", inside(&merged)?);
    std::fs::write(contents.join("Info.plist"), list)?;
    Ok(app)
}

/// What stands in the dictionary of a property list.
fn inside(list: &str) -> Result<&str> {
    let (_, rest) = list.split_once("<dict>").context("a property list without a dictionary")?;
    Ok(rest.rsplit_once("</dict>").context("a dictionary without an end")?.0.trim())
}

/// What a Mac would look at before it starts them.
fn verify(app: &Path, signer: &Path, processor: &str) -> Result<()> {
    for name in PROGRAMS {
        let path = app.join("Contents/MacOS").join(name);
        let bytes = std::fs::read(&path)?;
        let program = macho::read(&bytes).with_context(|| format!("reading {name}"))?;
        program.check(&bytes, processor, OLDEST_MACOS).with_context(|| format!("checking {name}"))?;
        go(Command::new(signer).arg("verify").arg(&path))?;
        say(&format!(
            "   {name}: {processor}, macOS {}, {} libraries",
            program.oldest,
            program.libraries.len()
        ));
    }
    let sealed = std::fs::read_to_string(app.join("Contents/_CodeSignature/CodeResources"))?;
    for path in files(&app.join("Contents/Resources"))? {
        let name = path.strip_prefix(app.join("Contents"))?.display().to_string();
        ensure!(sealed.contains(&format!("<key>{name}</key>")), "{name} is not sealed by the signature");
    }
    Ok(())
}

/// Packs the application with a link to where it belongs, and reads the image back.
fn pack(facts: &Facts, app: &Path, image: &Path) -> Result<()> {
    let work = app.parent().context("the application lies in a folder")?;
    let volume = work.join("volume");
    std::fs::create_dir(&volume)?;
    go(Command::new("cp").args(["-a"]).arg(app).arg(&volume))?;
    #[cfg(unix)]
    std::os::unix::fs::symlink("/Applications", volume.join("Applications"))?;
    let disk = work.join("volume.iso");
    // Names as they are, rights and links by Rock Ridge, which macOS reads.
    go(Command::new("xorriso")
        .args([
            "-report_about",
            "WARNING",
            "-as",
            "mkisofs",
            "-D",
            "-l",
            "-r",
            "-no-pad",
            "-V",
            "Plimsoll",
            "-o",
        ])
        .arg(&disk)
        .arg(&volume)
        .env("SOURCE_DATE_EPOCH", facts.epoch.to_string()))?;
    std::fs::write(image, udif::image(std::fs::read(&disk)?)?)?;

    let (raw, back) = (work.join("back.iso"), work.join("back"));
    said(Command::new("dmg2img").arg(image).arg(&raw))?;
    std::fs::create_dir(&back)?;
    go(Command::new("xorriso")
        .args(["-report_about", "WARNING", "-osirrox", "on", "-indev"])
        .arg(&raw)
        .args(["-extract", "/"])
        .arg(&back))?;
    // Contents, rights to run, and the link.
    go(Command::new("diff").args(["-r", "--no-dereference"]).arg(&volume).arg(&back))?;
    let runs =
        said(Command::new("find").arg(&back).args(["-type", "f", "-perm", "-111", "-printf", "%f\n"]))?;
    let mut runs: Vec<&str> = runs.lines().collect();
    runs.sort_unstable();
    ensure!(runs == ["plimsoll", "plimsoll-desktop"], "on the volume these can be run: {}", runs.join(", "));
    Ok(())
}
