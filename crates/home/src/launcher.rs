//! The stable launcher `bin/plimsoll` that agents' configs name, and the versions behind it.
//!
//! A version is a folder that is written once and never changed, because agents run its binary for days. On Unix the
//! launcher is a symlink that is replaced by renaming, which running processes don't notice. Windows can't replace a
//! running file but can rename it: there the launcher is a copy, and the old one is moved aside and deleted when
//! nobody runs it any longer.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::paths::binary_name;
use crate::{Home, HomeError, Os, io_error, lock, private_dir};

/// The result of an installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The launcher.
    pub launcher: PathBuf,
    /// The binary behind it.
    pub binary: PathBuf,
    /// Whether anything was written.
    pub changed: bool,
}

/// Installs `source` as version `version` and points the launcher at it.
///
/// A folder of that version with other bytes (a developer's own build) isn't overwritten; the new bytes get their own
/// folder, named by their hash.
///
/// # Errors
/// [`HomeError`] with the path; the old launcher then still works.
pub fn install(home: &Home, source: &Path, version: &str) -> Result<Installed, HomeError> {
    home.ensure()?;
    let _lock = lock(home, "launcher", Duration::from_secs(10))?;
    // Before writing: the disk may be full of them.
    sweep_versions(&home.versions_dir());
    let bytes = std::fs::read(source).map_err(io_error(source))?;
    let name = binary_name(Os::current());
    let mut binary = home.versions_dir().join(version).join(name);
    let mut changed = false;
    if std::fs::read(&binary).is_ok_and(|there| there != bytes) {
        let hash = blake3::hash(&bytes).to_hex();
        binary = home.versions_dir().join(format!("{version}-{}", &hash[..8])).join(name);
    }
    // One that is there may have lost its bytes or the right to be started, such as in a copy of the home folder.
    if !is_as_written(&binary, &bytes) {
        write_executable(&binary, &bytes).map_err(io_error(&binary))?;
        changed = true;
    }
    let launcher = home.launcher();
    if !points_at(&launcher, &binary, &bytes) {
        set_launcher(&launcher, &binary, &bytes).map_err(io_error(&launcher))?;
        changed = true;
    }
    sweep(&home.bin_dir());
    Ok(Installed { launcher, binary, changed })
}

/// Whether a version's binary is what would be written, and can be started.
fn is_as_written(binary: &Path, bytes: &[u8]) -> bool {
    can_start(binary) && std::fs::read(binary).is_ok_and(|there| there == bytes)
}

/// Whether a file can be started as a program, as far as its kind and its permissions tell.
pub fn can_start(path: &Path) -> bool {
    let Ok(file) = std::fs::metadata(path) else { return false };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = true;
    file.is_file() && may_run
}

/// Writes an executable file completely or not at all.
fn write_executable(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use io::Write;
    let dir = path.parent().unwrap_or(Path::new("."));
    private_dir(dir)?;
    let mut temp = tempfile::Builder::new().prefix(".plimsoll-").suffix(".tmp").tempfile_in(dir)?;
    temp.write_all(bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        temp.as_file().set_permissions(std::fs::Permissions::from_mode(0o700))?;
    }
    temp.as_file().sync_all()?;
    // Closed before the rename: a file that is open for writing can't be executed.
    temp.into_temp_path().persist(path).map_err(|failed| failed.error)
}

#[cfg(unix)]
fn points_at(launcher: &Path, binary: &Path, _bytes: &[u8]) -> bool {
    std::fs::read_link(launcher)
        .is_ok_and(|link| launcher.parent().is_some_and(|dir| dir.join(link) == binary))
}

#[cfg(not(unix))]
fn points_at(launcher: &Path, _binary: &Path, bytes: &[u8]) -> bool {
    std::fs::read(launcher).is_ok_and(|there| there == bytes)
}

#[cfg(unix)]
fn set_launcher(launcher: &Path, binary: &Path, _bytes: &[u8]) -> io::Result<()> {
    let dir = launcher.parent().unwrap_or(Path::new("."));
    private_dir(dir)?;
    // A relative link survives moving the folder.
    let link = binary.strip_prefix(dir).unwrap_or(binary);
    let temp = dir.join(format!(".plimsoll-{}.tmp", std::process::id()));
    let _ = std::fs::remove_file(&temp);
    std::os::unix::fs::symlink(link, &temp)?;
    std::fs::rename(&temp, launcher).inspect_err(|_| {
        let _ = std::fs::remove_file(&temp);
    })
}

#[cfg(not(unix))]
fn set_launcher(launcher: &Path, _binary: &Path, bytes: &[u8]) -> io::Result<()> {
    let dir = launcher.parent().unwrap_or(Path::new("."));
    private_dir(dir)?;
    if launcher.exists() {
        let aside = (0..1000)
            .map(|n| dir.join(format!("plimsoll.old-{n}.exe")))
            .find(|path| !path.exists())
            .ok_or_else(|| io::Error::other("a thousand old launchers are still running"))?;
        std::fs::rename(launcher, &aside)?;
        return write_executable(launcher, bytes).inspect_err(|_| {
            let _ = std::fs::rename(&aside, launcher);
        });
    }
    write_executable(launcher, bytes)
}

/// Deletes launchers that were moved aside and temporary files of killed installations, if the system allows it.
fn sweep(dir: &Path) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("plimsoll.old-") || name.starts_with(".plimsoll-") {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Deletes the binaries that killed installations left half written in the versions' folders, tens of megabytes each.
/// With the launcher locked, nobody is writing one.
fn sweep_versions(versions: &Path) {
    for version in std::fs::read_dir(versions).into_iter().flatten().flatten() {
        for entry in std::fs::read_dir(version.path()).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(".plimsoll-") && name.ends_with(".tmp") {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> = std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn versions_are_side_by_side_and_the_launcher_follows_the_newest_installed() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("p"));
        let source = dir.path().join("built");
        std::fs::write(&source, b"one").unwrap();
        let first = install(&home, &source, "0.1.0").unwrap();
        assert!(first.changed);
        assert_eq!(std::fs::read(&first.launcher).unwrap(), b"one");
        assert!(!install(&home, &source, "0.1.0").unwrap().changed, "the second time writes nothing");
        std::fs::write(&source, b"two").unwrap();
        install(&home, &source, "0.2.0").unwrap();
        assert_eq!(std::fs::read(home.launcher()).unwrap(), b"two");
        assert_eq!(std::fs::read(&first.binary).unwrap(), b"one", "a version that may run is left alone");
        std::fs::write(&source, b"three").unwrap();
        install(&home, &source, "0.2.0").unwrap();
        assert_eq!(std::fs::read(home.launcher()).unwrap(), b"three");
        assert_eq!(tree(&home.versions_dir()).len(), 3);
    }

    /// A copy of the home folder may lose the right to start a program, and a disk may lose bytes.
    #[test]
    fn a_binary_that_cant_be_started_any_longer_is_written_again() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("p"));
        let source = dir.path().join("built");
        for bytes in [&b"one"[..], b"two"] {
            std::fs::write(&source, bytes).unwrap();
            let first = install(&home, &source, "0.1.0").unwrap();
            assert!(first.changed);
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                std::fs::set_permissions(&first.binary, std::fs::Permissions::from_mode(0o600)).unwrap();
                let again = install(&home, &source, "0.1.0").unwrap();
                assert!(again.changed && again.binary == first.binary);
                assert_eq!(first.binary.metadata().unwrap().permissions().mode() & 0o777, 0o700);
            }
            assert!(!install(&home, &source, "0.1.0").unwrap().changed);
        }
        // The second one's folder is named by its hash, so other bytes there are damage.
        let launched = std::fs::canonicalize(home.launcher()).unwrap();
        std::fs::write(&launched, b"tw").unwrap();
        assert!(install(&home, &source, "0.1.0").unwrap().changed);
        assert_eq!(std::fs::read(home.launcher()).unwrap(), b"two");
        assert_eq!(tree(&home.versions_dir()).len(), 2);
    }

    #[test]
    fn what_a_killed_installation_left_goes_with_the_next_one() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("p"));
        let source = dir.path().join("built");
        std::fs::write(&source, b"one").unwrap();
        let first = install(&home, &source, "0.1.0").unwrap();
        let left = ["0.0.9", "0.1.0", "0.2.0"].map(|version| {
            let folder = home.versions_dir().join(version);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("notes.tmp"), b"not ours").unwrap();
            let left = folder.join(".plimsoll-a1B2c3.tmp");
            std::fs::write(&left, b"half a binary").unwrap();
            left
        });
        assert!(!install(&home, &source, "0.1.0").unwrap().changed);
        for left in left {
            assert!(!left.exists(), "{}", left.display());
            assert!(left.with_file_name("notes.tmp").exists());
        }
        assert_eq!(std::fs::read(&first.binary).unwrap(), b"one");
    }
}
