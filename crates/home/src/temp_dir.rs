//! Private temporary folders: only the user can enter them, and what a killed process left goes with the next one. Doesn't know what
//! is in them.

use std::path::Path;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

/// Nothing that works in one takes that long: an older one was left by a process that was killed.
const LEFT_BEHIND: Duration = Duration::from_secs(3_600);

/// A new folder in the system's temporary folder that only the user can enter; its name begins with `prefix`. Without that, everybody
/// on the computer could read what is copied there. Older folders of this prefix are removed first: a copy of something private isn't
/// there for ever because its process was killed.
///
/// # Errors
/// The operating system's error.
pub fn private_temp_dir(prefix: &str) -> std::io::Result<TempDir> {
    remove_left_behind(&std::env::temp_dir(), prefix, SystemTime::now());
    let mut made = tempfile::Builder::new();
    made.prefix(prefix);
    #[cfg(unix)]
    made.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    made.tempdir()
}

/// Removes folders that killed processes left. Those of others can't be removed.
fn remove_left_behind(folder: &Path, prefix: &str, now: SystemTime) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_one = entry.file_name().to_string_lossy().starts_with(prefix);
        // A link isn't followed.
        let Some(meta) = is_one.then(|| entry.metadata().ok()).flatten() else { continue };
        let age = meta.modified().ok().and_then(|at| now.duration_since(at).ok());
        if meta.is_dir() && age.is_some_and(|age| age > LEFT_BEHIND) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn only_the_user_can_enter_it() {
        let dir = private_temp_dir("plimsoll-test-").unwrap();
        assert_eq!(dir.path().metadata().unwrap().permissions().mode() & 0o777, 0o700);
        assert!(dir.path().file_name().unwrap().to_string_lossy().starts_with("plimsoll-test-"));
    }

    #[test]
    fn the_next_one_removes_what_killed_processes_left() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["plimsoll-preview-a", "plimsoll-b"] {
            std::fs::create_dir(dir.path().join(name)).unwrap();
            std::fs::write(dir.path().join(name).join("memory.db"), "x").unwrap();
        }
        std::os::unix::fs::symlink(dir.path().join("plimsoll-b"), dir.path().join("plimsoll-preview-link"))
            .unwrap();
        let names = || {
            let all = std::fs::read_dir(dir.path()).unwrap().flatten();
            let mut all: Vec<String> =
                all.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            all.sort();
            all
        };
        remove_left_behind(dir.path(), "plimsoll-preview-", SystemTime::now());
        assert_eq!(names().len(), 3, "one that is in use stays");
        remove_left_behind(dir.path(), "plimsoll-preview-", SystemTime::now() + LEFT_BEHIND * 2);
        assert_eq!(names(), ["plimsoll-b", "plimsoll-preview-link"]);
        assert!(dir.path().join("plimsoll-b/memory.db").exists());
    }
}
