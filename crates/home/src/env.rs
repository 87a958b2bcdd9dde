//! A snapshot of the environment, taken once when a process starts. All code works from the snapshot, so that a test
//! can describe a complete computer in one value.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::HomeError;
use crate::callers::Caller;

/// The operating system, as far as paths and dialects depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Os {
    /// Linux and other Unix systems with XDG folders.
    Linux,
    /// macOS.
    Mac,
    /// Windows.
    Windows,
}

impl Os {
    /// The system of this build.
    pub const fn current() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::Mac
        } else {
            Self::Linux
        }
    }
}

/// Variables, home folder, working folder and operating system of a process.
#[derive(Debug, Clone)]
pub struct Env {
    vars: BTreeMap<OsString, OsString>,
    home_dir: PathBuf,
    cwd: PathBuf,
    cwd_gone: bool,
    os: Os,
    /// Queried on first use: few commands need it.
    callers: Arc<OnceLock<Vec<Caller>>>,
}

impl Env {
    /// Takes a snapshot of this process.
    ///
    /// # Errors
    /// [`HomeError::NoHome`] if no home folder is known, [`HomeError::RelativeHome`] if it depends on the working folder. A
    /// deleted working folder is replaced by the home folder,
    /// because an agent may start this process in one.
    pub fn capture() -> Result<Self, HomeError> {
        let home_dir =
            dirs::home_dir().filter(|home| !home.as_os_str().is_empty()).ok_or(HomeError::NoHome)?;
        if !home_dir.is_absolute() {
            return Err(HomeError::RelativeHome(home_dir));
        }
        let here = std::env::current_dir();
        let cwd_gone = here.is_err();
        let cwd = here.unwrap_or_else(|_| home_dir.clone());
        let vars = std::env::vars_os().collect();
        Ok(Self { vars, home_dir, cwd, cwd_gone, os: Os::current(), callers: Arc::default() })
    }

    /// An environment with only a home folder, which is also the working folder.
    pub fn for_test(home_dir: impl Into<PathBuf>) -> Self {
        let home_dir = home_dir.into();
        let callers = Arc::new(OnceLock::from(Vec::new()));
        Self {
            vars: BTreeMap::new(),
            cwd: home_dir.clone(),
            cwd_gone: false,
            home_dir,
            os: Os::current(),
            callers,
        }
    }

    /// Adds a variable.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.vars.insert(name.into(), value.as_ref().to_owned());
        self
    }

    /// Sets the working folder.
    #[must_use]
    pub fn with_cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.cwd = cwd.into();
        self
    }

    /// Sets the operating system; only paths and dialects follow it.
    #[must_use]
    pub fn with_os(mut self, os: Os) -> Self {
        self.os = os;
        self
    }

    /// Sets the ancestor processes (or processes with these command lines), nearest first.
    #[must_use]
    pub fn with_callers<C: Into<Caller>>(mut self, callers: Vec<C>) -> Self {
        self.callers = Arc::new(OnceLock::from(callers.into_iter().map(Into::into).collect::<Vec<_>>()));
        self
    }

    /// The ancestor processes, nearest first, as far as the system shows them.
    pub fn callers(&self) -> &[Caller] {
        self.callers.get_or_init(crate::callers::callers)
    }

    /// The folders in which programs are searched.
    pub fn path_var(&self) -> Option<OsString> {
        let is_path = |name: &OsStr| match self.os {
            Os::Windows => name.eq_ignore_ascii_case("PATH"),
            _ => name == "PATH",
        };
        self.vars.iter().find(|(name, _)| is_path(name)).map(|(_, value)| value.clone())
    }

    /// A variable that is set, not empty and valid Unicode.
    pub fn var(&self, name: &str) -> Option<&str> {
        self.vars.get(OsStr::new(name)).and_then(|value| value.to_str()).filter(|value| !value.is_empty())
    }

    /// A variable as a path; relative ones start in the working folder.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        let value = self.vars.get(OsStr::new(name)).filter(|value| !value.is_empty())?;
        Some(self.cwd.join(value))
    }

    /// The home folder.
    pub fn home_dir(&self) -> &Path {
        &self.home_dir
    }

    /// The working folder.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// Whether the working folder had been deleted when the snapshot was taken; [`Env::cwd`] is then another one.
    pub fn cwd_gone(&self) -> bool {
        self.cwd_gone
    }

    /// The system.
    pub fn os(&self) -> Os {
        self.os
    }

    /// Every variable.
    pub fn vars(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.vars.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}
