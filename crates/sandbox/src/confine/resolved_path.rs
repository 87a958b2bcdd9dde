//! Resolves another process's path to its real target. The kernel does it in one step if it can; a path through
//! `/proc/…/cwd`, `/proc/…/fd` and the like is followed step by step, because `self` would be this process.

use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, fstat, openat, openat2, readlinkat};
use rustix::io::Errno;

/// Links followed before giving up, as many as the kernel follows.
const MOST_LINKS: usize = 40;

/// A path's target.
#[derive(Debug, Clone)]
pub(super) struct ResolvedPath {
    /// The real path; if the last part doesn't exist, its real folder and the name.
    pub(super) path: PathBuf,
    /// The file there, if any.
    pub(super) found: Option<FileIdentity>,
}

/// A file's identity.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileIdentity {
    pub(super) dev: u64,
    pub(super) ino: u64,
    pub(super) size: u64,
    pub(super) kind: FileType,
}

/// Why a path wasn't resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unresolved {
    /// The caller will get the same error.
    Missing,
    /// Its target can't be determined.
    Hidden,
}

/// The folder that the paths of thread `pid` start from, for the call's descriptor.
pub(super) fn base(pid: u32, dirfd: i32) -> Result<OwnedFd, Unresolved> {
    let link =
        if dirfd == libc::AT_FDCWD { format!("/proc/{pid}/cwd") } else { format!("/proc/{pid}/fd/{dirfd}") };
    openat(CWD, link, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).map_err(|error| match error {
        Errno::ACCESS | Errno::PERM => Unresolved::Hidden,
        _ => Unresolved::Missing,
    })
}

/// Whether the thread has the same root folder as this process.
pub(super) fn same_root(pid: u32) -> bool {
    readlinkat(CWD, format!("/proc/{pid}/root"), Vec::new()).is_ok_and(|root| root.as_bytes() == b"/")
}

/// Resolves `text` as thread `pid` would.
pub(super) fn resolve(pid: u32, dirfd: i32, text: &[u8], follow: bool) -> Result<ResolvedPath, Unresolved> {
    let path = Path::new(OsStr::from_bytes(text));
    if path.is_absolute() {
        return from(pid, CWD, path, follow);
    }
    let base = base(pid, dirfd)?;
    if text.is_empty() {
        return from_fd(base.as_fd());
    }
    from(pid, base.as_fd(), path, follow)
}

fn from(pid: u32, base: BorrowedFd<'_>, path: &Path, follow: bool) -> Result<ResolvedPath, Unresolved> {
    let last = if follow { OFlags::empty() } else { OFlags::NOFOLLOW };
    let flags = OFlags::PATH | OFlags::CLOEXEC | last;
    match openat2(base, path, flags, Mode::empty(), ResolveFlags::NO_MAGICLINKS) {
        Ok(fd) => from_fd(fd.as_fd()),
        Err(Errno::NOENT | Errno::LOOP) => {
            let start = if path.is_absolute() { PathBuf::from("/") } else { path_of(base)? };
            resolve_by_parts(pid, &start, path, follow)
        }
        // A process in a namespace of its own may have access that this one lacks.
        Err(Errno::ACCESS) => Err(Unresolved::Hidden),
        Err(_) => Err(Unresolved::Missing),
    }
}

/// Resolves `text` with the folder as its root, which a caller of `openat2` may request.
pub(super) fn resolve_in(pid: u32, dirfd: i32, text: &[u8]) -> Result<ResolvedPath, Unresolved> {
    let base = base(pid, dirfd)?;
    let path = Path::new(OsStr::from_bytes(text));
    let how = ResolveFlags::NO_MAGICLINKS | ResolveFlags::IN_ROOT;
    match openat2(&base, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), how) {
        Ok(fd) => from_fd(fd.as_fd()),
        Err(Errno::NOENT) => Err(Unresolved::Missing),
        Err(_) => Err(Unresolved::Hidden),
    }
}

fn from_fd(fd: BorrowedFd<'_>) -> Result<ResolvedPath, Unresolved> {
    let stat = fstat(fd).map_err(|_| Unresolved::Missing)?;
    Ok(ResolvedPath { path: path_of(fd)?, found: Some(file_identity(&stat)) })
}

pub(super) fn file_identity(stat: &rustix::fs::Stat) -> FileIdentity {
    FileIdentity {
        dev: stat.st_dev,
        ino: stat.st_ino,
        size: u64::try_from(stat.st_size).unwrap_or_default(),
        kind: FileType::from_raw_mode(stat.st_mode),
    }
}

fn path_of(fd: BorrowedFd<'_>) -> Result<PathBuf, Unresolved> {
    use std::os::fd::AsRawFd;
    let link = readlinkat(CWD, format!("/proc/self/fd/{}", fd.as_raw_fd()), Vec::with_capacity(256));
    link.map(|link| PathBuf::from(OsStr::from_bytes(link.as_bytes()))).map_err(|_| Unresolved::Hidden)
}

/// Resolves the path part by part, with `self` as the thread's own process.
fn resolve_by_parts(pid: u32, start: &Path, path: &Path, follow: bool) -> Result<ResolvedPath, Unresolved> {
    let mut here = start.to_path_buf();
    let mut rest: Vec<PathBuf> = parts(path);
    let mut links = 0;
    while let Some(part) = rest.pop() {
        if part == Path::new("..") {
            here.pop();
            continue;
        }
        let mut next = here.join(&part);
        if next == Path::new("/proc/self") {
            next = PathBuf::from(format!("/proc/{}", process_of(pid)));
        } else if next == Path::new("/proc/thread-self") {
            next = PathBuf::from(format!("/proc/{}/task/{pid}", process_of(pid)));
        }
        if rest.is_empty() && !follow {
            here = next;
            break;
        }
        match std::fs::read_link(&next) {
            Ok(target) => {
                links += 1;
                if links > MOST_LINKS {
                    return Err(Unresolved::Missing);
                }
                if target.is_absolute() {
                    here = PathBuf::from("/");
                    rest.extend(parts(&target));
                } else if next.starts_with("/proc") && target.as_os_str().as_bytes().contains(&b':') {
                    // A pipe, a socket, memory: not a file.
                    return Err(Unresolved::Missing);
                } else {
                    rest.extend(parts(&target));
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                return Err(Unresolved::Hidden);
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !rest.is_empty() => {
                return Err(Unresolved::Missing);
            }
            Err(_) => here = next,
        }
    }
    let stat = rustix::fs::lstat(&here).ok();
    Ok(ResolvedPath { path: here, found: stat.map(|stat| file_identity(&stat)) })
}

/// The parts of a path, last first.
fn parts(path: &Path) -> Vec<PathBuf> {
    let named = |part: Component<'_>| match part {
        Component::Normal(name) => Some(PathBuf::from(name)),
        Component::ParentDir => Some(PathBuf::from("..")),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    };
    path.components().rev().filter_map(named).collect()
}

/// The process that a thread belongs to.
fn process_of(pid: u32) -> u32 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Tgid:"));
    line.and_then(|id| id.trim().parse().ok()).unwrap_or(pid)
}
