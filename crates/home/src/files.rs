//! Private folders and files: mode 0700 and 0600, written so that a reader never sees half a file. Also reads foreign
//! files safely: a file in a repository may be a pipe without a writer, an endless device, or larger than the memory.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write};
use std::path::Path;

use contract::{LowerError as _, Param, Sentence, joined};

use crate::messages;

/// Creates a folder and its parents; on Unix every folder it creates is private.
///
/// # Errors
/// The operating system's error.
pub fn private_dir(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Why a path can't be one of Plimsoll's folders; `None` if it's a folder, or isn't there yet.
pub(crate) fn folder_problem(path: &Path) -> Option<Sentence> {
    match std::fs::metadata(path) {
        Ok(there) if !there.is_dir() => Some(messages::not_a_folder()),
        Err(_) if path.is_symlink() => Some(messages::link_to_nowhere()),
        _ => None,
    }
}

/// Writes a file completely or not at all: a temporary file beside it, flushed to the disk, then renamed.
///
/// # Errors
/// The operating system's error; the old file is then unchanged.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    private_dir(dir)?;
    // tempfile creates files with mode 0600.
    let mut temp = tempfile::Builder::new().prefix(".plimsoll-").suffix(".tmp").tempfile_in(dir)?;
    temp.write_all(bytes)?;
    temp.as_file().sync_all()?;
    temp.persist(path).map_err(|failed| failed.error)?;
    Ok(())
}

/// Writes a file where the user chose, private and completely or not at all. No folder is made, a link keeps pointing where it
/// does, and what is there already stays unless `replace`.
///
/// # Errors
/// The operating system's error; [`io::ErrorKind::InvalidInput`] for a folder, pipe, socket or device,
/// [`io::ErrorKind::AlreadyExists`] for a file that must stay. Nothing has changed then.
pub fn write_chosen(path: &Path, bytes: &[u8], replace: bool) -> io::Result<()> {
    let path = match path.metadata() {
        Ok(there) if !there.is_file() => return Err(not_regular()),
        Ok(_) if !replace => return Err(io::ErrorKind::AlreadyExists.into()),
        Ok(_) => dunce::canonicalize(path)?,
        // A link to nothing would be replaced by the file.
        Err(_) if path.is_symlink() => return Err(io::Error::other("it is a link to nothing")),
        Err(_) => path.to_path_buf(),
    };
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut temp = tempfile::Builder::new().prefix(".plimsoll-").suffix(".tmp").tempfile_in(dir)?;
    temp.write_all(bytes)?;
    temp.as_file().sync_all()?;
    let written = if replace { temp.persist(&path) } else { temp.persist_noclobber(&path) };
    written.map_err(|failed| failed.error)?;
    Ok(())
}

/// Whether the system makes a folder's files up as they are read, so that they have no end, no size, or an effect.
pub fn is_made_up(path: &Path) -> bool {
    // Files can be kept in shared memory.
    ["/proc", "/sys", "/dev"].iter().any(|top| path.starts_with(top)) && !path.starts_with("/dev/shm")
}

/// Options with which a file that is created is readable by its owner only.
#[cfg(unix)]
pub fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Options with which a file is created: its folder says who may read it.
#[cfg(not(unix))]
pub fn private_options() -> OpenOptions {
    OpenOptions::new()
}

/// Opens a file to append to it; creates it and its folder if needed.
///
/// # Errors
/// The operating system's error.
pub fn open_to_append(path: &Path) -> io::Result<File> {
    let mut options = private_options();
    options.append(true).create(true);
    match (options.open(path), path.parent()) {
        (Err(error), Some(dir)) if error.kind() == io::ErrorKind::NotFound => {
            private_dir(dir)?;
            options.open(path)
        }
        (opened, _) => opened,
    }
}

/// Appends to a file in one write, so that two processes don't write into each other's line. Doesn't wait for the disk:
/// for records that a hook makes while an agent waits.
///
/// # Errors
/// The operating system's error.
pub fn append_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    open_to_append(path)?.write_all(bytes)
}

/// Opens a file for reading if it is a regular file; never blocks on others.
///
/// # Errors
/// The operating system's error; [`io::ErrorKind::InvalidInput`] for a folder, pipe, socket or device, also behind a
/// link.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Checked before opening: opening a device can have effects, and opening a pipe waits for its other end.
    if !path.metadata()?.is_file() {
        return Err(not_regular());
    }
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        // It may have become a pipe since; reading some kernel files blocks.
        let nonblock = rustix::fs::OFlags::NONBLOCK.bits();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nonblock.cast_signed());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
}

/// Reads a foreign file: a regular file of at most `limit` bytes.
///
/// # Errors
/// The operating system's error; [`io::ErrorKind::InvalidInput`] like [`open_regular`],
/// [`io::ErrorKind::FileTooLarge`] for more than `limit` bytes.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let told = file.metadata()?.len();
    if told > limit {
        return Err(too_large(limit));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(told).unwrap_or_default());
    // The reported size may be wrong: kernel files report none, and others grow.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

/// Reads a foreign file as text.
///
/// # Errors
/// Like [`read_regular`]; [`io::ErrorKind::InvalidData`] if it isn't UTF-8.
pub fn read_regular_text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read_regular(path, limit)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it isn't UTF-8"))
}

/// Why a file or folder can't be used, and how to fix that. `path` is how its reader knows it.
pub fn file_problem(path: impl Into<Param>, error: &io::Error) -> Sentence {
    match error.kind() {
        _ if is_missing(error) => messages::not_there(path),
        io::ErrorKind::PermissionDenied => messages::no_access(path),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            joined::also(messages::disk_full(path), messages::free_space())
        }
        _ => joined::about(path, error.message()),
    }
}

/// Whether no file or folder has that name. One that can't be opened or used is there all the same.
pub fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it isn't a regular file")
}

fn too_large(limit: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {limit} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unusable_file_is_named_with_advice() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        std::fs::write(&file, "12345").unwrap();
        for path in [dir.path().join("none"), file.join("below")] {
            let error = read_regular(&path, 5).unwrap_err();
            let told = file_problem("~/a", &error).to_string();
            assert_eq!(told, "there is no ~/a; check its name and its folder", "{error}");
        }
        let denied = file_problem("~/a", &io::ErrorKind::PermissionDenied.into()).to_string();
        assert!(denied.starts_with("can't open ~/a: permission denied; "), "{denied}");
        let unwritable = io::Error::from(io::ErrorKind::PermissionDenied);
        let told = crate::HomeError::Io { path: "a".into(), source: unwritable }.to_string();
        assert!(
            told.starts_with("a can't be used: permission denied; check that the folder exists"),
            "{told}"
        );
        let way_out = "; nothing was changed; free some space and try again";
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        for told in [
            file_problem("a", &full()).to_string(),
            crate::SettingsError::Io { path: "a".into(), source: full() }.to_string(),
            crate::HomeError::Io { path: "a".into(), source: full() }.to_string(),
            crate::DbError::Io { path: "a".into(), source: full() }.to_string(),
        ] {
            assert_eq!(told, format!("the disk is full while writing a{way_out}"));
        }
        let large = file_problem("~/a", &read_regular(&file, 4).unwrap_err()).to_string();
        assert_eq!(large, "~/a: it has more than 4 bytes");
    }

    #[test]
    fn a_file_within_the_limit_is_read_and_a_larger_one_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a");
        std::fs::write(&file, "12345").unwrap();
        assert_eq!(read_regular(&file, 5).unwrap(), b"12345");
        assert_eq!(read_regular(&file, 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read_regular(&dir.path().join("b"), 4).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(read_regular(dir.path(), 4).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        std::fs::write(&file, b"\xff").unwrap();
        assert_eq!(read_regular_text(&file, 4).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_created_is_readable_by_its_owner_only() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let (file, log) = (dir.path().join("file"), dir.path().join("below/log"));
        private_options().write(true).create_new(true).open(&file).unwrap();
        open_to_append(&log).unwrap();
        for (path, mode) in [(file, 0o600), (dir.path().join("below"), 0o700), (log, 0o600)] {
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, mode, "{}", path.display());
        }
    }

    #[test]
    fn a_chosen_file_is_written_whole_and_replaced_only_if_so_chosen() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.toml");
        write_chosen(&file, b"one", false).unwrap();
        let refused = write_chosen(&file, b"two", false).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read(&file).unwrap(), b"one");
        write_chosen(&file, b"two", true).unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"two");
        assert_eq!(write_chosen(dir.path(), b"x", true).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        let below = dir.path().join("none/a.toml");
        assert_eq!(write_chosen(&below, b"x", true).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file stays");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
            let (link, broken) = (dir.path().join("link"), dir.path().join("broken"));
            std::os::unix::fs::symlink("a.toml", &link).unwrap();
            std::os::unix::fs::symlink("none", &broken).unwrap();
            write_chosen(&link, b"three", false).unwrap_err();
            write_chosen(&link, b"three", true).unwrap();
            assert!(link.is_symlink());
            assert_eq!(std::fs::read(&file).unwrap(), b"three");
            write_chosen(&broken, b"x", true).unwrap_err();
            assert!(broken.is_symlink() && !dir.path().join("none").exists());
            assert_eq!(
                write_chosen(Path::new("/dev/null"), b"x", true).unwrap_err().kind(),
                io::ErrorKind::InvalidInput
            );
        }
    }

    #[test]
    fn files_that_the_system_makes_up_are_recognised_by_their_path() {
        for path in ["/proc", "/proc/1/task", "/sys/class", "/dev", "/dev/fd"] {
            assert!(is_made_up(Path::new(path)), "{path}");
        }
        for path in ["/", "/dev/shm/work", "/devel", "/srv/proc", "sys", "/usr/share/doc"] {
            assert!(!is_made_up(Path::new(path)), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn pipes_devices_and_endless_files_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        for (name, target) in [("zero", "/dev/zero"), ("tty", "/dev/tty"), ("to-pipe", "pipe")] {
            let link = dir.path().join(name);
            std::os::unix::fs::symlink(target, &link).unwrap();
            let error = read_regular(&link, 1000).unwrap_err();
            assert!(
                matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotFound),
                "{name}: {error}"
            );
        }
        assert_eq!(read_regular(&pipe, 1000).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_unreported_size_is_measured_while_reading() {
        // It reports a size of 0.
        assert!(!read_regular(Path::new("/proc/self/status"), 1_000_000).unwrap().is_empty());
        let error = read_regular(Path::new("/proc/self/status"), 10).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }
}
