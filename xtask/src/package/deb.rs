//! The package for Debian, Ubuntu and their kin, packed and checked by their own tools.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::BuiltPackage;
use super::facts::{Facts, gzip, printed};
use super::programs::Programs;
use super::tree::{Tree, files};
use crate::place::Place;
use crate::steps::go;
use crate::system;

pub(crate) fn pack(place: &Place, facts: &Facts, programs: &Programs) -> Result<BuiltPackage> {
    let tree = Tree::lay(place, facts, programs, facts.empty_folder("deb")?)?;
    documents(place, facts, &tree)?;

    let kilobytes: u64 = files(&tree.root)?
        .iter()
        .map(|path| Ok(path.metadata()?.len().div_ceil(1024)))
        .sum::<Result<u64>>()?;
    let arch = printed(Command::new("dpkg").arg("--print-architecture"))?;
    // With a revision, because the package has a life of its own: see the two changelogs.
    let version = format!("{}-1", facts.version);
    let control = facts
        .filled_template(place, "linux/deb/control")?
        .replace(&format!("Version: {}\n", facts.version), &format!("Version: {version}\n"))
        .replace("@ARCH@", &arch)
        .replace("@MAINTAINER@", &facts.maintainer)
        .replace("@KILOBYTES@", &kilobytes.to_string())
        .replace("@DEPENDS@", &libraries(facts, programs)?);
    let sums = printed(
        Command::new("sh")
            .args(["-c", "find usr -type f -print0 | sort -z | xargs -0 md5sum"])
            .current_dir(&tree.root)
            .env("LC_ALL", "C"),
    )?;
    tree.write_file("DEBIAN/control", control.as_bytes(), 0o644)?;
    tree.write_file("DEBIAN/md5sums", format!("{sums}\n").as_bytes(), 0o644)?;
    tree.write_file("DEBIAN/prerm", facts.filled_template(place, "linux/deb/prerm")?.as_bytes(), 0o755)?;
    tree.set_modes_and_times()?;

    let path = facts.out.join(format!("plimsoll_{version}_{arch}.deb"));
    go(Command::new("dpkg-deb")
        .args(["--root-owner-group", "-Zxz", &format!("-z{}", facts.effort), "--build"])
        .arg(&tree.root)
        .arg(&path)
        .env("SOURCE_DATE_EPOCH", facts.epoch.to_string()))?;
    Ok(BuiltPackage { path })
}

/// Copyright, changelogs, and what lintian should ignore.
fn documents(place: &Place, facts: &Facts, tree: &Tree) -> Result<()> {
    let doc = "usr/share/doc/plimsoll";
    let mit = std::fs::read_to_string(place.repo.join("LICENSE-MIT"))?;
    // The licence without its title and holder, as the format wants it: a space before, a dot on empty lines.
    let words: Vec<String> = mit
        .lines()
        .skip_while(|line| !line.starts_with("Permission"))
        .map(|line| if line.is_empty() { " .".to_owned() } else { format!(" {line}") })
        .collect();
    let copyright = facts.filled_template(place, "linux/deb/copyright")?.replace("@MIT@", &words.join("\n"));
    tree.write_file(&format!("{doc}/copyright"), copyright.as_bytes(), 0o644)?;
    let changes = std::fs::read(place.repo.join("CHANGELOG.md"))?;
    gzip(&tree.write_file(&format!("{doc}/changelog"), &changes, 0o644)?)?;
    let packed = format!(
        "plimsoll ({}-1) unstable; urgency=medium\n\n  * Packed from the project's own sources; changelog.gz says what changed.\n\n \
         -- {}  {}\n",
        facts.version,
        facts.maintainer,
        facts.date("%a, %d %b %Y %H:%M:%S %z")?
    );
    gzip(&tree.write_file(&format!("{doc}/changelog.Debian"), packed.as_bytes(), 0o644)?)?;
    let overrides = facts.filled_template(place, "linux/deb/lintian-overrides")?;
    tree.write_file("usr/share/lintian/overrides/plimsoll", overrides.as_bytes(), 0o644)?;
    Ok(())
}

/// The packages of the libraries that the programs are linked with, in the versions that their symbols need.
fn libraries(facts: &Facts, programs: &Programs) -> Result<String> {
    let dir = facts.empty_folder("shlibs")?;
    std::fs::create_dir_all(dir.join("debian"))?;
    // dpkg-shlibdeps wants to be in a source package.
    std::fs::write(dir.join("debian/control"), "Source: plimsoll\n\nPackage: plimsoll\nArchitecture: any\n")?;
    let mut command = Command::new("dpkg-shlibdeps");
    for program in [&programs.sidecar, &programs.desktop] {
        command.arg("-e").arg(program);
    }
    let printed = printed(command.arg("-O").current_dir(&dir))?;
    let depends = printed.lines().find_map(|line| line.strip_prefix("shlibs:Depends="));
    depends.map(str::to_owned).with_context(|| format!("dpkg-shlibdeps printed {printed:?}"))
}

/// No errors, and no warning that is not explained in the overrides.
pub(crate) fn lint(package: &Path) -> Result<()> {
    let mut command = Command::new("lintian");
    command.args(["--fail-on", "error,warning", "--tag-display-limit", "0"]);
    if system::is_root() {
        command.arg("--allow-root");
    }
    let status = command.arg(package).status().context("starting lintian")?;
    if !status.success() {
        bail!("lintian found something in {}", package.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    /// lintian's own limit, which it enforces only on a packed deb: after half an hour of tests.
    const LONGEST: usize = 80;

    #[test]
    fn no_line_of_the_description_is_longer_than_lintian_allows() {
        let control = include_str!("../../../installers/linux/deb/control");
        assert!(control.lines().any(|line| line == " ."), "the description has paragraphs");
        let long: Vec<&str> = control.lines().filter(|line| line.len() > LONGEST).collect();
        assert!(long.is_empty(), "longer than {LONGEST} bytes: {long:#?}");
    }
}
