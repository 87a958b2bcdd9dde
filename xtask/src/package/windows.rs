//! The installers for Windows, made here and tried under wine: a setup program for people and an .msi for those who
//! install by script. Both are per user, contain the same files, and disconnect every agent before they remove them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::facts::{Facts, printed};
use super::signing::sign;
use super::{BuiltPackage, programs};
use crate::cross::toolchain::{Toolchain, logged};
use crate::cross::windows::{TARGET, cargo};
use crate::cross::wine::Wine;
use crate::cross::{self, Line, smoke};
use crate::place::{Place, SHIPPED};
use crate::steps::{Steps, go};
use crate::{icons, licences, ui};

/// Finds the web view; only beside programs of the GNU toolchain.
const LOADER: &str = "WebView2Loader.dll";

/// Packs the parts in a folder as some version.
type Pack = fn(&Place, &Facts, &Path, &str) -> Result<PathBuf>;

/// The installers.
const KINDS: [(&str, Pack); 2] = [("msi", msi), ("setup", super::nsis::pack)];

/// The installed files, by their names in the installation.
const FILES: [&str; 4] = ["plimsoll.exe", "plimsoll-desktop.exe", LOADER, "third-party-licences.txt"];

pub(crate) fn all(
    place: &Place,
    facts: &Facts,
    yes: bool,
    steps: &mut Steps,
    made: &mut Vec<BuiltPackage>,
) -> Result<()> {
    let toolchain = Toolchain::prepare(place, yes)?;
    let wine = Wine::prepare(place, &toolchain, yes)?;
    let mut parts = None;
    steps.step("Windows: build the programs as they ship", || {
        parts = Some(gather_files(place, facts, &build(place, &toolchain)?, TARGET)?);
        Ok(())
    });
    let Some(parts) = parts else { return Ok(()) };
    let mut table = Vec::new();
    for (kind, pack) in KINDS {
        let mut packed = None;
        steps.step(&format!("Windows, {kind}: pack"), || {
            packed = Some(pack(place, facts, &parts, facts.version)?);
            Ok(())
        });
        let Some(path) = packed else { continue };
        steps.step(&format!("Windows, {kind}: installed, run, updated and removed under wine"), || {
            let newer = pack(place, facts, &parts, &next(facts.version))?;
            let result = try_installer(
                &InstallerTrial {
                    wine: &wine,
                    kind,
                    first: &path,
                    newer: &newer,
                    dir: facts.empty_folder("smoke")?,
                },
                &mut table,
            );
            std::fs::remove_file(newer)?;
            result
        });
        made.push(BuiltPackage { path });
    }
    cross::show(&table);
    Ok(())
}

/// The version after `version`, to try updating with.
fn next(version: &str) -> String {
    let (front, last) = version.rsplit_once('.').unwrap_or(("0.0", version));
    format!("{front}.{}", last.parse::<u32>().unwrap_or_default() + 1)
}

/// Packs programs that were built on Windows, and tries nothing: that is done there.
pub(crate) fn pack(
    place: &Place,
    facts: &Facts,
    programs: &Path,
    steps: &mut Steps,
    made: &mut Vec<BuiltPackage>,
) {
    let mut parts = None;
    steps.step("Windows: gather the programs", || {
        parts = Some(gather_files(place, facts, programs, "x86_64-pc-windows-msvc")?);
        Ok(())
    });
    let Some(parts) = parts else { return };
    for (kind, pack) in KINDS {
        steps.step(&format!("Windows, {kind}: pack"), || {
            made.push(BuiltPackage { path: pack(place, facts, &parts, facts.version)? });
            Ok(())
        });
    }
}

/// Both programs, cross-built; their folder.
fn build(place: &Place, toolchain: &Toolchain) -> Result<PathBuf> {
    ui::build(place)?;
    let logs = toolchain.folder("logs")?;
    let mut sidecar = cargo(place, toolchain, "build");
    logged(sidecar.args(["--profile", SHIPPED, "--package", "plimsoll"]), &logs.join("windows-shipped.txt"))?;
    let mut desktop = cargo(place, toolchain, "build");
    logged(desktop.args(["--profile", SHIPPED]).args(programs::DESKTOP), &logs.join("windows-desktop.txt"))?;
    Ok(toolchain.output(TARGET, true))
}

/// Puts everything that is packed into one folder under the names it is installed by.
fn gather_files(place: &Place, facts: &Facts, built: &Path, target: &str) -> Result<PathBuf> {
    let parts = facts.empty_folder("windows")?;
    for name in ["plimsoll.exe", "plimsoll-desktop.exe"] {
        std::fs::copy(built.join(name), parts.join(name)).with_context(|| format!("taking {name}"))?;
        sign(&parts.join(name))?;
    }
    // Microsoft's own toolchain links it in.
    if target == TARGET {
        std::fs::copy(loader(built)?, parts.join(LOADER))?;
    }
    std::fs::write(parts.join("third-party-licences.txt"), licences::texts(place, target)?)?;
    std::fs::copy(place.repo.join("icons/icon.ico"), parts.join("icon.ico"))?;
    std::fs::write(parts.join("setup-side.bmp"), icons::setup_side(place)?)?;
    Ok(parts)
}

/// The library that finds the web view; a dependency's build script leaves it among its own output.
fn loader(built: &Path) -> Result<PathBuf> {
    let beside = built.join(LOADER);
    if beside.is_file() {
        return Ok(beside);
    }
    for entry in std::fs::read_dir(built.join("build"))? {
        let path = entry?.path().join(format!("out/x64/{LOADER}"));
        if path.is_file() {
            return Ok(path);
        }
    }
    anyhow::bail!("the build left no {LOADER} in {}", built.display())
}

fn msi(place: &Place, facts: &Facts, parts: &Path, version: &str) -> Result<PathBuf> {
    let source = std::fs::read_to_string(place.repo.join("installers/windows/plimsoll.wxs"))?;
    // wixl takes no paths but those beside the source.
    let there = parts.join(LOADER).is_file();
    let lines: Vec<&str> = source.lines().filter(|line| there || !line.contains(LOADER)).collect();
    std::fs::write(parts.join("plimsoll.wxs"), lines.join("\n").replace("@VERSION@", version))?;
    let path = facts.out.join(format!("plimsoll-{version}-x64.msi"));
    let _ = std::fs::remove_file(&path);
    go(Command::new("wixl")
        .args(["--arch", "x64", "--output"])
        .arg(&path)
        .arg("plimsoll.wxs")
        .current_dir(parts))?;
    // Tables that wixl has no elements for: the entry in the user's PATH, and removing the start at login.
    std::fs::write(parts.join("Environment.idt"), ENVIRONMENT)?;
    go(Command::new("msibuild").arg(&path).arg("-i").arg(parts.join("Environment.idt")))?;
    for query in QUERIES {
        go(Command::new("msibuild").arg(&path).args(["-q", query]))?;
    }
    let tables = printed(Command::new("msiinfo").arg("tables").arg(&path))?;
    ensure!(tables.lines().any(|table| table == "Environment"), "the package has no table of variables");
    let sequence = printed(Command::new("msiinfo").arg("export").arg(&path).arg("InstallExecuteSequence"))?;
    let at = |action: &str| -> Result<u32> {
        let line = sequence.lines().find(|line| line.split('\t').next() == Some(action));
        let number = line.and_then(|line| line.rsplit('\t').next()?.trim().parse().ok());
        number.with_context(|| format!("the package does not do {action}"))
    };
    ensure!(at("Disconnect")? < at("RemoveFiles")?, "agents are disconnected after the program is gone");
    ensure!(at("NoStartAtLogin")? > at("Disconnect")? && at("WriteEnvironmentStrings")? > 0, "{sequence}");
    sign(&path)?;
    Ok(path)
}

/// One row: `=` sets the user's own variable, `-` takes it back on removal; `[~]` is what is there already.
const ENVIRONMENT: &str = "Environment\tName\tValue\tComponent_\r\ns72\tl255\tL255\ts72\r\n\
    Environment\tEnvironment\r\nPath\t=-PATH\t[~];[INSTALLDIR]\tPath\r\n";

/// wixl puts an action anywhere before the one that it should precede, in no fixed place: agents are disconnected first
/// of all. 34 is a command line with a folder to run in, 64 goes on if it fails: who never started it at login has no
/// entry.
const QUERIES: [&str; 5] = [
    "UPDATE `InstallExecuteSequence` SET `Sequence` = 1402 WHERE `Action` = 'Disconnect'",
    "INSERT INTO `InstallExecuteSequence` (`Action`, `Sequence`) VALUES ('WriteEnvironmentStrings', 5200)",
    "INSERT INTO `InstallExecuteSequence` (`Action`, `Sequence`) VALUES ('RemoveEnvironmentStrings', 3300)",
    "INSERT INTO `CustomAction` (`Action`, `Type`, `Source`, `Target`) VALUES ('NoStartAtLogin', 98, 'INSTALLDIR', \
     '\"[System64Folder]reg.exe\" delete HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run /v Plimsoll /f')",
    "INSERT INTO `InstallExecuteSequence` (`Action`, `Condition`, `Sequence`) VALUES ('NoStartAtLogin', \
     'REMOVE=\"ALL\" AND NOT UPGRADINGPRODUCTCODE', 1403)",
];

/// An installer, and the means to try it.
struct InstallerTrial<'a> {
    wine: &'a Wine,
    kind: &'static str,
    first: &'a Path,
    newer: &'a Path,
    dir: PathBuf,
}

/// A file of an agent, with Windows' line ends.
const SETTINGS: &str = "{\r\n  \"theme\": \"light\" \r\n}\r\n";

const UNINSTALL: [&str; 2] = [
    r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall",
    r"HKLM\Software\Microsoft\Windows\CurrentVersion\Uninstall",
];

const RUN: &str = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Run";

fn try_installer(tried: &InstallerTrial, table: &mut Vec<Line>) -> Result<()> {
    let profile = tried.wine.profile()?;
    let folder = profile.join(r"AppData/Local/Programs/Plimsoll");
    let _ = std::fs::remove_dir_all(&folder);
    let home = profile.join(".plimsoll");
    let _ = std::fs::remove_dir_all(&home);
    let settings = profile.join(".claude/settings.json");
    std::fs::create_dir_all(profile.join(".claude"))?;
    std::fs::write(&settings, SETTINGS)?;
    let servers = profile.join(".claude.json");
    let _ = std::fs::remove_file(&servers);
    let path = || tried.registry(&["query", r"HKCU\Environment", "/v", "Path"]).unwrap_or_default();
    // Most users have their own PATH entries, which must survive.
    tried.registry(&[
        "add",
        r"HKCU\Environment",
        "/v",
        "Path",
        "/t",
        "REG_EXPAND_SZ",
        "/d",
        r"C:\mine",
        "/f",
    ])?;

    tried.install(tried.first)?;
    for name in FILES {
        ensure!(folder.join(name).is_file(), "{name} was not installed into {}", folder.display());
    }
    ensure!(tried.has_menu_entry(&profile)?, "there is no entry in the start menu");
    ensure!(path().contains(r"C:\mine;") && path().contains(r"Programs\Plimsoll"), "PATH is {}", path());
    let link = tried.registry(&["query", r"HKCU\Software\Classes\plimsoll\shell\open\command", "/ve"])?;
    ensure!(link.contains("plimsoll-desktop.exe\" \"%1\""), "links are opened with {link}");
    ensure!(std::fs::read_to_string(&settings)? == SETTINGS, "installing touched an agent's file");
    let sidecar = folder.join("plimsoll.exe");
    smoke::all(tried.wine, &sidecar, &tried.dir, table)?;
    std::fs::create_dir_all(profile.join(".claude"))?;
    std::fs::write(&settings, SETTINGS)?;
    let desktop = tried.run(&folder.join("plimsoll-desktop.exe"), &["--version"])?;
    ensure!(desktop.starts_with("plimsoll-desktop "), "the desktop printed {desktop:?}");

    tried.run(&sidecar, &["connect", "claude-code", "--yes"])?;
    let connected = std::fs::read_to_string(&settings)?;
    ensure!(connected.contains("plimsoll"), "connecting wrote nothing");
    tried.registry(&["add", RUN, "/v", "Plimsoll", "/d", "plimsoll-desktop.exe --tray", "/f"])?;
    tried.update()?;
    ensure!(std::fs::read_to_string(&settings)? == connected, "an update touched an agent's file");
    ensure!(sidecar.is_file() && home.is_dir(), "an update removed something");
    ensure!(tried.registry(&["query", RUN, "/v", "Plimsoll"]).is_ok(), "an update ended the start at login");
    ensure!(path().matches(r"Programs\Plimsoll").count() == 1, "after an update PATH is {}", path());
    // Wine keeps Windows Installer's records for the whole computer, even of per-user packages.
    let known: String =
        UNINSTALL.iter().filter_map(|list| tried.registry(&["query", list, "/s"]).ok()).collect();
    let entries =
        known.lines().filter(|line| line.contains("DisplayName") && line.contains("Plimsoll")).count();
    ensure!(entries == 1, "after an update {entries} entries are in the list of programs:\n{known}");

    tried.remove(&folder)?;
    for name in FILES {
        ensure!(!folder.join(name).exists(), "{name} was left in {}", folder.display());
    }
    ensure!(!tried.has_menu_entry(&profile)?, "the entry in the start menu was left");
    ensure!(path().contains(r"C:\mine") && !path().contains("Plimsoll"), "after removal PATH is {}", path());
    ensure!(tried.registry(&["query", RUN, "/v", "Plimsoll"]).is_err(), "it would still start at login");
    ensure!(
        tried.registry(&["query", r"HKCU\Software\Classes\plimsoll"]).is_err(),
        "links would still open it"
    );
    let left = std::fs::read_to_string(&settings)?;
    ensure!(left == SETTINGS, "removal did not bring the agent's file back: {left:?}");
    ensure!(!servers.exists(), "removal left {}", servers.display());
    ensure!(!home.exists(), "removal left {}", home.display());
    std::fs::remove_file(settings)?;
    table.push(Line::new(
        format!("wine, {}", tried.kind),
        format!(
            "installed, {}, connected, updated with connections kept, removed with every byte back",
            desktop.trim()
        ),
    ));
    Ok(())
}

impl InstallerTrial<'_> {
    fn run(&self, program: &Path, arguments: &[&str]) -> Result<String> {
        printed(self.wine.command(program).args(arguments))
            .with_context(|| format!("{} {}", program.display(), arguments.join(" ")))
    }

    fn registry(&self, arguments: &[&str]) -> Result<String> {
        let output = self.wine.command("reg").args(arguments).output()?;
        ensure!(output.status.success(), "reg {} ended with {}", arguments.join(" "), output.status);
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn install(&self, package: &Path) -> Result<()> {
        let package = cross::wine::windows_path(package);
        let mut command = if self.kind == "msi" {
            let mut command = self.wine.command("msiexec");
            command.args(["/i", &package, "/qn"]);
            command
        } else {
            let mut command = self.wine.command(package);
            command.arg("/S");
            command
        };
        go(&mut command)
    }

    /// Installs the newer one over the first. Windows Installer lets the old package's removal know that it is part of an
    /// update; wine's doesn't, so the test does, and then installs the newer one.
    fn update(&self) -> Result<()> {
        if self.kind == "msi" {
            let first = cross::wine::windows_path(self.first);
            let mut command = self.wine.command("msiexec");
            command.args([
                "/x",
                &first,
                "/qn",
                "UPGRADINGPRODUCTCODE={00000000-0000-0000-0000-000000000001}",
            ]);
            go(&mut command)?;
        }
        self.install(self.newer)
    }

    fn remove(&self, folder: &Path) -> Result<()> {
        if self.kind == "msi" {
            return go(self.wine.command("msiexec").args([
                "/x",
                &cross::wine::windows_path(self.newer),
                "/qn",
            ]));
        }
        // It would continue in a copy of itself; given its folder, it doesn't, and the test can wait for it.
        let here = format!("_?={}", cross::wine::windows_path(folder));
        go(self.wine.command(folder.join("uninstall.exe")).args(["/S", &here]))
    }

    fn has_menu_entry(&self, profile: &Path) -> Result<bool> {
        let menu = profile.join("AppData/Roaming/Microsoft/Windows/Start Menu/Programs");
        Ok(menu.is_dir() && super::tree::files(&menu)?.iter().any(|path| path.ends_with("Plimsoll.lnk")))
    }
}
