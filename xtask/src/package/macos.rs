//! The disk images for macOS, one per processor, made on Linux: both programs linked against lists of the system's names
//! ([`crate::cross::macos`]), laid out as an application, signed ad hoc, packed.
//!
//! Nothing here can start them. Before an image counts as made, its programs' load commands are read, its signature is verified,
//! and it is unpacked by another program than the one that made it and compared file by file. What is published is made by
//! `.github/workflows/release.yml` on a Mac, which opens it too.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::facts::{Facts, printed};
use super::tree::{files, set_mode};
use super::{BuiltPackage, macho, programs, udif};
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
    made: &mut Vec<BuiltPackage>,
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
        steps.step(&format!("macOS, {processor}: put together and sign the application"), || {
            let bundle = lay_out_app(place, facts, &built, target)?;
            check_property_list(&bundle)?;
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
            made.push(BuiltPackage { path });
            Ok(())
        });
    }
    say("   The images were checked as files. No Mac has opened them.");
    Ok(())
}

/// Lays out an application around stand-ins for its programs, packs it and reads the image back: everything but what takes programs
/// for a Mac, whose building takes an hour.
pub(super) fn trial(place: &Place, facts: &Facts) -> Result<()> {
    let built = facts.empty_folder("macos/stand-ins")?;
    for name in PROGRAMS {
        let path = built.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n# In place of {name}.\n"))?;
        set_mode(&path, 0o755)?;
    }
    let app = lay_out_app(place, facts, &built, TARGETS[0])?;
    check_property_list(&app)?;
    pack(facts, &app, &facts.out.join("trial.dmg"))
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
fn lay_out_app(place: &Place, facts: &Facts, built: &Path, target: &str) -> Result<PathBuf> {
    let app = facts.empty_folder(&format!("macos/{target}"))?.join(APP);
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
    let merged = facts.filled_template(place, "macos/Info.plist")?;
    let list =
        facts.filled_template(place, "macos/bundle.plist")?.replace("@MERGED@", dictionary_entries(&merged)?);
    std::fs::write(contents.join("Info.plist"), list)?;
    Ok(app)
}

/// The entries of a property list's dictionary.
fn dictionary_entries(list: &str) -> Result<&str> {
    let (_, rest) = list.split_once("<dict>").context("a property list without a dictionary")?;
    Ok(rest.rsplit_once("</dict>").context("a dictionary without an end")?.0.trim())
}

/// Another reader of property lists accepts this one, and what it names is there.
fn check_property_list(app: &Path) -> Result<()> {
    let print = "import plistlib, sys\nlist = plistlib.load(open(sys.argv[1], 'rb'))\nfor name in sys.argv[2:]: print(list[name])";
    let told =
        printed(Command::new("python3").args(["-c", print]).arg(app.join("Contents/Info.plist")).args([
            "CFBundleExecutable",
            "CFBundleIconFile",
            "CFBundlePackageType",
            "LSUIElement",
        ]))?;
    let told: Vec<&str> = told.lines().collect();
    let [program, icon, "APPL", "True"] = told.as_slice() else {
        bail!("Info.plist says {}", told.join(", "));
    };
    for path in [format!("MacOS/{program}"), format!("Resources/{icon}")] {
        ensure!(app.join("Contents").join(&path).is_file(), "Info.plist names {path}, which is not there");
    }
    Ok(())
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
    let work = app.parent().context("the application is in a folder")?;
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
    printed(Command::new("dmg2img").arg(image).arg(&raw))?;
    std::fs::create_dir(&back)?;
    go(Command::new("xorriso")
        .args(["-report_about", "WARNING", "-osirrox", "on", "-indev"])
        .arg(&raw)
        .args(["-extract", "/"])
        .arg(&back))?;
    // Contents, rights to run, and the link.
    go(Command::new("diff").args(["-r", "--no-dereference"]).arg(&volume).arg(&back))?;
    let runs =
        printed(Command::new("find").arg(&back).args(["-type", "f", "-perm", "-111", "-printf", "%f\n"]))?;
    let mut runs: Vec<&str> = runs.lines().collect();
    runs.sort_unstable();
    ensure!(runs == ["plimsoll", "plimsoll-desktop"], "on the volume these can be run: {}", runs.join(", "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two makers, one application: this image has what Tauri's bundler is given for the published one.
    #[test]
    fn the_app_describes_itself_as_the_bundler_would() {
        let read = |path: &str| {
            let path = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).parent().unwrap().join(path);
            std::fs::read_to_string(path).unwrap()
        };
        let list = read("installers/macos/bundle.plist");
        let [config, release] = ["src-tauri/tauri.conf.json", "src-tauri/tauri.release.conf.json"]
            .map(|path| serde_json::from_str::<serde_json::Value>(&read(path)).unwrap());
        for (key, told) in [
            ("CFBundleIdentifier", &config["identifier"]),
            ("CFBundleName", &config["productName"]),
            ("CFBundleDisplayName", &config["productName"]),
            ("LSMinimumSystemVersion", &release["bundle"]["macOS"]["minimumSystemVersion"]),
            ("NSHumanReadableCopyright", &release["bundle"]["copyright"]),
        ] {
            let told = told.as_str().unwrap();
            assert!(list.contains(&format!("<key>{key}</key>\n  <string>{told}</string>")), "{key}: {told}");
        }
        let scheme = config["plugins"]["deep-link"]["desktop"]["schemes"][0].as_str().unwrap();
        assert!(list.contains(&format!("<string>{scheme}</string>")), "{scheme}");
        let icons = config["bundle"]["icon"].as_array().unwrap();
        assert!(icons.iter().any(|icon| icon == "../icons/icon.icns"), "{icons:?}");
        // The programs themselves run at least where the application says that it does.
        let number = |version: &str| version.split('.').next().and_then(|part| part.parse::<u32>().ok());
        let oldest = release["bundle"]["macOS"]["minimumSystemVersion"].as_str().unwrap();
        assert!(number(OLDEST_MACOS) <= number(oldest), "{OLDEST_MACOS} and {oldest}");
    }

    #[test]
    fn a_list_without_a_dictionary_is_not_merged() {
        assert_eq!(
            dictionary_entries("<plist><dict>\n <key>a</key>\n</dict></plist>").unwrap(),
            "<key>a</key>"
        );
        assert!(dictionary_entries("<plist></plist>").is_err());
    }
}
