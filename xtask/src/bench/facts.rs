//! Prepares the bench of facts: tools that also shorten outputs, and packages that commands are run in. Anything
//! unavailable is left out, with a message.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::place::Place;
use crate::steps::{go, say};
use crate::tools;

const SQUEEZ: &str = "1.48.18";
const TOKF: &str = "0.2.54";

/// The packages that commands are run in; several versions of one have names of their own.
const PACKAGES: &[&str] = &[
    "express@5.1.0",
    "express-4@npm:express@4.21.2",
    "lodash@4.17.21",
    "typescript@5.6.3",
    "rxjs@7.8.1",
    "zod@3.23.8",
    "zod-old@npm:zod@3.20.0",
    "axios@1.7.7",
    "axios-old@npm:axios@1.6.0",
    "world-countries@5.0.0",
    "mime-db@1.53.0",
];

/// Passes the available tools and packages on to the bench.
pub(crate) fn prepare(place: &Place, command: &mut Command) {
    match tools::npm(place, "facts-packages", PACKAGES) {
        Ok(packages) => {
            command.arg("--packages").arg(packages.join("node_modules"));
        }
        Err(error) => missing(command, &format!("The packages cannot be installed here: {error:#}")),
    }
    match crate_of(place, "tokf", TOKF) {
        Ok(bin) => {
            let hook = format!("PATH='{}':$PATH tokf hook handle", bin.display());
            command.args(["--hook", &format!("tokf {TOKF}"), &hook]).arg(&bin);
        }
        Err(error) => missing(command, &format!("tokf was not measured: {error:#}")),
    }
    match crate_of(place, "squeez", SQUEEZ).and_then(|bin| Ok((bin, source("squeez", SQUEEZ)?))) {
        Ok((bin, source)) => {
            // Its installer copies this script.
            let script = source.join("hooks/pretooluse.sh");
            let hook = format!("PATH='{}':$PATH bash '{}'", bin.display(), script.display());
            command.args(["--hook", &format!("squeez {SQUEEZ}"), &hook]).arg(&bin);
        }
        Err(error) => missing(command, &format!("squeez was not measured: {error:#}")),
    }
    // It is in no registry, so a variable must name its program and its hook `rtk-rewrite.sh`.
    match std::env::var_os("PLIMSOLL_BENCH_RTK").map(PathBuf::from) {
        Some(folder) if folder.join("rtk-rewrite.sh").exists() => {
            let hook = format!(
                "PATH='{}':$PATH bash '{}'",
                folder.display(),
                folder.join("rtk-rewrite.sh").display()
            );
            command.args(["--hook", "rtk", &hook]).arg(&folder);
        }
        _ => missing(
            command,
            "rtk was not measured: PLIMSOLL_BENCH_RTK names no folder with `rtk` and `rtk-rewrite.sh`",
        ),
    }
}

fn missing(command: &mut Command, why: &str) {
    say(why);
    command.args(["--missing", why]);
}

/// Installs a program from its crate, once; returns the folder it is in.
fn crate_of(place: &Place, name: &str, version: &str) -> Result<PathBuf> {
    let root = place.cache.join("facts-rivals").join(format!("{name}-{version}"));
    let bin = root.join("bin");
    if bin.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)).exists() {
        return Ok(bin);
    }
    say(&format!("{name} {version} is compared with; it is built once, into {}", root.display()));
    let mut install = place.cargo(&["install", "--locked", "--root"]);
    install.arg(&root).args(["--version", version, name]);
    install.env("CARGO_TARGET_DIR", place.cache.join("tools-build"));
    for (setting, value) in [("OPT_LEVEL", "1"), ("LTO", "off"), ("CODEGEN_UNITS", "16"), ("DEBUG", "0")] {
        install.env(format!("CARGO_PROFILE_RELEASE_{setting}"), value);
    }
    go(&mut install)?;
    Ok(bin)
}

/// Where Cargo unpacked a crate.
fn source(name: &str, version: &str) -> Result<PathBuf> {
    let home = match std::env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => PathBuf::from(std::env::var_os("HOME").context("HOME")?).join(".cargo"),
    };
    let registries = home.join("registry/src");
    std::fs::read_dir(&registries)
        .with_context(|| registries.display().to_string())?
        .flatten()
        .map(|registry| registry.path().join(format!("{name}-{version}")))
        .find(|path| Path::is_dir(path))
        .with_context(|| format!("the source of {name} {version} is not in {}", registries.display()))
}
