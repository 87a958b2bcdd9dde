//! The paths of everything, in one place.

use std::path::{Path, PathBuf};

use crate::{Env, HomeError, Os, io_error, private_dir};

/// Plimsoll's folder (`~/.plimsoll`, or `PLIMSOLL_HOME`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
}

impl Home {
    /// Finds the folder without creating anything.
    ///
    /// # Errors
    /// None today; kept fallible because an unusable `PLIMSOLL_HOME` may be refused here.
    pub fn resolve(env: &Env) -> Result<Self, HomeError> {
        Ok(Self::at(env.path("PLIMSOLL_HOME").unwrap_or_else(|| env.home_dir().join(".plimsoll"))))
    }

    /// The folder at a given path.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Creates the folder, private to the user. An existing public one is made private.
    ///
    /// # Errors
    /// [`HomeError::Io`] with the path.
    pub fn ensure(&self) -> Result<(), HomeError> {
        private_dir(&self.root).map_err(io_error(&self.root))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&self.root).map_err(io_error(&self.root))?.permissions().mode();
            if mode & 0o077 != 0 {
                std::fs::set_permissions(&self.root, std::fs::Permissions::from_mode(0o700))
                    .map_err(io_error(&self.root))?;
            }
        }
        Ok(())
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `bin/`: the stable launcher and the versions behind it.
    pub fn bin_dir(&self) -> PathBuf {
        self.root.join("bin")
    }

    /// The stable launcher that agents' configs name.
    pub fn launcher(&self) -> PathBuf {
        self.bin_dir().join(binary_name(Os::current()))
    }

    /// `bin/versions/`: the real binaries, one folder per version.
    pub fn versions_dir(&self) -> PathBuf {
        self.bin_dir().join("versions")
    }

    /// `settings.toml`.
    pub fn settings_path(&self) -> PathBuf {
        self.root.join("settings.toml")
    }

    /// `plimsoll.db`: sessions, ledger, receipts.
    pub fn main_db(&self) -> PathBuf {
        self.root.join("plimsoll.db")
    }

    /// `backups/`: copies of edited config files.
    pub fn backups_dir(&self) -> PathBuf {
        self.root.join("backups")
    }

    /// `logs/`.
    pub fn logs_dir(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// `trash/`: what purge removed.
    pub fn trash_dir(&self) -> PathBuf {
        self.root.join("trash")
    }

    /// `run/`: heartbeats of live servers.
    pub fn run_dir(&self) -> PathBuf {
        self.root.join("run")
    }

    /// `locks/`.
    pub fn locks_dir(&self) -> PathBuf {
        self.root.join("locks")
    }

    /// `tasks/`: background tasks and spilled output.
    pub fn tasks_dir(&self) -> PathBuf {
        self.root.join("tasks")
    }

    /// `downloads/`: binary files that pages turned out to be.
    pub fn downloads_dir(&self) -> PathBuf {
        self.root.join("downloads")
    }

    /// `cache/`: data that can be recomputed (runtime versions, the login shell's PATH).
    pub fn cache_dir(&self) -> PathBuf {
        self.root.join("cache")
    }

    /// `projects/`.
    pub fn projects_dir(&self) -> PathBuf {
        self.root.join("projects")
    }
}

/// The sidecar's file name on a system.
pub fn binary_name(os: Os) -> &'static str {
    if os == Os::Windows { "plimsoll.exe" } else { "plimsoll" }
}
