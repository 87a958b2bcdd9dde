//! The login shell's PATH and the variables exported there that an agent would see, which a program started from a desktop
//! doesn't. Asked once per detection, with a time limit; a shell that asks questions, prints banners or hangs costs the limit
//! and nothing else.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use home::{Env, Os};

use crate::probe;

/// The shell's time limit.
pub const LIMIT: Duration = Duration::from_secs(3);

/// Variables that move an agent's configuration, taken over from the login shell.
pub const OVERRIDES: [&str; 12] = [
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "GEMINI_CLI_HOME",
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "OPENCODE_CONFIG",
    "OPENCODE_CONFIG_DIR",
    "COPILOT_HOME",
    "KIRO_HOME",
    "VSCODE_PORTABLE",
    "PLIMSOLL_HOME",
];

/// A login shell's variables, as far as it answered.
#[derive(Debug, Clone, Default)]
pub struct LoginShell {
    vars: BTreeMap<String, String>,
}

impl LoginShell {
    /// Asks the shell in `SHELL`. Windows has no login shells: its desktop programs see the same variables.
    pub fn ask(env: &Env, limit: Duration) -> Self {
        if env.os() == Os::Windows {
            return Self::default();
        }
        let shell =
            env.path("SHELL").filter(|shell| shell.is_absolute()).unwrap_or_else(|| PathBuf::from("/bin/sh"));
        let vars: Vec<(OsString, OsString)> =
            env.vars().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        match probe::query(&shell, &["-lic", "command env -0"], &vars, limit) {
            Ok(answer) => Self::parse(&answer),
            Err(error) => {
                log::info!("no login PATH: {error}");
                Self::default()
            }
        }
    }

    /// Parses the output of `env -0`. A banner may precede the first variable.
    pub fn parse(answer: &[u8]) -> Self {
        let text = String::from_utf8_lossy(answer);
        let mut vars = BTreeMap::new();
        for (index, item) in text.split('\0').enumerate() {
            let item = if index == 0 { item.rsplit('\n').next().unwrap_or(item) } else { item };
            if let Some((name, value)) = item.split_once('=')
                && !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            {
                vars.insert(name.to_owned(), value.to_owned());
            }
        }
        Self { vars }
    }

    /// A shell from variables that [`LoginShell::cacheable`] returned.
    pub fn from_variables(vars: BTreeMap<String, String>) -> Self {
        Self { vars }
    }

    /// The variables that may be cached: PATH and the overrides, nothing that may be a secret.
    pub fn cacheable(&self) -> BTreeMap<String, String> {
        let wanted = |name: &str| name == "PATH" || OVERRIDES.contains(&name);
        self.vars
            .iter()
            .filter(|(name, _)| wanted(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// The folders in its PATH.
    pub fn path(&self) -> Vec<PathBuf> {
        self.vars.get("PATH").map(|path| folders(path)).unwrap_or_default()
    }

    /// `env` plus the overrides that only the login shell has.
    pub fn overlay(&self, env: &Env) -> Env {
        OVERRIDES.iter().filter(|name| env.var(name).is_none()).fold(env.clone(), |env, name| {
            match self.vars.get(*name).filter(|value| !value.is_empty()) {
                Some(value) => env.with(name, value),
                None => env,
            }
        })
    }
}

/// The absolute folders in a PATH value.
pub fn folders(path: &str) -> Vec<PathBuf> {
    std::env::split_paths(path).filter(|dir| Path::is_absolute(dir)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // Login shells, and absolute paths that begin with a slash, exist on Unix only.
    #[cfg(unix)]
    #[test]
    fn a_banner_before_the_variables_is_skipped() {
        let shell = LoginShell::parse(
            b"Welcome!\nyou have = mail\nHOME=/h\0PATH=/a:/b:rel\0CODEX_HOME=/c\0MULTI=x\ny\0",
        );
        assert_eq!(shell.path(), [PathBuf::from("/a"), PathBuf::from("/b")]);
        let env = shell.overlay(&Env::for_test("/h"));
        assert_eq!(env.var("CODEX_HOME"), Some("/c"));
        assert_eq!(env.var("MULTI"), None, "only known overrides are taken over");
    }

    #[test]
    fn a_variable_that_is_already_set_wins() {
        let shell = LoginShell::parse(b"CODEX_HOME=/c\0");
        let env = shell.overlay(&Env::for_test("/h").with("CODEX_HOME", "/mine"));
        assert_eq!(env.var("CODEX_HOME"), Some("/mine"));
    }

    #[cfg(unix)]
    #[test]
    fn asks_the_shell_with_a_limit() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            path
        };
        let good =
            write("good", "#!/bin/sh\necho hello\nexec /usr/bin/env -i PATH=/from/login /usr/bin/env -0\n");
        let slow = write("slow", "#!/bin/sh\nsleep 600 & sleep 600\n");
        let env = Env::for_test(dir.path());
        let shell = LoginShell::ask(&env.clone().with("SHELL", &good), Duration::from_secs(20));
        assert_eq!(shell.path(), [PathBuf::from("/from/login")]);
        let shell = LoginShell::ask(&env.clone().with("SHELL", &slow), Duration::from_millis(50));
        assert!(shell.path().is_empty());
        let shell = LoginShell::ask(&env.with("SHELL", "/no/such/shell"), Duration::from_secs(20));
        assert!(shell.path().is_empty());
    }
}
