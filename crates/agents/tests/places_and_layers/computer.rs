//! A computer described by its files and variables, and what an agent finds, gets and forbids on it.

use std::path::{Path, PathBuf};

use home::{Env, Os};
use plimsoll_agents::{Agent, EntryContext, Installation, Level, Machine, Parts, Scope, by_id};
use rules::Decision;

pub(crate) struct Computer {
    dir: tempfile::TempDir,
    pub(crate) os: Os,
    pub(crate) vars: Vec<(&'static str, PathBuf)>,
}

impl Computer {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let computer = Self { dir: tempfile::tempdir().unwrap(), os: Os::Linux, vars: Vec::new() };
        for (path, text) in files {
            let path = computer.path(path);
            if text == &"<dir>" {
                std::fs::create_dir_all(path).unwrap();
                continue;
            }
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            #[cfg(unix)]
            if text.starts_with("#!") {
                use std::os::unix::fs::PermissionsExt as _;
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
        computer
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub(crate) fn env(&self) -> Env {
        let env = Env::for_test(self.path("home")).with_os(self.os);
        self.vars.iter().fold(env, |env, (name, value)| env.with(name, value))
    }

    fn with<T>(&self, work: impl FnOnce(&Machine<'_>) -> T) -> T {
        let env = self.env();
        work(&Machine::with_root(&env, self.path("root"), vec![self.path("bin")], true))
    }

    pub(crate) fn detect(&self, id: &str) -> Option<Installation> {
        self.with(|machine| agent(id).detect(machine))
    }

    /// The paths that `connect` would write, below the scratch folder.
    pub(crate) fn files(&self, id: &str, found: &Installation, scope: &Scope) -> Vec<String> {
        let env = self.env();
        let launcher = self.path("home/.plimsoll/bin/plimsoll");
        let parts = Parts::default();
        let files = agent(id).files(&EntryContext {
            launcher: &launcher,
            scope,
            installation: found,
            parts,
            env: &env,
        });
        files.iter().map(|file| self.display(&file.path)).collect()
    }

    fn display(&self, path: &Path) -> String {
        path.strip_prefix(self.dir.path()).unwrap_or(path).to_string_lossy().replace('\\', "/")
    }

    pub(crate) fn findings(&self, id: &str) -> Vec<(Level, String)> {
        self.with(|machine| {
            let found =
                agent(id).detect(machine).unwrap_or_else(|| agent(id).assumed_installation(machine.env));
            let project = self.path("project");
            let findings = agent(id).findings(machine, &found, Some(&project));
            let root = format!("{}{}", self.dir.path().display(), std::path::MAIN_SEPARATOR);
            findings
                .into_iter()
                .map(|finding| (finding.level, finding.what.text().replace(&root, "")))
                .collect()
        })
    }

    pub(crate) fn command(&self, id: &str, command: &str) -> &'static str {
        let rules = agent(id).rules(&self.env(), &self.path("project"));
        printed(&rules.command(command, &self.path("project"), &self.path("home")))
    }

    /// The reason why a command is denied.
    pub(crate) fn why(&self, id: &str, command: &str) -> String {
        let rules = agent(id).rules(&self.env(), &self.path("project"));
        match rules.command(command, &self.path("project"), &self.path("home")) {
            Decision::Deny(hit) => hit.to_string(),
            other => format!("{other:?}"),
        }
    }

    pub(crate) fn read(&self, id: &str, path: &str) -> &'static str {
        let rules = agent(id).rules(&self.env(), &self.path("project"));
        printed(&rules.read(&self.path(path), &self.path("project"), &self.path("home")))
    }

    pub(crate) fn fetch(&self, id: &str, host: &str) -> &'static str {
        printed(&agent(id).rules(&self.env(), &self.path("project")).fetch(host))
    }
}

pub(crate) fn agent(id: &str) -> &'static dyn Agent {
    by_id(id).unwrap()
}

fn printed(decision: &Decision) -> &'static str {
    match decision {
        Decision::NoRule => "none",
        Decision::Allow(_) => "allow",
        Decision::Unknown(_) => "unknown",
        Decision::Ask(_) => "ask",
        Decision::Deny(_) => "deny",
    }
}
