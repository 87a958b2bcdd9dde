//! The package for Fedora, openSUSE and their kin. rpmbuild derives its dependencies from the programs.

use std::process::Command;

use anyhow::{Result, ensure};

use super::BuiltPackage;
use super::facts::{Facts, printed};
use super::programs::Programs;
use super::tree::{Tree, files};
use crate::place::Place;
use crate::steps::go;

pub(crate) fn pack(place: &Place, facts: &Facts, programs: &Programs) -> Result<BuiltPackage> {
    let work = facts.empty_folder("rpm")?;
    let tree = Tree::lay(place, facts, programs, work.join("root"))?;
    // Zsh looks in another folder there.
    std::fs::create_dir_all(tree.root.join("usr/share/zsh/site-functions"))?;
    std::fs::rename(
        tree.root.join("usr/share/zsh/vendor-completions/_plimsoll"),
        tree.root.join("usr/share/zsh/site-functions/_plimsoll"),
    )?;
    std::fs::remove_dir(tree.root.join("usr/share/zsh/vendor-completions"))?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        tree.write_file(
            &format!("usr/share/licenses/plimsoll/{licence}"),
            &std::fs::read(place.repo.join(licence))?,
            0o644,
        )?;
    }
    tree.write_file(
        "usr/share/doc/plimsoll/CHANGELOG.md",
        &std::fs::read(place.repo.join("CHANGELOG.md"))?,
        0o644,
    )?;
    tree.set_modes_and_times()?;

    let mut list =
        vec!["%dir /usr/share/doc/plimsoll".to_owned(), "%dir /usr/share/licenses/plimsoll".to_owned()];
    for path in files(&tree.root)? {
        let path = format!("/{}", path.strip_prefix(&tree.root)?.display());
        let kind = if path.starts_with("/usr/share/licenses/") {
            "%license "
        } else if path.starts_with("/usr/share/doc/") || path.starts_with("/usr/share/man/") {
            "%doc "
        } else {
            ""
        };
        let mode =
            if path.starts_with("/usr/bin/") { "%attr(0755, root, root)" } else { "%attr(0644, root, root)" };
        list.push(format!("{kind}{mode} {path}"));
    }
    let arch = std::env::consts::ARCH;
    let spec = facts
        .filled_template(place, "linux/rpm/plimsoll.spec")?
        .replace("@ARCH@", arch)
        .replace("@ROOT@", &tree.root.to_string_lossy())
        .replace("@FILES@", &list.join("\n"));
    std::fs::write(work.join("plimsoll.spec"), spec)?;
    go(Command::new("rpmbuild")
        .args(["-bb", "--quiet", "--target", arch])
        .args(["--define", &format!("_topdir {}", work.join("top").display())])
        .args(["--define", &format!("_rpmdir {}", work.join("out").display())])
        .arg(work.join("plimsoll.spec"))
        .env("SOURCE_DATE_EPOCH", facts.epoch.to_string()))?;
    let name = format!("plimsoll-{}-1.{arch}.rpm", facts.version);
    let path = facts.out.join(&name);
    std::fs::copy(work.join("out").join(arch).join(&name), &path)?;
    check(&path)?;
    Ok(BuiltPackage { path })
}

/// The package declares what it needs and contains what it is for.
fn check(path: &std::path::Path) -> Result<()> {
    let query =
        |what: &[&str]| printed(Command::new("rpm").args(["--query", "--package"]).args(what).arg(path));
    let needs = query(&["--requires"])?;
    for library in ["libwebkit2gtk-4.1.so.0", "libgtk-3.so.0", "libc.so.6", "hicolor-icon-theme"] {
        ensure!(needs.contains(library), "the package does not say that it needs {library}:\n{needs}");
    }
    let list = query(&["--list"])?;
    for file in [
        "/usr/bin/plimsoll",
        "/usr/bin/plimsoll-desktop",
        "/usr/share/applications/plimsoll-desktop.desktop",
        "/usr/share/metainfo/dev.plimsoll.Plimsoll.metainfo.xml",
        "/usr/share/icons/hicolor/symbolic/apps/plimsoll-symbolic.svg",
        "/usr/share/doc/plimsoll/third-party-licences.txt",
        "/usr/share/licenses/plimsoll/LICENSE-MIT",
    ] {
        ensure!(list.lines().any(|line| line == file), "{file} is missing in the package");
    }
    let scripts = query(&["--scripts"])?;
    ensure!(scripts.contains("uninstall --all"), "removal does not say how to disconnect");
    Ok(())
}
