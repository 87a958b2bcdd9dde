//! Private folders and files: mode 0700 and 0600, written so that a reader never sees half of one.

use std::io::{self, Write};
use std::path::Path;

/// Creates a folder and its parents; on Unix every folder it creates is closed to others.
///
/// # Errors
/// Whatever the system says.
pub fn private_dir(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Writes a file whole or not at all: a temporary file beside it, flushed to the disk, then renamed.
///
/// # Errors
/// Whatever the system says; the old file is then unchanged.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    private_dir(dir)?;
    // tempfile creates with mode 0600.
    let mut temp = tempfile::Builder::new().prefix(".plimsoll-").suffix(".tmp").tempfile_in(dir)?;
    temp.write_all(bytes)?;
    temp.as_file().sync_all()?;
    temp.persist(path).map_err(|failed| failed.error)?;
    Ok(())
}
