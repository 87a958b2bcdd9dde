//! The files of a Linux package, laid out as they will be on the disk.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::facts::{Facts, gzip, printed};
use super::programs::Programs;
use crate::place::Place;
use crate::steps::go;
use crate::{icons, licences};

/// A tree in the making.
pub(crate) struct Tree<'a> {
    pub(crate) root: PathBuf,
    place: &'a Place,
    facts: &'a Facts,
}

impl<'a> Tree<'a> {
    /// Lays out what every Linux package contains.
    pub(crate) fn lay(
        place: &'a Place,
        facts: &'a Facts,
        programs: &Programs,
        root: PathBuf,
    ) -> Result<Self> {
        let tree = Self { root, place, facts };
        tree.write_file("usr/bin/plimsoll", &std::fs::read(&programs.sidecar)?, 0o755)?;
        tree.write_file("usr/bin/plimsoll-desktop", &std::fs::read(&programs.desktop)?, 0o755)?;
        tree.menu()?;
        tree.icons()?;
        tree.manual()?;
        tree.completions(&programs.sidecar)?;
        tree.write_file(
            "usr/share/doc/plimsoll/third-party-licences.txt",
            licences::texts(place, &licences::host())?.as_bytes(),
            0o644,
        )?;
        Ok(tree)
    }

    /// Writes a file with its mode, and its folders.
    pub(crate) fn write_file(&self, path: &str, bytes: &[u8], mode: u32) -> Result<PathBuf> {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().context("files are in folders")?)?;
        std::fs::write(&path, bytes).with_context(|| format!("writing {}", path.display()))?;
        set_mode(&path, mode)?;
        Ok(path)
    }

    /// The entry in the menu and the page in the software centre, both as their own tools want them.
    fn menu(&self) -> Result<()> {
        let desktop = self.facts.filled_template(self.place, "linux/plimsoll-desktop.desktop")?;
        let desktop =
            self.write_file("usr/share/applications/plimsoll-desktop.desktop", desktop.as_bytes(), 0o644)?;
        go(Command::new("desktop-file-validate").arg(desktop))?;
        let name = super::METAINFO;
        let metainfo = self.facts.filled_template(self.place, &format!("linux/{name}"))?;
        let metainfo = self.write_file(&format!("usr/share/metainfo/{name}"), metainfo.as_bytes(), 0o644)?;
        go(Command::new("appstreamcli").args(["validate", "--no-net", "--no-color"]).arg(metainfo))
    }

    fn icons(&self) -> Result<()> {
        icons::check(self.place)?;
        let theme = self.place.repo.join("icons/hicolor");
        for path in files(&theme)? {
            let inside = path.strip_prefix(&theme)?.to_string_lossy().into_owned();
            self.write_file(&format!("usr/share/icons/hicolor/{inside}"), &std::fs::read(&path)?, 0o644)?;
        }
        Ok(())
    }

    fn manual(&self) -> Result<()> {
        for page in ["plimsoll.1", "plimsoll-desktop.1"] {
            let text = self.facts.filled_template(self.place, &format!("linux/{page}"))?;
            gzip(&self.write_file(&format!("usr/share/man/man1/{page}"), text.as_bytes(), 0o644)?)?;
        }
        Ok(())
    }

    fn completions(&self, sidecar: &Path) -> Result<()> {
        for (shell, path) in [
            ("bash", "bash-completion/completions/plimsoll"),
            ("zsh", "zsh/vendor-completions/_plimsoll"),
            ("fish", "fish/vendor_completions.d/plimsoll.fish"),
        ] {
            let text = printed(Command::new(sidecar).args(["completions", shell]))?;
            ensure!(text.contains("plimsoll"), "the completions of {shell} are empty");
            self.write_file(&format!("usr/share/{path}"), format!("{text}\n").as_bytes(), 0o644)?;
        }
        Ok(())
    }

    /// Gives folders their mode and everything the time of the commit.
    pub(crate) fn set_modes_and_times(&self) -> Result<()> {
        go(Command::new("find").arg(&self.root).args(["-type", "d", "-exec", "chmod", "755", "{}", "+"]))?;
        let time = format!("@{}", self.facts.epoch);
        go(Command::new("find").arg(&self.root).args(["-exec", "touch", "-h", "-d", &time, "{}", "+"]))
    }
}

/// All files below a folder, sorted.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Linux packages are made where files have modes.
pub(super) fn set_mode(path: &Path, mode: u32) -> Result<()> {
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))?;
    #[cfg(not(unix))]
    anyhow::bail!("{} cannot be given the mode {mode:o} on this system", path.display());
    #[cfg(unix)]
    Ok(())
}
