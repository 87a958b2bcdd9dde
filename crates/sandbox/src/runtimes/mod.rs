//! Finds the program that runs a language. Starts and searches nothing before a language is requested; remembers what it
//! finds and each version that it had to ask for.
//!
//! [`candidates`] has the programs in order of preference, [`install_folders`] the folders besides PATH.

mod candidates;
mod install_folders;
mod versions;

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use crate::{Language, SandboxError};
use versions::Versions;

/// How a program is used; each kind has its own command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each is the name of a program or of a way to use it")]
pub enum RuntimeKind {
    Bun,
    Deno,
    Node,
    /// Node 22.6 to 23.5, which strips types behind a flag.
    NodeStripTypes,
    /// Node 23.6+, which strips types by default.
    NodeTypes,
    /// Any Node with the `typescript` package of the `tsc` on PATH.
    NodeWithTypescript,
    Tsx,
    TsNode,
    Python,
    Bash,
    Sh,
    Ruby,
    Go,
    Rustc,
    Php,
    Perl,
    Rscript,
    Elixir,
    /// .NET SDK 10+: `dotnet run file.cs`.
    Dotnet,
    DotnetScript,
    /// Microsoft's compiler; its programs run directly on Windows, elsewhere with Mono.
    Csc,
    /// Mono's compiler and runtime.
    Mcs,
    Pwsh,
    WindowsPowerShell,
}

/// A program that runs a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runtime {
    /// The language.
    pub language: Language,
    /// How it is used.
    pub kind: RuntimeKind,
    /// Its path.
    pub program: PathBuf,
    /// The second program or file that it needs: Mono for a compiler, the TypeScript library for Node.
    pub companion: Option<PathBuf>,
}

/// One line for `doctor`.
#[derive(Debug, Clone, Serialize)]
pub struct RuntimeInfo {
    /// The language.
    pub language: Language,
    /// The program, if one was found.
    pub program: Option<PathBuf>,
    /// Its version text; `None` if it wasn't found or didn't answer within five seconds.
    pub version: Option<String>,
    /// How to install it, if it wasn't found.
    pub install: Option<String>,
}

/// Finds runtimes lazily. Cheap to create; one per server.
#[derive(Debug)]
pub struct Runtimes {
    dirs: Vec<PathBuf>,
    found: Mutex<HashMap<Language, Runtime>>,
    versions: Versions,
}

impl Runtimes {
    /// Searches the folders in `path_var` (the value of PATH), then the system's usual ones. `cache_file` keeps versions by path,
    /// size and modification time; without it, each process asks again.
    pub fn new(path_var: Option<&OsStr>, cache_file: Option<PathBuf>) -> Runtimes {
        let mut dirs: Vec<PathBuf> =
            path_var.map(|value| std::env::split_paths(value).collect()).unwrap_or_default();
        // A relative entry would find another program in each project.
        dirs.retain(|dir| dir.is_absolute());
        dirs.extend(install_folders::system_folders());
        Runtimes { dirs, found: Mutex::default(), versions: Versions::cached_in(cache_file) }
    }

    /// Searches last where installers put programs below the user's home: an agent started from a desktop often has a PATH
    /// without these folders.
    #[must_use]
    pub fn with_home(mut self, home: &Path) -> Runtimes {
        self.dirs.extend(install_folders::home_folders(home));
        self
    }

    /// The best runtime for `language`. Searches again if the known one is gone, or as long as there is none.
    ///
    /// # Errors
    /// [`SandboxError::NoRuntime`], which says how to install one.
    pub fn find(&self, language: Language) -> Result<Runtime, SandboxError> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(runtime) = found.get(&language).filter(|known| known.program.exists()) {
            return Ok(runtime.clone());
        }
        let runtime = candidates::of_language(language)
            .iter()
            .find_map(|candidate| candidate.find(language, self))
            .ok_or_else(|| SandboxError::NoRuntime {
                language: language.to_string(),
                looked_for: candidates::names(language),
                install: candidates::install(language),
            })?;
        found.insert(language, runtime.clone());
        Ok(runtime)
    }

    /// Every language with its program and version. Starts each program of unknown version once, all at the same time, for at
    /// most five seconds.
    pub fn report(&self) -> Vec<RuntimeInfo> {
        let found: Vec<_> = Language::ALL.map(|l| (l, self.find(l))).into_iter().collect();
        let versions: Vec<Option<String>> = std::thread::scope(|scope| {
            let asked: Vec<_> = found
                .iter()
                .map(|(_, runtime)| {
                    let runtime = runtime.as_ref().ok();
                    scope.spawn(move || runtime.and_then(|r| self.version_text(r.kind, &r.program)))
                })
                .collect();
            asked.into_iter().map(|thread| thread.join().ok().flatten()).collect()
        });
        found
            .into_iter()
            .zip(versions)
            .map(|((language, runtime), version)| RuntimeInfo {
                language,
                install: runtime.is_err().then(|| candidates::install(language)),
                program: runtime.ok().map(|r| r.program),
                version,
            })
            .collect()
    }

    /// The program's version text, on one line.
    pub(crate) fn version_text(&self, kind: RuntimeKind, program: &Path) -> Option<String> {
        self.versions.of(program, candidates::version_args(kind))
    }

    /// The version's first two numbers.
    pub(crate) fn version(&self, kind: RuntimeKind, program: &Path) -> Option<(u32, u32)> {
        versions::major_minor(&self.version_text(kind, program)?)
    }

    /// The first program of that name, in folder order. `accept` may reject one.
    pub(crate) fn program(&self, name: &str, accept: impl Fn(&Path) -> bool) -> Option<PathBuf> {
        let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat"] } else { &[""] };
        self.dirs
            .iter()
            .flat_map(|dir| endings.iter().map(move |ending| dir.join(format!("{name}{ending}"))))
            .find(|path| is_program(path) && accept(path))
    }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

/// The Microsoft Store leaves empty files named python.exe that only open the Store.
#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() > 0)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn program(dir: &Path, name: &str, says: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = dir.join(name);
        std::fs::write(&path, format!("#!/bin/sh\necho '{says}'\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn only_in(dir: &Path) -> Runtimes {
        let mut runtimes = Runtimes::new(Some(dir.as_os_str()), None);
        runtimes.dirs.truncate(1);
        runtimes
    }

    #[test]
    fn bun_and_deno_go_before_node_and_old_node_runs_no_typescript() {
        let dir = tempfile::tempdir().unwrap();
        program(dir.path(), "node", "v20.1.0");
        let kind = |language| only_in(dir.path()).find(language).map(|r| r.kind).ok();
        assert_eq!(kind(Language::JavaScript), Some(RuntimeKind::Node));
        assert_eq!(kind(Language::TypeScript), None);
        let message = only_in(dir.path()).find(Language::TypeScript).unwrap_err().to_string();
        assert!(message.contains("bun") && message.contains("22.6"), "{message}");

        program(dir.path(), "node", "v22.11.0");
        assert_eq!(kind(Language::TypeScript), Some(RuntimeKind::NodeStripTypes));
        program(dir.path(), "node", "v24.0.1");
        assert_eq!(kind(Language::TypeScript), Some(RuntimeKind::NodeTypes));
        program(dir.path(), "deno", "deno 2.5.0 (stable)");
        assert_eq!(kind(Language::TypeScript), Some(RuntimeKind::Deno));
        program(dir.path(), "bun", "1.3.0");
        assert_eq!(kind(Language::JavaScript), Some(RuntimeKind::Bun));
    }

    #[test]
    fn what_is_installed_below_home_is_found_without_a_path() {
        let home = tempfile::tempdir().unwrap();
        for (folder, name, says) in [
            (".nvm/versions/node/v9.11.2/bin", "node", "v9.11.2"),
            (".nvm/versions/node/v24.0.1/bin", "node", "v24.0.1"),
            (".rbenv/shims", "ruby", "ruby 3.3.0"),
        ] {
            std::fs::create_dir_all(home.path().join(folder)).unwrap();
            program(&home.path().join(folder), name, says);
        }
        let mut runtimes = Runtimes::new(None, None).with_home(home.path());
        runtimes.dirs.retain(|dir| dir.starts_with(home.path()));
        let found = |language| runtimes.find(language).unwrap().program;
        assert_eq!(found(Language::JavaScript), home.path().join(".nvm/versions/node/v24.0.1/bin/node"));
        assert_eq!(found(Language::Ruby), home.path().join(".rbenv/shims/ruby"));
    }

    #[test]
    fn a_runtime_installed_later_is_found_without_a_restart() {
        let dir = tempfile::tempdir().unwrap();
        let runtimes = only_in(dir.path());
        assert!(runtimes.find(Language::Ruby).is_err());
        program(dir.path(), "ruby", "ruby 3.3.0");
        assert_eq!(runtimes.find(Language::Ruby).unwrap().program, dir.path().join("ruby"));
    }

    #[test]
    fn a_version_is_asked_once_and_again_when_the_program_changed() {
        let dir = tempfile::tempdir().unwrap();
        let cache = dir.path().join("cache/versions.json");
        let counter = dir.path().join("count");
        let script = |says: &str| format!("{says}'; echo x >> '{}'; : '", counter.display());
        let ask = || {
            let runtimes = Runtimes::new(Some(dir.path().as_os_str()), Some(cache.clone()));
            runtimes.version(RuntimeKind::Node, &dir.path().join("node"))
        };
        program(dir.path(), "node", &script("v20.1.0"));
        assert_eq!((ask(), ask()), (Some((20, 1)), Some((20, 1))));
        assert_eq!(std::fs::read_to_string(&counter).unwrap().lines().count(), 1);
        program(dir.path(), "node", &script("v22.10.0"));
        assert_eq!(ask(), Some((22, 10)));
        assert_eq!(std::fs::read_to_string(&counter).unwrap().lines().count(), 2);
    }
}
