//! The file behind a path: resolves links, checks kind and permissions, reads the bytes. Never writes.

use crate::Refusal;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Larger files are refused: no agent's settings come near it, and an edit needs several copies in memory.
pub(crate) const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The state of a path.
#[derive(Debug)]
pub(crate) struct TargetState {
    /// The real file, or where it would be.
    pub(crate) target: PathBuf,
    /// `None` without a file.
    pub(crate) bytes: Option<Vec<u8>>,
    /// Whether the path, or a folder in it, is a symbolic link to another file.
    pub(crate) linked: bool,
    /// How many names the file has.
    pub(crate) names: u64,
    pub(crate) read_only: bool,
}

/// Reads a path's state without changing anything.
pub(crate) fn inspect(path: &Path) -> Result<TargetState, Refusal> {
    if path.to_str().is_none() {
        return Err(Refusal::NotUtf8Path);
    }
    // What is written under the name of a folder isn't found under it afterwards.
    let name = path.as_os_str().as_encoded_bytes();
    let last = name.rsplit(|byte| std::path::is_separator(char::from(*byte))).next().unwrap_or_default();
    if matches!(last, b"" | b"." | b"..") {
        return Err(Refusal::NotAFile { found: "a folder".to_owned() });
    }
    let link = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata.is_symlink(),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let target = future_target(path)?;
            return Ok(TargetState { target, bytes: None, linked: false, names: 1, read_only: false });
        }
        Err(error) => return Err(io(&error)),
    };
    let target = dunce::canonicalize(path).map_err(|error| {
        if link && error.kind() == ErrorKind::NotFound { dangling(path) } else { io(&error) }
    })?;
    if target.to_str().is_none() {
        return Err(Refusal::NotUtf8Path);
    }
    let metadata = fs::metadata(&target).map_err(|error| io(&error))?;
    if !metadata.is_file() {
        let found = if metadata.is_dir() { "a folder" } else { "a device, pipe or socket" };
        return Err(Refusal::NotAFile { found: found.to_owned() });
    }
    if metadata.len() > MAX_BYTES {
        return Err(Refusal::TooLarge { bytes: metadata.len(), limit: MAX_BYTES });
    }
    let bytes = fs::read(&target).map_err(|error| io(&error))?;
    let names = names(&metadata);
    Ok(TargetState {
        target,
        bytes: Some(bytes),
        linked: link,
        names,
        read_only: metadata.permissions().readonly(),
    })
}

/// Whether two names are hard links to one file.
pub fn are_hard_links(one: &Path, other: &Path) -> bool {
    identity(one).is_some_and(|file| identity(other) == Some(file))
}

/// Whether a file has hard links besides this name.
pub(crate) fn has_other_names(path: &Path) -> bool {
    identity(path).is_some()
}

/// What tells a file with several names from every other file.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::metadata(path).ok()?;
    (metadata.is_file() && metadata.nlink() > 1).then(|| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}

/// The folders to create for the file, outermost first.
pub(crate) fn missing_folders(target: &Path) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> = target
        .ancestors()
        .skip(1)
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
        .map(Path::to_path_buf)
        .collect();
    missing.reverse();
    missing
}

/// Where a missing file would be: the real path of the nearest existing folder, plus the rest.
fn future_target(path: &Path) -> Result<PathBuf, Refusal> {
    for folder in path.ancestors().skip(1) {
        if folder.as_os_str().is_empty() {
            break;
        }
        match fs::symlink_metadata(folder) {
            Ok(_) => {
                let real = dunce::canonicalize(folder).map_err(|error| match error.kind() {
                    ErrorKind::NotFound => dangling(folder),
                    _ => io(&error),
                })?;
                if !real.is_dir() {
                    return Err(Refusal::NotAFile { found: "below a file".to_owned() });
                }
                let rest = path.strip_prefix(folder).unwrap_or(path);
                return Ok(real.join(rest));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) if error.kind() == ErrorKind::NotADirectory => {}
            Err(error) => return Err(io(&error)),
        }
    }
    Ok(path.to_path_buf())
}

fn dangling(path: &Path) -> Refusal {
    let target = fs::read_link(path).map_or_else(|_| "nothing".to_owned(), |link| link.display().to_string());
    Refusal::DanglingLink { target }
}

fn io(error: &std::io::Error) -> Refusal {
    match error.kind() {
        ErrorKind::NotADirectory => Refusal::NotAFile { found: "below a file".to_owned() },
        // No file can be there, and so no entry.
        ErrorKind::InvalidFilename => {
            Refusal::NotAFile { found: "a name that the system doesn't allow".to_owned() }
        }
        _ if is_circle(error) => Refusal::NotAFile { found: "a link that leads back to itself".to_owned() },
        _ => Refusal::Io { reason: error.to_string() },
    }
}

/// Whether links lead back to themselves.
fn is_circle(error: &std::io::Error) -> bool {
    #[cfg(unix)]
    let circle = rustix::io::Errno::LOOP.raw_os_error();
    // ERROR_CANT_RESOLVE_FILENAME
    #[cfg(not(unix))]
    let circle = 1921;
    error.raw_os_error() == Some(circle)
}

#[cfg(unix)]
fn names(metadata: &Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    metadata.nlink()
}

#[cfg(not(unix))]
fn names(_: &Metadata) -> u64 {
    1
}
