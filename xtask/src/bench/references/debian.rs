//! Modules of Go as Debian packs them: sources of the module and of all that it needs, each under its path in one
//! workspace, where gopls reads them without a network.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::place::on_path;
use crate::steps::go;

/// The folder inside a package that is a workspace of Go.
const WORKSPACE: &str = "usr/share/gocode";

/// Brings `package` at `version`, and its dependencies, into `folder`.
pub(super) fn sources(package: &str, version: &str, folder: &Path) -> Result<()> {
    let apt = on_path("apt-get").context("apt-get was not found; modules of Go are taken from Debian")?;
    let output = Command::new("apt-cache")
        .args(["depends", "--recurse", "--no-suggests", "--no-recommends", "--no-conflicts"])
        .args(["--no-breaks", "--no-replaces", "--no-enhances", package])
        .output()?;
    ensure!(output.status.success(), "apt-cache: {}", String::from_utf8_lossy(&output.stderr).trim());
    let text = String::from_utf8_lossy(&output.stdout);
    let needed = text.lines().filter(|line| line.starts_with("golang-") && line.ends_with("-dev"));
    let needed = needed.filter(|name| *name != package).map(str::to_owned);
    let wanted: Vec<String> = needed.chain([format!("{package}={version}")]).collect();
    go(Command::new(apt)
        .args(["download", "--quiet=2"])
        .args(wanted)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null()))?;
    for entry in std::fs::read_dir(folder)?.flatten().map(|entry| entry.path()) {
        if entry.extension().is_some_and(|ending| ending == "deb") {
            go(Command::new("dpkg-deb").arg("-x").arg(&entry).arg(folder))?;
            std::fs::remove_file(entry)?;
        }
    }
    remove_what_gopls_ignores(folder)
}

/// Removes tests, because gopls doesn't relate what they call to interfaces outside of them, and the folders that Go's
/// tools leave out (`go help packages`).
fn remove_what_gopls_ignores(folder: &Path) -> Result<()> {
    for entry in std::fs::read_dir(folder)?.flatten() {
        let (path, kind) = (entry.path(), entry.file_type()?);
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if kind.is_dir() && (name.starts_with(['_', '.']) || name == "testdata") {
            std::fs::remove_dir_all(path)?;
        } else if kind.is_dir() {
            remove_what_gopls_ignores(&path)?;
        } else if path.to_string_lossy().ends_with("_test.go") {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Where the module `path` is among these sources.
pub(super) fn package(folder: &Path, path: &str) -> PathBuf {
    folder.join(WORKSPACE).join("src").join(path)
}

/// The language server for the module `path` whose sources are in `root`.
pub(super) fn gopls(root: &Path, path: &str) -> Result<Command> {
    let gopls =
        on_path("gopls").context("gopls was not found; on Debian: `apt-get install gopls golang-go`")?;
    let depth = path.split('/').count() + 1;
    let workspace = root.ancestors().nth(depth).context("a module is in a workspace")?;
    let mut command = Command::new(gopls);
    command
        .env("GOPATH", workspace)
        .env("GO111MODULE", "off")
        .env("GOPROXY", "off")
        .env("GOFLAGS", "")
        .env("GOTOOLCHAIN", "local");
    Ok(command)
}
