//! Writes a file so that no change is lost and nothing is ever torn: compare and swap by renaming, writing in place if a
//! file has several names, and Plimsoll's private files. Knows bytes and paths only.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;
use tempfile::{NamedTempFile, TempPath};

/// Marks temporary files, so that one left over from a crash is recognised.
const TEMP_MARK: &str = ".plimsoll-";

/// How often content that arrived at the last moment is put back before the file is left to its writers.
#[cfg(any(target_os = "linux", target_os = "macos"))]
const MAX_RETURNS: usize = 16;

/// Why nothing was written.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The file isn't what the plan was made from.
    Changed,
    Io(io::Error),
    /// A file that had to be overwritten is half old and half new: neither could be written in full.
    Torn(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Io(error)
    }
}

fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn prefix_of(target: &Path) -> String {
    let name = target.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    format!(".{name}{TEMP_MARK}")
}

fn temp(target: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(&prefix_of(target)).suffix(".tmp").tempfile_in(folder_of(target))
}

/// The letters and digits that make a temporary file's name unique, as `tempfile` writes them.
const TEMP_LETTERS: usize = 6;

/// Deletes temporary files that a crash left beside `target`, if they are at least this old. With `target` locked, nobody
/// is writing one.
pub(crate) fn clean_leftovers(target: &Path, age: Duration) {
    let prefix = prefix_of(target);
    let Ok(entries) = fs::read_dir(folder_of(target)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let letters = name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(".tmp"));
        let is_ours = letters.is_some_and(|letters| {
            letters.len() == TEMP_LETTERS && letters.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        let is_old = || {
            let written = entry.metadata().and_then(|metadata| metadata.modified());
            written.is_ok_and(|at| at.elapsed().is_ok_and(|elapsed| elapsed >= age))
        };
        if is_ours && (age.is_zero() || is_old()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Creates `target`, readable by its owner only (or with `mode`); fails if it exists by now.
pub(crate) fn create(target: &Path, bytes: &[u8], mode: Option<u32>) -> Result<(), Failure> {
    let mut file = temp(target)?;
    file.write_all(bytes)?;
    set_mode(file.as_file(), mode)?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(target) {
        Ok(_) => {
            sync_folder(target);
            Ok(())
        }
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Err(Failure::Changed),
        Err(error) => Err(Failure::Io(error.error)),
    }
}

/// Replaces the content of `target`, which must be `before`, by `after`. Keeps permissions, owner and attributes.
pub(crate) fn replace(target: &Path, before: &[u8], after: &[u8]) -> Result<(), Failure> {
    let metadata = fs::metadata(target).map_err(gone)?;
    if names(&metadata) > 1 {
        return in_place(target, before, after);
    }
    let mut file = match temp(target) {
        Ok(file) => file,
        // A folder that allows no new files, with a file that may be written.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => return in_place(target, before, after),
        Err(error) => return Err(error.into()),
    };
    file.write_all(after)?;
    if !keep_owner(file.as_file(), &metadata) || !keep_attributes(file.as_file(), target) {
        drop(file);
        return in_place(target, before, after);
    }
    file.as_file().set_permissions(metadata.permissions())?;
    file.as_file().sync_all()?;
    if fs::read(target).map_err(gone)? != before {
        return Err(Failure::Changed);
    }
    swap(file.into_temp_path(), target, before, after)?;
    sync_folder(target);
    Ok(())
}

fn gone(error: io::Error) -> Failure {
    if error.kind() == ErrorKind::NotFound { Failure::Changed } else { Failure::Io(error) }
}

/// Exchanges the two files in one step and checks what came out. If it isn't what the plan was made from, someone wrote at
/// the last moment, and the exchange is reverted: so even a writer that ignores Plimsoll's lock loses nothing.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn swap(temp: TempPath, target: &Path, before: &[u8], after: &[u8]) -> Result<(), Failure> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let exchange = || renameat_with(CWD, &*temp, CWD, target, RenameFlags::EXCHANGE);
    match exchange() {
        Ok(()) => {
            let mut newest = fs::read(&temp)?;
            if newest == before {
                return Ok(());
            }
            // Put the newer content back. If yet another one arrived meanwhile, that one goes back.
            let mut expected = after.to_vec();
            for _ in 0..MAX_RETURNS {
                exchange().map_err(io::Error::from)?;
                let out = fs::read(&temp)?;
                if out == expected {
                    break;
                }
                expected = std::mem::replace(&mut newest, out);
            }
            Err(Failure::Changed)
        }
        Err(rustix::io::Errno::NOENT) => Err(Failure::Changed),
        Err(_) => persist(temp, target),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn swap(temp: TempPath, target: &Path, _: &[u8], _: &[u8]) -> Result<(), Failure> {
    persist(temp, target)
}

/// Renames over the target. Windows refuses while a scanner or an editor has the file open; such refusals pass, so it
/// retries a few times.
fn persist(mut temp: TempPath, target: &Path) -> Result<(), Failure> {
    let mut wait = Duration::from_millis(10);
    for _ in 0..7 {
        match temp.persist(target) {
            Ok(()) => return Ok(()),
            Err(error) if is_sharing_violation(&error.error) => {
                temp = error.path;
                std::thread::sleep(wait);
                wait *= 2;
            }
            Err(error) => return Err(Failure::Io(error.error)),
        }
    }
    temp.persist(target).map_err(|error| Failure::Io(error.error))
}

/// ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION.
fn is_sharing_violation(error: &io::Error) -> bool {
    cfg!(windows) && matches!(error.raw_os_error(), Some(5 | 32 | 33))
}

/// Overwrites the file itself. Not atomic, and only used where a rename would break something: a file with several names,
/// or one with another owner. The backup exists already. If writing fails (a full disk), the old text goes back.
fn in_place(target: &Path, before: &[u8], after: &[u8]) -> Result<(), Failure> {
    let mut file = OpenOptions::new().read(true).write(true).open(target).map_err(gone)?;
    let mut now = Vec::with_capacity(before.len());
    file.read_to_end(&mut now)?;
    if now != before {
        return Err(Failure::Changed);
    }
    overwrite(&mut file, before.len(), after).map_err(|error| match put_back(&mut file, before) {
        Ok(()) => Failure::Io(error),
        Err(_) => Failure::Torn(error),
    })
}

/// Writes what goes beyond the old length first, and has it stored: on a full disk that fails before any old byte is gone.
fn overwrite(file: &mut File, old_len: usize, after: &[u8]) -> io::Result<()> {
    let (head, tail) = after.split_at(old_len.min(after.len()));
    if !tail.is_empty() {
        file.seek(SeekFrom::Start(old_len as u64))?;
        file.write_all(tail)?;
        file.sync_all()?;
    }
    file.seek(SeekFrom::Start(0))?;
    file.write_all(head)?;
    file.set_len(after.len() as u64)?;
    file.sync_all()
}

/// Gives the file its old text again. What was added goes first, since it takes the space; what is still there isn't
/// written again, since even that can fail on a full disk.
fn put_back(file: &mut File, before: &[u8]) -> io::Result<()> {
    file.set_len(before.len() as u64)?;
    file.seek(SeekFrom::Start(0))?;
    let mut now = Vec::with_capacity(before.len());
    file.read_to_end(&mut now)?;
    if now != before {
        file.seek(SeekFrom::Start(0))?;
        file.write_all(before)?;
    }
    file.sync_all()
}

/// Deletes `target`, which must be `before`.
pub(crate) fn delete(target: &Path, before: &[u8]) -> Result<(), Failure> {
    if fs::read(target).map_err(gone)? != before {
        return Err(Failure::Changed);
    }
    // Moved aside first and checked again: a last-moment change goes back.
    let aside = temp(target)?.into_temp_path();
    fs::rename(target, &aside).map_err(gone)?;
    if fs::read(&aside)? != before {
        return match aside.persist_noclobber(target) {
            Ok(()) => Err(Failure::Changed),
            Err(error) => Err(Failure::Io(error.error)),
        };
    }
    drop(aside);
    sync_folder(target);
    Ok(())
}

/// Writes a private file, readable by its owner only, in one step.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = temp(path)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    match persist(file.into_temp_path(), path) {
        Ok(()) => Ok(()),
        Err(Failure::Io(error) | Failure::Torn(error)) => Err(error),
        Err(Failure::Changed) => Err(io::Error::other("changed while being written")),
    }
}

/// Creates a folder (and its parents) that only its owner may enter.
pub(crate) fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// Makes the rename durable. Best effort: not every file system can sync a folder.
fn sync_folder(target: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder_of(target)) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = target;
}

/// A file's permission bits, where the system has them.
pub(crate) fn mode_of(target: &Path) -> Option<u32> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(target).ok().map(|metadata| metadata.permissions().mode() & 0o7777)
    }
    #[cfg(not(unix))]
    {
        let _ = target;
        None
    }
}

#[cfg(unix)]
fn set_mode(file: &File, mode: Option<u32>) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    mode.map_or(Ok(()), |mode| file.set_permissions(fs::Permissions::from_mode(mode)))
}

#[cfg(not(unix))]
fn set_mode(_: &File, _: Option<u32>) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn names(metadata: &fs::Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    metadata.nlink()
}

#[cfg(not(unix))]
fn names(_: &fs::Metadata) -> u64 {
    1
}

/// Gives the new file the old one's owner and group; `false` if that isn't permitted.
#[cfg(unix)]
fn keep_owner(file: &File, old: &fs::Metadata) -> bool {
    use std::os::unix::fs::{MetadataExt, fchown};
    let Ok(new) = file.metadata() else { return false };
    let owner = (new.uid() != old.uid()).then(|| old.uid());
    let group = (new.gid() != old.gid()).then(|| old.gid());
    owner.is_none() && group.is_none() || fchown(file, owner, group).is_ok()
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) -> bool {
    true
}

/// The access control list, kept as an attribute. A folder can give one to every new file.
#[cfg(target_os = "linux")]
const ACCESS_LIST: &[u8] = b"system.posix_acl_access";

/// Sums of a file's content and attributes that the kernel checks.
#[cfg(target_os = "linux")]
const SUMS: [&[u8]; 2] = [b"security.ima", b"security.evm"];

/// Gives the new file the old one's extended attributes, its access control list among them; `false` if that can't be done.
/// Labels of the system's own (`security.`, `trusted.`) that only the administrator may set are left to the system, and so
/// are its sums of the content, which would be the old content's.
#[cfg(target_os = "linux")]
fn keep_attributes(file: &File, target: &Path) -> bool {
    use rustix::fs::{
        XattrFlags, fgetxattr, fgetxattr_query, flistxattr, flistxattr_query, fremovexattr, fsetxattr,
    };
    use rustix::io::Errno;
    fn names(file: &File) -> Result<Vec<Vec<u8>>, Errno> {
        let mut list = vec![0; flistxattr_query(file)?];
        let len = if list.is_empty() { 0 } else { flistxattr(file, &mut list[..])? };
        Ok(list[..len].split(|&byte| byte == 0).filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect())
    }
    fn value(file: &File, name: &[u8]) -> Result<Vec<u8>, Errno> {
        let mut value = vec![0; fgetxattr_query(file, name)?];
        let len = if value.is_empty() { 0 } else { fgetxattr(file, name, &mut value[..])? };
        value.truncate(len);
        Ok(value)
    }
    // A file that can't be opened for reading can't have been planned; the read that follows says why.
    let Ok(old) = File::open(target) else { return true };
    let kept = || -> Result<(), Errno> {
        let wanted = match names(&old) {
            // A file system without attributes has none to keep.
            Err(Errno::OPNOTSUPP) => return Ok(()),
            listed => listed?,
        };
        if names(file)?.iter().any(|name| name == ACCESS_LIST)
            && !wanted.iter().any(|name| name == ACCESS_LIST)
        {
            fremovexattr(file, ACCESS_LIST)?;
        }
        for name in wanted.iter().filter(|name| !SUMS.contains(&&name[..])) {
            let wanted = value(&old, name)?;
            if value(file, name).is_ok_and(|there| there == wanted) {
                continue;
            }
            let is_systems = name.starts_with(b"security.") || name.starts_with(b"trusted.");
            match fsetxattr(file, &name[..], &wanted, XattrFlags::empty()) {
                Err(Errno::PERM | Errno::ACCESS | Errno::OPNOTSUPP) if is_systems => {}
                set => set?,
            }
        }
        Ok(())
    };
    kept().is_ok()
}

#[cfg(not(target_os = "linux"))]
fn keep_attributes(_: &File, _: &Path) -> bool {
    true
}
