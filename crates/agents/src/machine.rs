//! What detection may inspect: the environment, the login shell's PATH, files, and a program's version. Knows the usual
//! install locations, but no agent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use home::{Env, Os};
use serde::{Deserialize, Serialize};

use crate::login_path::{LoginShell, folders};
use crate::{package_version, version};

/// The computer as detection sees it. `service` builds it once; tests build it over a temporary folder.
#[derive(Debug)]
pub struct Machine<'a> {
    /// The environment, with home folder and overrides.
    pub env: &'a Env,
    /// Folders to look for programs in: PATH, the login shell's PATH, the usual install locations.
    pub search_path: Vec<PathBuf>,
    /// The file system's root for absolute install locations (`/` outside tests).
    pub root: PathBuf,
    /// Whether programs may be started to ask for their version.
    pub may_run: bool,
    /// Cached versions of programs whose files haven't changed.
    pub version_cache: BTreeMap<PathBuf, String>,
}

/// One sign that the agent is installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// A description: `program on PATH`, `config folder`, `application`.
    pub how: String,
    /// The path.
    pub path: PathBuf,
}

/// An agent's installation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installation {
    /// The agent's id.
    pub agent: String,
    /// Every sign, strongest first.
    pub evidence: Vec<Evidence>,
    /// The version as the program prints it (`2.1.197`); `None` if it couldn't be asked.
    pub version: Option<String>,
    /// The program to start.
    pub program: Option<PathBuf>,
    /// Its configuration folder.
    pub config_dir: PathBuf,
    /// Other config folders that need the same entries (VS Code profiles and variants, Kiro's two homes).
    pub more_dirs: Vec<PathBuf>,
    /// The names of the products behind one agent (`IDE`, `agy`, `Insiders`).
    pub products: Vec<String>,
}

impl Installation {
    /// An agent of which only the configuration folder is known.
    pub fn assumed(agent: &str, config_dir: PathBuf) -> Self {
        Self {
            agent: agent.to_owned(),
            evidence: Vec::new(),
            version: None,
            program: None,
            config_dir,
            more_dirs: Vec::new(),
            products: Vec::new(),
        }
    }

    /// Whether the version is `wanted` or newer; `None` if unknown.
    pub fn at_least(&self, wanted: &str) -> Option<bool> {
        version::at_least(self.version.as_deref(), wanted)
    }
}

impl<'a> Machine<'a> {
    /// The real computer. `env` should already have the login shell's overrides ([`LoginShell::overlay`]); `login` provides
    /// the PATH.
    pub fn new(env: &'a Env, login: &LoginShell) -> Self {
        let root = PathBuf::from("/");
        let mut search_path = env.var("PATH").map(folders).unwrap_or_default();
        search_path.extend(login.path());
        search_path.extend(install_places(env, &root));
        Self::with_root(env, root, search_path, true)
    }

    /// A computer with absolute paths below `root`, and programs in `search_path` only.
    pub fn with_root(env: &'a Env, root: PathBuf, search_path: Vec<PathBuf>, may_run: bool) -> Self {
        let mut seen = std::collections::HashSet::new();
        let search_path = search_path.into_iter().filter(|dir| seen.insert(dir.clone())).collect();
        Self { env, search_path, root, may_run, version_cache: BTreeMap::new() }
    }

    /// The first of `names` in the search path; on Windows with program extensions and npm's shims.
    pub fn program(&self, names: &[&str]) -> Option<PathBuf> {
        let endings: &[&str] =
            if self.env.os() == Os::Windows { &[".exe", ".cmd", ".bat", ""] } else { &[""] };
        self.search_path
            .iter()
            .flat_map(|dir| names.iter().map(move |name| (dir, name)))
            .flat_map(|(dir, name)| endings.iter().map(move |ending| dir.join(format!("{name}{ending}"))))
            .find(|path| is_program(path))
    }

    /// An absolute install location, below [`Machine::root`].
    pub fn at_root(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    /// A path below the home folder.
    pub fn in_home(&self, path: &str) -> PathBuf {
        self.env.home_dir().join(path)
    }

    /// Whether `path` exists.
    pub fn exists(&self, path: &Path) -> bool {
        path.exists()
    }

    /// The version of `program`: from its own files, else from what it prints if programs may be started, else from the
    /// cache.
    pub fn version_of(&self, program: &Path) -> Option<String> {
        package_version::version(program)
            .or_else(|| self.may_run.then(|| version::of(program, self.env))?)
            .or_else(|| self.version_cache.get(program).cloned())
    }

    /// The usual detection: a program in the search path, a config folder, an application, in this order of strength. `None`
    /// without any of them.
    pub fn find(
        &self,
        agent: &str,
        programs: &[&str],
        config_dir: PathBuf,
        applications: &[PathBuf],
    ) -> Option<Installation> {
        let mut found = Installation::assumed(agent, config_dir);
        if let Some(program) = self.program(programs) {
            found.version = self.version_of(&program);
            found.evidence.push(Evidence { how: "program".to_owned(), path: program.clone() });
            found.program = Some(program);
        }
        for path in applications.iter().filter(|path| path.exists()) {
            found.evidence.push(Evidence { how: "application".to_owned(), path: path.clone() });
        }
        if found.config_dir.is_dir() {
            found.evidence.push(Evidence { how: "config folder".to_owned(), path: found.config_dir.clone() });
        }
        (!found.evidence.is_empty()).then_some(found)
    }
}

/// Whether the system would start this file; on Unix it must be executable.
fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        path.is_file()
    }
}

/// Folders that installers and package managers use, whether or not PATH has them: a program started from a desktop
/// often doesn't see the user's PATH.
pub fn install_places(env: &Env, root: &Path) -> Vec<PathBuf> {
    let home = env.home_dir();
    let mut places = Vec::new();
    if env.os() == Os::Windows {
        places.push(home.join(".local").join("bin"));
        let roaming = env.path("APPDATA").unwrap_or_else(|| home.join("AppData").join("Roaming"));
        let local = env.path("LOCALAPPDATA").unwrap_or_else(|| home.join("AppData").join("Local"));
        places.push(roaming.join("npm"));
        places.push(local.join("pnpm"));
        places.push(local.join("Microsoft").join("WinGet").join("Links"));
        places.push(home.join("scoop").join("shims"));
        places.extend([home.join(".bun").join("bin"), local.join("Volta").join("bin")]);
        if let Some(nvm) = env.path("NVM_SYMLINK") {
            places.push(nvm);
        }
        return places;
    }
    places.push(home.join(".local/bin"));
    places.extend(
        ["opt/homebrew/bin", "usr/local/bin", "home/linuxbrew/.linuxbrew/bin"].map(|dir| root.join(dir)),
    );
    places.extend(node_versions(
        &env.path("NVM_DIR").unwrap_or_else(|| home.join(".nvm")).join("versions/node"),
        "bin",
    ));
    places.extend(node_versions(&home.join(".local/share/fnm/node-versions"), "installation/bin"));
    places.extend(node_versions(&home.join(".asdf/installs/nodejs"), "bin"));
    places.extend(node_versions(&home.join(".local/share/mise/installs/node"), "bin"));
    places.push(env.path("VOLTA_HOME").unwrap_or_else(|| home.join(".volta")).join("bin"));
    places.push(env.path("BUN_INSTALL").unwrap_or_else(|| home.join(".bun")).join("bin"));
    let pnpm = if env.os() == Os::Mac { "Library/pnpm" } else { ".local/share/pnpm" };
    places.push(env.path("PNPM_HOME").unwrap_or_else(|| home.join(pnpm)));
    places
        .extend([".npm-global/bin", ".npm/bin", ".yarn/bin", ".cargo/bin", "bin"].map(|dir| home.join(dir)));
    places.extend(["usr/bin", "snap/bin", "opt/local/bin"].map(|dir| root.join(dir)));
    places
}

/// `<dir>/<version>/<below>` of every version, newest first.
fn node_versions(dir: &Path, below: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return Vec::new();
    };
    let mut versions: Vec<_> = entries
        .flatten()
        .filter_map(|entry| Some((version::parse(&entry.file_name().to_string_lossy())?, entry.path())))
        .collect();
    versions.sort();
    versions.into_iter().rev().map(|(_, path)| path.join(below)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_node_comes_first() {
        let dir = tempfile::tempdir().unwrap();
        for version in ["v9.1.0", "v22.3.0", "v10.0.0", "not-a-version"] {
            std::fs::create_dir_all(dir.path().join(".nvm/versions/node").join(version).join("bin")).unwrap();
        }
        let env = Env::for_test(dir.path()).with_os(Os::Linux);
        let places = install_places(&env, dir.path());
        let nvm: Vec<_> = places.iter().filter(|place| place.starts_with(dir.path().join(".nvm"))).collect();
        let wanted = ["v22.3.0", "v10.0.0", "v9.1.0"]
            .map(|v| dir.path().join(".nvm/versions/node").join(v).join("bin"));
        assert_eq!(nvm, wanted.iter().collect::<Vec<_>>());
    }

    #[test]
    fn npm_shims_are_programs_on_windows() {
        let dir = tempfile::tempdir().unwrap();
        let npm = dir.path().join("AppData").join("Roaming").join("npm");
        std::fs::create_dir_all(&npm).unwrap();
        let shim = npm.join("codex.cmd");
        std::fs::write(&shim, "@echo off\r\n").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::set_permissions(&shim, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let env = Env::for_test(dir.path()).with_os(Os::Windows);
        let machine =
            Machine::with_root(&env, dir.path().to_path_buf(), install_places(&env, dir.path()), false);
        assert_eq!(machine.program(&["codex"]), Some(shim));
        assert_eq!(machine.program(&["claude"]), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_cannot_be_started_is_not_a_program() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("claude"), "notes about claude").unwrap();
        let env = Env::for_test(dir.path()).with_os(Os::Linux);
        let machine =
            Machine::with_root(&env, dir.path().to_path_buf(), vec![dir.path().to_path_buf()], true);
        assert_eq!(machine.program(&["claude"]), None);
    }
}
