//! A scratch home on a scratch computer, and a snapshot of its files for comparison.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

/// A home folder, a project folder and a TMPDIR, all removed at the end.
///
/// The home isn't under TMPDIR: Codex refuses its helper programs there.
pub struct Scratch {
    _base: TempDir,
    /// The home folder.
    pub home: PathBuf,
    /// A project with a git repository in it.
    pub project: PathBuf,
    /// TMPDIR of the tested programs.
    pub tmp: PathBuf,
}

impl Scratch {
    /// Creates one under the build output, so that it is on a disk and far from the real home.
    ///
    /// # Errors
    /// If folders can't be created.
    pub fn new() -> Result<Self> {
        let exe = std::env::current_exe()?;
        let target = exe.ancestors().nth(3).context("tests run from the build output")?;
        let base = tempfile::Builder::new().prefix("scratch-").tempdir_in(target)?;
        let tmp = base.path().join("tmp");
        let home = base.path().join("home");
        let project = home.join("work/shop");
        for dir in [&tmp, &home, &project] {
            std::fs::create_dir_all(dir)?;
        }
        std::fs::write(project.join("README.md"), "# Shop\n\nA small shop.\n")?;
        let git = Command::new("git").args(["init", "-q", "."]).current_dir(&project).status();
        if !git.is_ok_and(|status| status.success()) {
            bail!("git init failed in {}", project.display());
        }
        Ok(Self { _base: base, home, project, tmp })
    }

    /// A command in the project with this home, and of the real environment only PATH.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.env_clear().current_dir(&self.project);
        command
            .env("HOME", &self.home)
            .env("TMPDIR", &self.tmp)
            .env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
            .env("LANG", "C.UTF-8")
            .env("TERM", "dumb")
            .env("USER", "ana")
            .env("LOGNAME", "ana")
            .env("SHELL", "/bin/bash");
        command
    }

    /// The sidecar with arguments.
    ///
    /// # Errors
    /// If it can't be started or ends with an error; the message has its output.
    pub fn plimsoll(&self, args: &[&str]) -> Result<String> {
        let output = self.command(sidecar()).args(args).output().context("starting the sidecar")?;
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        if !output.status.success() {
            bail!("plimsoll {} ended with {}\n{out}\n{err}", args.join(" "), output.status);
        }
        Ok(out.into_owned())
    }
}

/// The tested sidecar: the named one (`PLIMSOLL_SIDECAR`), the release build if the runner made one, otherwise the debug build
/// beside this program.
pub fn sidecar() -> PathBuf {
    if let Some(named) = std::env::var_os("PLIMSOLL_SIDECAR") {
        return PathBuf::from(named);
    }
    let name = format!("plimsoll{}", std::env::consts::EXE_SUFFIX);
    if let Some(dir) = std::env::var_os("PLIMSOLL_TEST_RELEASE") {
        let path = Path::new(&dir).join(&name);
        if path.exists() {
            return path;
        }
    }
    let exe = std::env::current_exe().unwrap_or_default();
    exe.ancestors().nth(2).unwrap_or(Path::new(".")).join(name)
}

/// The files under a folder with their bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree(pub BTreeMap<PathBuf, Vec<u8>>);

impl Tree {
    /// Records these paths (files, or folders with everything in them).
    pub fn of(root: &Path, paths: &[&str]) -> Self {
        let mut files = BTreeMap::new();
        let mut open: Vec<PathBuf> = paths.iter().map(|path| root.join(path)).collect();
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(
                    std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()),
                );
            } else if let Ok(bytes) = std::fs::read(&path) {
                files.insert(path.strip_prefix(root).unwrap_or(&path).to_owned(), bytes);
            }
        }
        Self(files)
    }

    /// Files that changed, appeared or disappeared.
    pub fn changed_files(&self, later: &Self) -> Vec<PathBuf> {
        let mut names: Vec<&PathBuf> = self.0.keys().chain(later.0.keys()).collect();
        names.sort();
        names.dedup();
        names.into_iter().filter(|name| self.0.get(*name) != later.0.get(*name)).cloned().collect()
    }
}
