//! The repositories that references are measured on, and the language servers that know the truth: published packages
//! at one version each, brought into the cache by the clients of their registries. A failed download
//! is an error with its reason; the bench prints it and continues.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::debian;
use crate::place::{Place, on_path};
use crate::steps::go;
use crate::tools;

/// One repository of the list.
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) from: String,
    inner: String,
    pub(super) developed_on: bool,
}

/// The measured packages, in order.
pub(super) fn list() -> Result<Vec<Package>> {
    let list: Vec<Value> = serde_json::from_str(include_str!("repositories.json"))?;
    let text = |row: &Value, key: &str| row.get(key).and_then(Value::as_str).map(str::to_owned);
    list.iter()
        .map(|row| {
            Some(Package {
                name: text(row, "package")?,
                version: text(row, "version")?,
                from: text(row, "from")?,
                inner: text(row, "inner")?,
                developed_on: row.get("developed_on")?.as_bool()?,
            })
        })
        .collect::<Option<_>>()
        .context("repositories.json: a row lacks a field")
}

impl Package {
    /// The language, and how the editor's protocol calls it.
    pub(super) fn language(&self) -> (&'static str, &'static str) {
        match self.from.as_str() {
            "npm" => ("TypeScript", "typescript"),
            "pypi" => ("Python", "python"),
            "debian" => ("Go", "go"),
            _ => ("Rust", "rust"),
        }
    }

    /// The folder with the sources, fetched unless it is there.
    pub(super) fn sources(&self, cache: &Path) -> Result<PathBuf> {
        let plain = self.name.trim_start_matches('@').replace('/', "-");
        let folder = cache.join(format!("{plain}-{}", self.version));
        let stamp = cache.join(format!("{plain}-{}.there", self.version));
        if !stamp.is_file() {
            let _ = std::fs::remove_dir_all(&folder);
            std::fs::create_dir_all(&folder)?;
            match self.from.as_str() {
                "npm" => self.npm(&folder)?,
                "pypi" => self.pypi(&folder)?,
                "crates" => self.crates(&folder)?,
                "debian" => debian::sources(&self.inner, &self.version, &folder)?,
                other => bail!("there is no registry `{other}`"),
            }
            std::fs::write(&stamp, "")?;
        }
        Ok(if self.from == "debian" { debian::package(&folder, &self.name) } else { folder })
    }

    fn npm(&self, folder: &Path) -> Result<()> {
        let npm = on_path("npm").context("npm was not found; install Node.js")?;
        let wanted = format!("{}@{}", self.name, self.version);
        go(Command::new(npm)
            .args(["pack", "--silent", "--loglevel=error", &wanted])
            .current_dir(folder)
            .stdout(Stdio::null()))?;
        let archive = with_ending(folder, "tgz")?;
        let inner = format!("package/{}", self.inner);
        go(Command::new("tar")
            .arg("xzf")
            .arg(&archive)
            .args(["--strip-components=1", &inner])
            .current_dir(folder))?;
        std::fs::remove_file(archive)?;
        // Its authors' compiler settings aren't published; these include every file.
        let rules = r#"{"compilerOptions": {"target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true, "jsx": "preserve", "allowImportingTsExtensions": true, "noEmit": true, "skipLibCheck": true}, "include": ["**/*"]}"#;
        Ok(std::fs::write(folder.join("tsconfig.json"), rules)?)
    }

    fn pypi(&self, folder: &Path) -> Result<()> {
        let python = python()?;
        let wanted = format!("{}=={}", self.name, self.version);
        go(Command::new(&python)
            .args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", &wanted])
            .current_dir(folder))?;
        let archive = with_ending(folder, "whl")?;
        go(Command::new(&python).args(["-m", "zipfile", "-e"]).arg(&archive).arg(folder))?;
        Ok(std::fs::remove_file(archive)?)
    }

    fn crates(&self, folder: &Path) -> Result<()> {
        let asking = folder.with_extension("asking");
        std::fs::create_dir_all(asking.join("src"))?;
        std::fs::write(asking.join("src/lib.rs"), "")?;
        let manifest = format!(
            "[package]\nname = \"asking\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[dependencies]\n{} = \"={}\"\n[workspace]\n",
            self.name, self.version
        );
        std::fs::write(asking.join("Cargo.toml"), manifest)?;
        let output = Command::new("cargo")
            .args(["metadata", "--format-version", "1"])
            .current_dir(&asking)
            .output()?;
        ensure!(
            output.status.success(),
            "cargo metadata: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
        let found: Value = serde_json::from_slice(&output.stdout)?;
        let there = found.get("packages").and_then(Value::as_array).into_iter().flatten().find(|p| {
            p.get("name").and_then(Value::as_str) == Some(&self.name)
                && p.get("version").and_then(Value::as_str) == Some(&self.version)
        });
        let manifest = there.and_then(|p| p.get("manifest_path")).and_then(Value::as_str);
        let from = Path::new(manifest.context("the registry has no such crate")?);
        copy(from.parent().context("a manifest is in a folder")?, folder)?;
        let mut text = std::fs::read_to_string(folder.join("Cargo.toml"))?;
        // It is a project of its own, wherever the cache is.
        if !text.contains("[workspace]") {
            text.push_str("\n[workspace]\n");
        }
        std::fs::write(folder.join("Cargo.toml"), text)?;
        Ok(std::fs::remove_dir_all(asking)?)
    }

    /// The language server for it, its version, and whether it reports when it has read everything.
    pub(super) fn server(&self, place: &Place, root: &Path) -> Result<(Command, String, bool)> {
        if self.from == "crates" {
            let program = tools::rust_analyzer(place)?;
            let version = version(Command::new(&program).arg("--version"))?;
            return Ok((Command::new(program), version, true));
        }
        if self.from == "debian" {
            return Ok((debian::gopls(root, &self.name)?, "gopls".to_owned(), false));
        }
        let node = on_path("node").context("node was not found; install Node.js")?;
        let mut command = Command::new(node);
        let modules = servers(place)?;
        command.arg(modules.join("pyright/langserver.index.js")).arg("--stdio");
        Ok((command, "pyright 1.1.407".to_owned(), true))
    }
}

/// The folder of npm packages that has TypeScript and pyright.
pub(super) fn servers(place: &Place) -> Result<PathBuf> {
    let packages = ["typescript@5.9.3", "pyright@1.1.407"];
    Ok(tools::npm(place, "references-bench/servers", &packages)?.join("node_modules"))
}

/// A program's report of its version.
fn version(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    ensure!(output.status.success(), "{} ended with {}", command.get_program().display(), output.status);
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn python() -> Result<PathBuf> {
    on_path("python3").or_else(|| on_path("python")).context("python3 was not found; install Python")
}

fn with_ending(folder: &Path, ending: &str) -> Result<PathBuf> {
    let files = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    files
        .into_iter()
        .find(|path| path.extension().is_some_and(|e| e == ending))
        .with_context(|| format!("the registry gave no .{ending}"))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_list_is_whole() {
        let list = super::list().expect("it is read");
        for language in ["TypeScript", "Python", "Rust", "Go"] {
            let of = |blind: bool| {
                list.iter().filter(|p| p.language().0 == language && p.developed_on != blind).count()
            };
            assert!(of(false) > 0 && of(true) > 0, "{language}");
        }
    }
}
