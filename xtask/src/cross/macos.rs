//! macOS: the sidecar is linked for Apple silicon and everything is type-checked; for the disk image both programs are linked for
//! both processors. Nothing can be run.
//!
//! zig is the C compiler and the linker; it brings the system library's list of names, but none of the frameworks.
//! Those that the programs use are in `frameworks/`: lists of names too, by which the linker resolves what the real
//! frameworks contain. What the one Objective-C file among the dependencies needs to know about them is in `headers/`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::toolchain::{Toolchain, logged};
use super::{Line, size, stubs};
use crate::place::{Place, SHIPPED, on_path};
use crate::steps::{Steps, go, say};
use crate::system::{self, Need};

const TARGET: &str = "aarch64-apple-darwin";

/// Both kinds of Mac.
pub(crate) const TARGETS: [&str; 2] = [TARGET, "x86_64-apple-darwin"];

const NEEDS: &[Need] = &[Need {
    programs: &["python3"],
    why: "brings zig, which links for macOS",
    apt: "python3 python3-pip",
    dnf: "python3-pip",
    pacman: "python-pip",
    brew: "python",
    winget: "-",
}];

/// zig as a Python package, and the cargo command that uses it.
const ZIG: &str = "ziglang==0.17.1";
const ZIGBUILD: &str = "0.24.0";

/// The oldest macOS that the programs are to run on.
pub(crate) const OLDEST_MACOS: &str = "11.0";

pub(crate) fn all(
    place: &Place,
    toolchain: &Toolchain,
    yes: bool,
    release: bool,
    steps: &mut Steps,
    table: &mut Vec<Line>,
) -> Result<()> {
    let zig = zig(place, toolchain, yes)?;
    steps.step("macOS: type-check all crates and their tests", || {
        let mut check = place.cargo(&["check"]);
        toolchain.apply(&mut check, TARGET);
        // Nothing is linked, and the desktop's libraries name headers of Apple's that only its own SDK has.
        check.env("CC_aarch64_apple_darwin", no_compiler(toolchain)?).env("SDKROOT", &toolchain.dir).args([
            "--workspace",
            "--lib",
            "--bins",
            "--tests",
        ]);
        let log = toolchain.folder("logs")?.join("macos-check.txt");
        logged(&mut check, &log)?;
        let crates = std::fs::read_dir(place.repo.join("crates"))?.count();
        table.push(Line::new("macOS, crates type-checked with tests", format!("all {crates}, and the rest")));
        Ok(())
    });
    steps.step("macOS: link the sidecar", || {
        let mut build = zigbuild(place, toolchain, &zig, "zigbuild", TARGET)?;
        build.args(["--package", "plimsoll"]);
        if release {
            build.args(["--profile", SHIPPED]);
        }
        logged(&mut build, &toolchain.folder("logs")?.join("macos-link.txt"))?;
        let program = toolchain.output(TARGET, release).join("plimsoll");
        let head = std::fs::read(&program)?;
        // Mach-O, 64 bits; the processor is ARM64; the file is a program.
        ensure!(
            head.starts_with(&[0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1]),
            "this isn't a program for Apple silicon"
        );
        let profile = if release { "as it ships" } else { "debug" };
        table.push(Line::new(
            format!("macOS, plimsoll ({profile})"),
            format!("{}, Mach-O arm64", size(&program)?),
        ));
        Ok(())
    });
    Ok(())
}

/// A C compiler for a check of types: it leaves empty objects behind.
fn no_compiler(toolchain: &Toolchain) -> Result<PathBuf> {
    let program = toolchain.folder("no-compiler")?.join("cc");
    let script = r#"#!/bin/sh
# Asked who it is, it is like gcc.
for word; do
  case "$word" in
    -E) echo '#pragma message "gcc"'; exit 0 ;;
    '-?') exit 1 ;;
  esac
done
while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then : > "$2"; fi
  shift
done
"#;
    std::fs::write(&program, script)?;
    go(Command::new("chmod").arg("755").arg(&program))?;
    Ok(program)
}

/// Installs zig and cargo-zigbuild into the cache; returns the path of zig.
pub(crate) fn zig(place: &Place, toolchain: &Toolchain, yes: bool) -> Result<PathBuf> {
    system::ensure(&NEEDS.iter().collect::<Vec<_>>(), yes)?;
    let dir = toolchain.dir.join("zig");
    let zig = dir.join("ziglang/zig");
    let stamp = toolchain.dir.join("zig.stamp");
    if std::fs::read_to_string(&stamp).is_ok_and(|there| there == ZIG) {
        return zigbuild_is_there(place).map(|()| zig);
    }
    say(&format!("{ZIG} links for macOS; it goes into {}", dir.display()));
    let _ = std::fs::remove_dir_all(&dir);
    let python = on_path("python3").context("python3 was not found")?;
    go(Command::new(python)
        .args(["-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:", "--target"])
        .arg(&dir)
        .arg(ZIG))?;
    ensure!(zig.exists(), "{ZIG} has no zig");
    std::fs::write(stamp, ZIG)?;
    zigbuild_is_there(place).map(|()| zig)
}

fn zigbuild_is_there(place: &Place) -> Result<()> {
    if place.tools().join("bin/cargo-zigbuild").exists() {
        return Ok(());
    }
    say(&format!("cargo-zigbuild {ZIGBUILD} drives zig; it is built once, into {}", place.tools().display()));
    let mut install = place.cargo(&["install", "--locked", "--no-default-features", "--root"]);
    install
        .arg(place.tools())
        .args(["--version", ZIGBUILD, "cargo-zigbuild"])
        .env("CARGO_TARGET_DIR", place.cache.join("tools-build"));
    go(&mut install)
}

/// A command that builds for `target`: `zigbuild`, or `rustc`, which takes more arguments for the program itself.
pub(crate) fn zigbuild(
    place: &Place,
    toolchain: &Toolchain,
    zig: &Path,
    command: &str,
    target: &str,
) -> Result<Command> {
    // Cargo knows only one of its commands, so it is called itself, with cargo's surroundings.
    let mut cargo = Command::new(place.tools().join("bin/cargo-zigbuild"));
    cargo.arg(command).current_dir(&place.repo);
    for (name, value) in place.cargo(&[]).get_envs() {
        match value {
            Some(value) => cargo.env(name, value),
            None => cargo.env_remove(name),
        };
    }
    toolchain.apply(&mut cargo, target);
    let here = place.repo.join("xtask/src/cross");
    let (frameworks, headers) = (here.join("frameworks"), here.join("headers"));
    let stubs = toolchain.folder("stubs")?;
    stubs::write(&stubs)?;
    let name = target.replace('-', "_");
    cargo
        .env("CARGO_ZIGBUILD_ZIG_PATH", zig)
        .env("CARGO_ZIGBUILD_CACHE_DIR", toolchain.folder("zigbuild")?)
        .env("ZIG_GLOBAL_CACHE_DIR", toolchain.folder("zig-cache")?)
        .env("MACOSX_DEPLOYMENT_TARGET", OLDEST_MACOS)
        // zig looks for mistakes of C while a program runs, with functions that no Mac has.
        .env(format!("CFLAGS_{name}"), format!("-I{} -fno-sanitize=all", headers.display()))
        .env(
            format!("CARGO_TARGET_{}_RUSTFLAGS", name.to_uppercase()),
            format!("-Lframework={} -Lframework={1} -Lnative={1}", frameworks.display(), stubs.display()),
        );
    // Stripping takes a tool that knows this format, and there is none here.
    for profile in ["dev", SHIPPED] {
        cargo.args(["--config", &format!("profile.{profile}.strip=\"none\"")]);
    }
    Ok(cargo)
}
