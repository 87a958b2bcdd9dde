//! `cargo xtask manifest FOLDER`: writes the update manifest of a release, `manifest.json`, from the programs in the folder. Its
//! format, and how it is signed, is in `docs/release-manifest.md`.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, json};

use crate::steps::say;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Writes the manifest.
pub(crate) fn manifest(rest: &[String]) -> Result<()> {
    let [folder] = rest else { bail!("cargo xtask manifest FOLDER") };
    let text = manifest_text(Path::new(folder))?;
    std::fs::write(Path::new(folder).join("manifest.json"), &text)?;
    say(text.trim_end());
    Ok(())
}

/// Programs are recognised by their names, `plimsoll-<version>-<arch>-<os>[.exe]`; everything else is passed over.
fn manifest_text(folder: &Path) -> Result<String> {
    let mut artifacts = Map::new();
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .with_context(|| format!("reading {}", folder.display()))?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_>>()?;
    names.sort();
    for name in names {
        let Some(system) = system_of(&name) else { continue };
        let bytes = std::fs::read(folder.join(&name))?;
        let entry =
            json!({ "url": name, "size": bytes.len(), "blake3": blake3::hash(&bytes).to_hex().as_str() });
        artifacts.insert(system.to_owned(), entry);
    }
    ensure!(!artifacts.is_empty(), "{} has no plimsoll-{VERSION}-<arch>-<os>", folder.display());
    let manifest = json!({ "format": 1, "version": VERSION, "artifacts": artifacts });
    Ok(format!("{}\n", serde_json::to_string_pretty(&manifest)?))
}

/// `x86_64-linux` of `plimsoll-0.1.0-x86_64-linux`.
fn system_of(name: &str) -> Option<&str> {
    let system = name.strip_prefix("plimsoll-")?.strip_prefix(VERSION)?.strip_prefix('-')?;
    let system = system.strip_suffix(".exe").unwrap_or(system);
    let (arch, os) = system.split_once('-')?;
    let known = matches!(arch, "x86_64" | "aarch64") && matches!(os, "linux" | "macos" | "windows");
    known.then_some(system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_distinguished_from_packages() {
        for (name, expected) in [
            ("x86_64-linux", Some("x86_64-linux")),
            ("aarch64-macos", Some("aarch64-macos")),
            ("x86_64-windows.exe", Some("x86_64-windows")),
            ("x64.msi", None),
            ("x64-setup.exe", None),
            ("aarch64.dmg", None),
            ("1.x86_64.rpm", None),
        ] {
            assert_eq!(system_of(&format!("plimsoll-{VERSION}-{name}")), expected, "{name}");
        }
        assert_eq!(system_of("plimsoll-99.0.0-x86_64-linux"), None);
    }
}
