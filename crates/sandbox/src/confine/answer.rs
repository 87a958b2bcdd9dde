//! The answer to a question from the kernel, and what every check needs for one: the paths that the asking process names.

use super::notify::read_memory;
use super::resolved_path::{ResolvedPath, Unresolved, resolve, same_root};
use super::rules::Rules;

/// The longest path.
const PATH_MAX: usize = 4096;

/// The answer: go on, or a refusal.
pub(super) type Answer = Result<(), Refused>;

/// A refusal: the error number for the caller, and the reason to record.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) errno: i32,
    pub(super) why: Option<String>,
}

/// A refusal with a reason.
pub(super) fn refused(why: String) -> Answer {
    Err(Refused { errno: libc::EACCES, why: Some(why) })
}

/// A path argument. `None` if it can't be read: the call will fail the same way, unless the process can't be inspected.
pub(super) fn read_path(pid: u32, from: u64) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    let mut at = from;
    while all.len() < PATH_MAX {
        // Not past the end of a page: the next one may not be mapped.
        let room = 4096 - usize::try_from(at % 4096).unwrap_or(0);
        let mut piece = [0u8; 4096];
        let got = read_memory(pid, at, piece.get_mut(..room.min(256))?)?;
        let piece = piece.get(..got)?;
        if let Some(end) = memchr::memchr(0, piece) {
            all.extend_from_slice(piece.get(..end)?);
            return Some(all);
        }
        all.extend_from_slice(piece);
        at += got as u64;
    }
    None
}

/// The answer if the asking process can't be inspected: one that is gone doesn't care, one that hides is refused.
pub(super) fn uninspectable(rules: &Rules, pid: u32) -> Answer {
    match std::fs::metadata(format!("/proc/{pid}")) {
        Ok(_) if rules.lenient => Ok(()),
        Ok(_) => Err(Refused { errno: libc::EACCES, why: None }),
        Err(_) => Ok(()),
    }
}

/// Resolves a path; `Ok(None)` means that the kernel will report the error itself.
pub(super) fn resolve_path(
    rules: &Rules,
    pid: u32,
    dirfd: i32,
    text: &[u8],
    follow: bool,
) -> Result<Option<ResolvedPath>, Refused> {
    if !same_root(pid) {
        // Its root differs, and so do the targets of its links.
        return uninspectable(rules, pid).map(|()| None);
    }
    match resolve(pid, dirfd, text, follow) {
        Ok(place) => Ok(Some(place)),
        Err(Unresolved::Missing) => Ok(None),
        Err(Unresolved::Hidden) => uninspectable(rules, pid).map(|()| None),
    }
}
