//! What every package says about itself: version, date, who makes it; and filling these into the texts of
//! `installers/`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::place::Place;
use crate::steps::go;

/// Facts that all packages share.
pub(crate) struct Facts {
    /// Of the workspace.
    pub(crate) version: &'static str,
    /// Seconds since 1970 of the commit that is packed, so that packing twice gives the same.
    pub(crate) epoch: u64,
    /// Who makes the package, with a mail address. Publishers set it with `PLIMSOLL_MAINTAINER`.
    pub(crate) maintainer: String,
    /// Folder of the finished packages.
    pub(crate) out: PathBuf,
    /// How hard xz tries, up to 9.
    pub(crate) effort: u8,
}

impl Facts {
    pub(crate) fn gather(place: &Place) -> Result<Self> {
        let out = place.target().join("packages");
        std::fs::create_dir_all(&out).with_context(|| format!("creating {}", out.display()))?;
        let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
        let epoch = match given {
            Some(epoch) => epoch,
            None => {
                printed(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(&place.repo))?
                    .parse()
                    .context("git printed no time")?
            }
        };
        let maintainer = std::env::var("PLIMSOLL_MAINTAINER").ok().filter(|text| !text.is_empty());
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            epoch,
            maintainer: maintainer
                .unwrap_or_else(|| "The Plimsoll developers <plimsoll@packages.invalid>".to_owned()),
            out,
            effort: 9,
        })
    }

    /// The same for packages that are only tried: in a folder of their own, and quick.
    pub(crate) fn for_trial(mut self) -> Result<Self> {
        self.out.push("trial");
        std::fs::create_dir_all(&self.out)?;
        self.effort = 0;
        Ok(self)
    }

    /// The date in a format of `date(1)`.
    pub(crate) fn date(&self, format: &str) -> Result<String> {
        printed(
            Command::new("date")
                .args(["-u", "-d", &format!("@{}", self.epoch), &format!("+{format}")])
                .env("LC_ALL", "C"),
        )
    }

    /// A text of `installers/` with the version and the date filled in.
    pub(crate) fn filled_template(&self, place: &Place, path: &str) -> Result<String> {
        let path = place.repo.join("installers").join(path);
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        Ok(text.replace("@VERSION@", self.version).replace("@DATE@", &self.date("%Y-%m-%d")?))
    }

    /// An empty folder beside the finished packages.
    pub(crate) fn empty_folder(&self, name: &str) -> Result<PathBuf> {
        let dir = self.out.join("work").join(name);
        if dir.exists() {
            std::fs::remove_dir_all(&dir).with_context(|| format!("emptying {}", dir.display()))?;
        }
        std::fs::create_dir_all(&dir)?;
        Ok(dir)
    }
}

/// What a command prints, trimmed.
pub(crate) fn printed(command: &mut Command) -> Result<String> {
    let shown = command.get_program().display().to_string();
    let output = command
        .stderr(std::process::Stdio::inherit())
        .output()
        .with_context(|| format!("starting {shown}"))?;
    anyhow::ensure!(output.status.success(), "{shown} ended with {}", output.status);
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Compresses a file in place as manual pages and changelogs are: best, and without name and time.
pub(crate) fn gzip(path: &std::path::Path) -> Result<()> {
    go(Command::new("gzip").args(["-9", "-n", "-f"]).arg(path))
}
