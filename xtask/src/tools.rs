//! Cargo tools and npm packages that the checks need, pinned, installed once into the cache.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::place::{Place, on_path};
use crate::steps::{go, say};

/// A cargo tool, its pinned version, and what it is for.
const TOOLS: &[(&str, &str, &str)] = &[
    ("cargo-nextest", "0.9.143", "runs the tests"),
    ("cargo-deny", "0.20.2", "checks licences and sources of dependencies"),
    ("cargo-machete", "0.9.2", "finds dependencies that nobody uses"),
];

/// Installs the cargo tools that are missing.
pub(crate) fn ensure(place: &Place) -> Result<()> {
    TOOLS.iter().try_for_each(|(name, version, why)| install(place, name, name, version, why))
}

/// The program that signs for macOS, as Apple's own does.
pub(crate) fn signer(place: &Place) -> Result<PathBuf> {
    install(place, "apple-codesign", "rcodesign", "0.29.0", "signs programs for macOS")?;
    Ok(on_path("rcodesign").unwrap_or_else(|| place.tools().join("bin/rcodesign")))
}

/// The language server of Rust: that of the toolchain, else the newest that this toolchain can build.
pub(crate) fn rust_analyzer(place: &Place) -> Result<PathBuf> {
    let name = "rust-analyzer";
    let works = |program: &PathBuf| {
        Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    // rustup has a program of that name whether the component is there or not.
    if let Some(there) = on_path(name).filter(works) {
        return Ok(there);
    }
    let built = place.tools().join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !built.exists() {
        build(place, "ra_ap_rust-analyzer", "0.0.330", "knows who uses what in Rust", &[])?;
    }
    Ok(built)
}

/// Builds the program `name` of a package, unless it is there.
fn install(place: &Place, package: &str, name: &str, version: &str, why: &str) -> Result<()> {
    let installed = place.tools().join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if installed.exists() || on_path(name).is_some() {
        return Ok(());
    }
    // The servers that some of them can speak to aren't needed.
    build(place, package, version, why, if package == name { &[] } else { &["--no-default-features"] })
}

fn build(place: &Place, package: &str, version: &str, why: &str, features: &[&str]) -> Result<()> {
    say(&format!("{package} {version} {why}; it is built once, into {}", place.tools().display()));
    let mut install = place.cargo(&["install", "--locked", "--root"]);
    install
        .arg(place.tools())
        .args(["--version", version, package])
        .env("CARGO_TARGET_DIR", place.cache.join("tools-build"));
    // They run for seconds; with their authors' optimisation they would take minutes more to build.
    for (setting, value) in [("OPT_LEVEL", "1"), ("LTO", "off"), ("CODEGEN_UNITS", "16"), ("DEBUG", "0")] {
        install.env(format!("CARGO_PROFILE_RELEASE_{setting}"), value);
    }
    go(install.args(features))
}

/// Installs npm packages, pinned and without their scripts, into a folder of the cache; returns the folder.
/// A stamp file marks an installation as complete, so that an interrupted one is repeated.
pub(crate) fn npm(place: &Place, folder: &str, packages: &[&str]) -> Result<PathBuf> {
    let dir = place.cache.join(folder);
    let stamp = dir.join("installed");
    let wanted = packages.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) {
        return Ok(dir);
    }
    say(&format!("installing {} into {}", packages.join(" "), dir.display()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir)?;
    std::fs::write(dir.join("package.json"), "{\"private\":true}")?;
    let npm = on_path("npm").context("npm was not found; install Node.js")?;
    let mut command = Command::new(npm);
    command.args([
        "install",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        "--save-exact",
    ]);
    command.args(packages).current_dir(&dir);
    go(&mut command)?;
    std::fs::write(stamp, wanted)?;
    Ok(dir)
}

/// basic-memory, and the certificates that replace the ones it requires: those don't exist, which only uv can override.
const BASIC_MEMORY: (&str, &str) = ("basic-memory==0.24.1", "certifi==2026.10.18");

/// Installs basic-memory into a folder of the cache; returns its program.
pub(crate) fn basic_memory(place: &Place) -> Result<PathBuf> {
    let (package, certificates) = BASIC_MEMORY;
    uv(
        place,
        &Wheel { folder: "basic-memory", package, python: ">=3.12", program: "bm", overrides: certificates },
    )
}

/// A code search that also works without a model.
const SEMBLE: &str = "semble==0.7.0";

/// Installs semble into a folder of the cache; returns the Python that knows it.
pub(crate) fn semble(place: &Place) -> Result<PathBuf> {
    uv(
        place,
        &Wheel { folder: "semble", package: SEMBLE, python: ">=3.10", program: "python", overrides: "" },
    )
}

/// A package of PyPI: the folder of the cache for it, the Python that it needs, which of its programs is wanted, and versions
/// that it would refuse but works with.
struct Wheel {
    folder: &'static str,
    package: &'static str,
    python: &'static str,
    program: &'static str,
    overrides: &'static str,
}

/// Installs a package with uv, unless it's there; returns its program.
fn uv(place: &Place, wheel: &Wheel) -> Result<PathBuf> {
    let dir = place.cache.join(wheel.folder);
    let programs = dir.join("venv").join(if cfg!(windows) { "Scripts" } else { "bin" });
    let named = |name: &str| programs.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let program = named(wheel.program);
    let stamp = dir.join("installed");
    if std::fs::read_to_string(&stamp).is_ok_and(|there| there == wheel.package) && program.is_file() {
        return Ok(program);
    }
    let uv = on_path("uv").context("uv was not found, which installs it")?;
    say(&format!("installing {} into {}", wheel.package, dir.display()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir)?;
    std::fs::write(dir.join("overrides.txt"), wheel.overrides)?;
    let venv = ["venv", "--quiet", "--no-python-downloads", "--python", wheel.python, "venv"];
    go(Command::new(&uv).args(venv).current_dir(&dir))?;
    go(Command::new(&uv)
        .args(["pip", "install", "--quiet", "--override", "overrides.txt", "--python"])
        .arg(named("python"))
        .arg(wheel.package)
        .current_dir(&dir))?;
    std::fs::write(stamp, wheel.package)?;
    Ok(program)
}

/// A PostgreSQL with pgvector, which Debian doesn't have for its own. The wheel is for one version of Python, but its
/// programs run without any.
const POSTGRES: &str = "pgserver==0.1.4";

/// Unpacks a PostgreSQL with pgvector into a folder of the cache; returns the folder.
pub(crate) fn postgres_with_vectors(place: &Place) -> Result<PathBuf> {
    let dir = place.cache.join("postgres-vectors");
    let stamp = dir.join("installed");
    if std::fs::read_to_string(&stamp).is_ok_and(|there| there == POSTGRES) {
        return Ok(dir);
    }
    say(&format!("unpacking {POSTGRES}, a PostgreSQL with pgvector, into {}", dir.display()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir)?;
    let python = on_path("python3").context("python3 was not found")?;
    go(Command::new(&python)
        .args([
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--only-binary=:all:",
            "--python-version=3.11",
        ])
        .args(["--implementation=cp", "--platform=manylinux2014_x86_64", POSTGRES])
        .current_dir(&dir))?;
    let wheel = std::fs::read_dir(&dir)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .with_context(|| format!("{POSTGRES} brought no wheel"))?;
    go(Command::new(python).args(["-m", "zipfile", "-e"]).arg(&wheel).arg(&dir))?;
    std::fs::remove_file(wheel)?;
    // Unpacking leaves the right to run them behind.
    go(Command::new("chmod").args(["-R", "a+x"]).arg(dir.join("pgserver/pginstall/bin")))?;
    std::fs::write(stamp, POSTGRES)?;
    Ok(dir)
}
