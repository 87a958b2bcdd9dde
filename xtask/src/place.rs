//! Where things are: the clone, and the cache folder that outlives it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// Everything in the workspace with one set of features: those that tests need are always on. Each build of a run that
/// asks for the same set reuses what the one before it made; another set would build almost everything once more. What
/// ships is built with `--package plimsoll` and has none of them.
pub(crate) const WHOLE: &[&str] =
    &["--workspace", "--locked", "--features", "plimsoll/conformance,plimsoll-commands/typescript"];

/// Cargo's profile of what people download, and the name of its folder: small. Tests take the quicker `release`.
pub(crate) const SHIPPED: &str = "dist";

/// The folders every command works with.
pub(crate) struct Place {
    /// Root of the clone.
    pub(crate) repo: PathBuf,
    /// Cache outside the clone: build output, tools, agents. `PLIMSOLL_DEV_CACHE` moves it.
    pub(crate) cache: PathBuf,
}

impl Place {
    /// Works from any folder, because the manifest's place was compiled in by cargo.
    pub(crate) fn find() -> Result<Self> {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let repo = manifest.parent().context("xtask is in the clone")?.to_owned();
        let cache = match std::env::var_os("PLIMSOLL_DEV_CACHE") {
            Some(cache) => PathBuf::from(cache),
            None => {
                user_cache().context("no cache folder is known: set PLIMSOLL_DEV_CACHE")?.join("plimsoll-dev")
            }
        };
        std::fs::create_dir_all(&cache).with_context(|| format!("creating {}", cache.display()))?;
        Ok(Self { repo, cache })
    }

    /// Cargo's build output.
    pub(crate) fn target(&self) -> PathBuf {
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.cache.join("target"), PathBuf::from)
    }

    /// Cargo tools that `xtask` installs.
    pub(crate) fn tools(&self) -> PathBuf {
        self.cache.join("tools")
    }

    /// A cargo command in the clone, with its output in the cache.
    pub(crate) fn cargo(&self, args: &[&str]) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(args).current_dir(&self.repo).env("CARGO_TARGET_DIR", self.target());
        // Variables of the cargo that runs xtask would leak into builds and invalidate them.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text == "CARGO_MANIFEST_DIR" || text == "CARGO_MANIFEST_PATH"
            {
                command.env_remove(&name);
            }
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut dirs = vec![self.tools().join("bin")];
        dirs.extend(std::env::split_paths(&path));
        if let Ok(joined) = std::env::join_paths(dirs) {
            command.env("PATH", joined);
        }
        command
    }
}

fn user_cache() -> Option<PathBuf> {
    let var = |name| {
        std::env::var_os(name).filter(|value: &std::ffi::OsString| !value.is_empty()).map(PathBuf::from)
    };
    if cfg!(windows) {
        return var("LOCALAPPDATA");
    }
    let home = var("HOME")?;
    Some(if cfg!(target_os = "macos") {
        home.join("Library/Caches")
    } else {
        var("XDG_CACHE_HOME").unwrap_or_else(|| home.join(".cache"))
    })
}

/// The first of `names` on PATH.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let suffixes: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat", ""] } else { &[""] };
    std::env::split_paths(&path)
        .flat_map(|dir| suffixes.iter().map(move |suffix| dir.join(format!("{name}{suffix}"))))
        .find(|path: &PathBuf| Path::is_file(path))
}
