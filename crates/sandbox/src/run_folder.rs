//! Runs' private folders: one per run, removed at its end, or by the next server if its own was killed.
//!
//! They are in one of Plimsoll's folders ([`root`]). A process keeps its run's folder locked for its lifetime; the
//! system releases the lock however the process ends, so a folder that can be locked is abandoned.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::spill::create_private_dir;

const RUN_PREFIX: &str = "run-";
/// The prefix of folders about to be removed, so that they don't count as runs'.
const REMOVED_PREFIX: &str = "gone-";

/// The folder for runs' folders, in the system's temporary folder. If someone else has taken its name, the temporary folder
/// itself, in which nothing is swept.
pub fn root(temp: &Path) -> PathBuf {
    let root = temp.join(name());
    if is_ours(&root) { root } else { temp.to_owned() }
}

#[cfg(unix)]
fn name() -> String {
    format!("plimsoll-{}", rustix::process::getuid().as_raw())
}

#[cfg(not(unix))]
fn name() -> String {
    "plimsoll-runs".to_owned()
}

/// Whether it is one of Plimsoll's folders, or can become one.
#[cfg(unix)]
fn is_ours(root: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match root.symlink_metadata() {
        Ok(meta) => {
            meta.is_dir() && meta.uid() == rustix::process::getuid().as_raw() && meta.mode() & 0o077 == 0
        }
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

#[cfg(not(unix))]
fn is_ours(root: &Path) -> bool {
    root.is_dir() || !root.exists()
}

/// One run's folder. Dropping it removes the folder, even if a build left read-only folders in it.
#[derive(Debug)]
pub(crate) struct RunFolder {
    dir: Option<TempDir>,
    _held: Option<File>,
}

impl RunFolder {
    /// Creates one in `root`.
    pub(crate) fn new(root: &Path) -> io::Result<RunFolder> {
        let mut last = None;
        // Removing the last run's folder also removes the empty root.
        for _ in 0..8 {
            create_private_dir(root)?;
            match RunFolder::make(root) {
                Ok(folder) => return Ok(folder),
                Err(error) if error.kind() == io::ErrorKind::NotFound => last = Some(error),
                Err(error) => return Err(error),
            }
        }
        Err(last.unwrap_or_else(|| io::ErrorKind::NotFound.into()))
    }

    fn make(root: &Path) -> io::Result<RunFolder> {
        // The lock keeps a sweep away: it must not find the new folder before that is locked.
        let _quiet = try_lock(root, false);
        let mut builder = tempfile::Builder::new();
        builder.prefix(RUN_PREFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(std::fs::Permissions::from_mode(0o700));
        }
        let dir = builder.tempdir_in(root)?;
        let held = try_lock(dir.path(), true);
        Ok(RunFolder { dir: Some(dir), _held: held })
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.as_ref().map_or(Path::new("."), TempDir::path)
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        let Some(dir) = self.dir.take() else { return };
        let path = dir.keep();
        remove(&path);
        if let Some(root) = path.parent().filter(|root| root.ends_with(name())) {
            // Only if it is empty.
            let _ = std::fs::remove_dir(root);
        }
    }
}

/// Removes the folders of runs whose process is gone, and returns how many.
pub fn sweep(root: &Path) -> usize {
    if !root.ends_with(name()) || !root.exists() || !is_ours(root) {
        return 0;
    }
    let mut found = Vec::new();
    {
        let Some(_quiet) = try_lock(root, true) else { return 0 };
        for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let Some(name) = name.to_str() else { continue };
            if let Some(rest) = name.strip_prefix(RUN_PREFIX)
                && is_abandoned(&path)
            {
                let gone = root.join(format!("{REMOVED_PREFIX}{rest}"));
                if std::fs::rename(&path, &gone).is_ok() {
                    found.push(gone);
                }
            } else if name.starts_with(REMOVED_PREFIX) {
                found.push(path);
            }
        }
    }
    found.iter().for_each(|path| remove(path));
    let _ = std::fs::remove_dir(root);
    found.len()
}

/// Whether no living process has the folder locked.
#[cfg(unix)]
fn is_abandoned(path: &Path) -> bool {
    try_lock(path, true).is_some()
}

/// Folders can't be locked here: one that is a day old is abandoned.
#[cfg(not(unix))]
fn is_abandoned(path: &Path) -> bool {
    let written = path.metadata().and_then(|meta| meta.modified()).ok();
    written.and_then(|at| at.elapsed().ok()).is_some_and(|age| age.as_secs() > 86_400)
}

/// Locks a folder, exclusively or shared, if that is possible at once.
#[cfg(unix)]
fn try_lock(path: &Path, alone: bool) -> Option<File> {
    let folder = File::open(path).ok()?;
    let taken = if alone { folder.try_lock().is_ok() } else { folder.lock_shared().is_ok() };
    taken.then_some(folder)
}

#[cfg(not(unix))]
fn try_lock(path: &Path, _alone: bool) -> Option<File> {
    File::open(path).ok()
}

fn remove(path: &Path) {
    if std::fs::remove_dir_all(path).is_ok() {
        return;
    }
    make_writable(path);
    if let Err(error) = std::fs::remove_dir_all(path) {
        log::warn!("the temp folder {} stays behind: {error}", path.display());
    }
}

/// Restores the owner's right to remove what is in each folder below `dir`.
fn make_writable(dir: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let _ = std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o700));
    }
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_writable(&entry.path());
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn names(root: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn what_a_living_process_uses_stays_and_the_rest_goes() {
        let temp = tempfile::tempdir().unwrap();
        let root = root(temp.path());
        let folder = RunFolder::new(&root).unwrap();
        assert_eq!(folder.path().metadata().unwrap().permissions().mode() & 0o777, 0o700);
        for left in ["run-left", "gone-half"] {
            std::fs::create_dir(root.join(left)).unwrap();
            std::fs::write(root.join(left).join("script.sh"), "x").unwrap();
        }
        std::fs::write(root.join("other"), "x").unwrap();
        assert_eq!(sweep(&root), 2);
        let mut left = names(&root);
        left.sort();
        assert_eq!(left, ["other", folder.path().file_name().unwrap().to_str().unwrap()]);
        std::fs::remove_file(root.join("other")).unwrap();
        drop(folder);
        assert!(!root.exists());
        assert_eq!(sweep(&root), 0);
    }

    #[test]
    fn a_folder_that_others_may_enter_is_not_used_and_not_swept() {
        let temp = tempfile::tempdir().unwrap();
        let taken = temp.path().join(name());
        std::fs::create_dir_all(taken.join("run-theirs")).unwrap();
        std::fs::set_permissions(&taken, std::fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(root(temp.path()), temp.path());
        assert_eq!((sweep(&taken), sweep(temp.path())), (0, 0));
        assert!(taken.join("run-theirs").exists());
        std::fs::remove_dir_all(&taken).unwrap();
        std::os::unix::fs::symlink("/", &taken).unwrap();
        assert_eq!((root(temp.path()), sweep(&taken)), (temp.path().to_owned(), 0));
    }
}
