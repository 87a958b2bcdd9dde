//! What detection may look at: the environment, the login shell's PATH, files, and a program's version.

use std::path::{Path, PathBuf};

use home::Env;
use serde::{Deserialize, Serialize};

/// The computer as detection sees it. Built once by `service`; tests build it over a scratch folder.
#[derive(Debug)]
pub struct Machine<'a> {
    /// The environment, with home folder and overrides.
    pub env: &'a Env,
    /// Folders to look for programs in: PATH, the login shell's PATH, known install places.
    pub search_path: Vec<PathBuf>,
    /// Root of the file system for absolute install places (`/` outside tests).
    pub root: PathBuf,
    /// Whether programs may be started to ask for their version.
    pub may_run: bool,
}

/// One reason to believe that the agent is installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// In words: `program on PATH`, `config folder`, `application`.
    pub how: String,
    /// Where.
    pub path: PathBuf,
}

/// An agent that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The agent's id.
    pub agent: String,
    /// Every reason, strongest first.
    pub evidence: Vec<Evidence>,
    /// Version as the program prints it (`2.1.197`), `None` when it could not be asked.
    pub version: Option<String>,
    /// The program, for starting it.
    pub program: Option<PathBuf>,
    /// Folder of its configuration.
    pub config_dir: PathBuf,
    /// Other config folders that need the same entries (VS Code profiles and variants, Kiro's two homes).
    pub more_dirs: Vec<PathBuf>,
    /// Names of the products behind one agent (`IDE`, `agy`, `Insiders`).
    pub products: Vec<String>,
}

impl Machine<'_> {
    /// First of `names` in the search path.
    pub fn program(&self, names: &[&str]) -> Option<PathBuf> {
        self.search_path.iter().flat_map(|dir| names.iter().map(move |name| dir.join(name))).find(|path| path.is_file())
    }

    /// An absolute install place, seen from [`Machine::root`].
    pub fn at_root(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    /// A path below the home folder.
    pub fn in_home(&self, path: &str) -> PathBuf {
        self.env.home_dir().join(path)
    }

    /// Whether `path` is there.
    pub fn exists(&self, path: &Path) -> bool {
        path.exists()
    }
}
