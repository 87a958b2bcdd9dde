//! A compiler that can build its own standard library for other systems, unpacked into the cache.
//!
//! A plain toolchain has only its own system's library, and building the library for another takes its source at
//! exactly the compiler's version. Debian ships such a pair (`rustc-web` and `rust-web-src`, which carries the
//! library's dependencies too). The packages are unpacked, never installed: they conflict with rustup's and Debian's
//! own compilers. The cargo that runs this program drives that compiler with `-Zbuild-std`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::place::{Place, SHIPPED};
use crate::steps::{go, say};
use crate::system;

/// The root packages; those of the compiler's own that they need are found through their dependencies.
const PACKAGES: [&str; 2] = ["rustc-web", "rust-web-src"];

/// Raised when what [`Toolchain::prepare`] leaves behind changes.
const RECIPE: u32 = 1;

/// Where the unpacked compiler is.
pub(crate) struct Toolchain {
    /// Everything of the cross builds.
    pub(crate) dir: PathBuf,
}

impl Toolchain {
    /// Downloads and unpacks what is missing.
    pub(crate) fn prepare(place: &Place, yes: bool) -> Result<Self> {
        let toolchain = Self { dir: place.cache.join("cross") };
        let stamp = toolchain.dir.join("rust.stamp");
        if std::fs::read_to_string(&stamp).is_ok_and(|there| there == RECIPE.to_string()) {
            return Ok(toolchain);
        }
        system::ensure(&system::BUILD.iter().collect::<Vec<_>>(), yes)?;
        say(&format!(
            "The compiler that builds its own library is unpacked into {} (140 MB to download, once)",
            toolchain.dir.display()
        ));
        toolchain.unpack()?;
        std::fs::write(stamp, RECIPE.to_string())?;
        Ok(toolchain)
    }

    fn unpack(&self) -> Result<()> {
        let debs = self.dir.join("debs");
        let rust = self.dir.join("rust");
        for dir in [&debs, &rust] {
            let _ = std::fs::remove_dir_all(dir);
            std::fs::create_dir_all(dir)?;
        }
        let packages = with_dependencies()?;
        let mut download = Command::new("apt-get");
        // apt's own user may not write into the cache.
        download.args(["-q", "-o", "APT::Sandbox::User=root", "download"]).args(&packages).current_dir(&debs);
        go(&mut download)?;
        let mut unpacked = 0;
        for entry in std::fs::read_dir(&debs)? {
            go(Command::new("dpkg").arg("-x").arg(entry?.path()).arg(&rust))?;
            unpacked += 1;
        }
        ensure!(unpacked == packages.len(), "{unpacked} packages came for {}", packages.join(", "));
        std::fs::remove_dir_all(debs)?;
        // Only the library is used; the rest is three quarters of the source.
        for source in std::fs::read_dir(rust.join("usr/src"))? {
            let source = source?.path();
            for unused in ["src", "compiler", "debian"] {
                let _ = std::fs::remove_dir_all(source.join(unused));
            }
        }
        let mut version = Command::new(self.rustc());
        version.arg("--version").env("LD_LIBRARY_PATH", self.libraries());
        go(&mut version)
    }

    fn rustc(&self) -> PathBuf {
        self.dir.join("rust/usr/bin/rustc")
    }

    fn libraries(&self) -> PathBuf {
        self.dir.join("rust/usr/lib/x86_64-linux-gnu")
    }

    /// Cargo's build output of the cross builds.
    pub(crate) fn target(&self) -> PathBuf {
        self.dir.join("target")
    }

    /// Lets a cargo command build for `target` with this compiler, library included.
    pub(crate) fn apply(&self, command: &mut Command, target: &str) {
        command
            .env("RUSTC", self.rustc())
            .env("RUSTDOC", self.dir.join("rust/usr/bin/rustdoc"))
            .env("RUSTC_BOOTSTRAP", "1")
            .env("LD_LIBRARY_PATH", self.libraries())
            .env("CARGO_TARGET_DIR", self.target())
            .args(["--locked", "--target", target, "-Zbuild-std=std,panic_unwind"])
            // Nobody waits for these programs, and nobody debugs them: what counts is the time to build.
            .args(["--config", "profile.dev.package.\"*\".opt-level=0"])
            .args(["--config", "profile.dev.debug=false"]);
    }

    /// The folder of a target's finished programs, as they ship or for developing.
    pub(crate) fn output(&self, target: &str, shipped: bool) -> PathBuf {
        self.target().join(target).join(if shipped { SHIPPED } else { "debug" })
    }

    /// A folder in the cache, made if it isn't there.
    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf> {
        let dir = self.dir.join(name);
        std::fs::create_dir_all(&dir).with_context(|| format!("creating {}", dir.display()))?;
        Ok(dir)
    }
}

/// [`PACKAGES`] and those of the compiler's packages that they need: its library and its code generator. What
/// else they name (gcc, libc) is on every system that builds.
fn with_dependencies() -> Result<Vec<String>> {
    let mut packages: Vec<String> = PACKAGES.iter().map(|&name| name.to_owned()).collect();
    let mut next = 0;
    while let Some(package) = packages.get(next).cloned() {
        next += 1;
        let needed = dependencies(&package)?;
        for name in needed {
            if (name.starts_with("libstd-rust-web") || name.starts_with("libllvm"))
                && !packages.contains(&name)
            {
                packages.push(name);
            }
        }
    }
    if packages.len() < PACKAGES.len() + 2 {
        bail!("the packages of {} changed: only {} were found", PACKAGES[0], packages.join(", "));
    }
    Ok(packages)
}

fn dependencies(package: &str) -> Result<Vec<String>> {
    let output = Command::new("apt-cache")
        .args(["depends", "--no-recommends", "--no-suggests", "--no-conflicts", "--no-breaks"])
        .args(["--no-replaces", "--no-enhances", package])
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(
        output.status.success() && !text.trim().is_empty(),
        "apt knows no package `{package}`; run `apt-get update` first (on Debian it is in the security pocket)"
    );
    Ok(text
        .lines()
        .filter_map(|line| line.trim().trim_start_matches('|').strip_prefix("Depends:"))
        .map(|name| name.trim().to_owned())
        .collect())
}

/// Runs `command` with its output in `log`; an error shows its end.
pub(crate) fn logged(command: &mut Command, log: &Path) -> Result<()> {
    let file = std::fs::File::create(log).with_context(|| format!("creating {}", log.display()))?;
    let status = command.stdout(file.try_clone()?).stderr(file).status()?;
    if status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&std::fs::read(log)?).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let end = lines.get(lines.len().saturating_sub(40)..).unwrap_or_default().join("\n");
    bail!("{end}\n(ended with {status}; all output is in {})", log.display())
}
