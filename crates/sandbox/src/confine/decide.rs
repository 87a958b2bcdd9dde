//! Decides one question from the kernel: dispatches the system call to the check for files, programs or the network.

use super::file_access::{change_name, open, open_in_root, rename_or_link};
use super::network_access::connect;
use super::notify::{Question, read_memory};
use super::program_start::start_program;
use super::resolved_path::{ResolvedPath, Unresolved, resolve, same_root};
use super::rules::Rules;

/// `openat2`: absolute paths start at the given folder.
const RESOLVE_IN_ROOT: u64 = 0x10;
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

/// Decides one question.
pub(super) fn decide(rules: &Rules, question: &Question) -> Answer {
    let a = &question.args;
    let pid = question.pid;
    let at = |index: usize| a[index] as u32 as i32;
    match question.call {
        libc::SYS_execve => start_program(rules, pid, libc::AT_FDCWD, a[0], a[1], true),
        libc::SYS_execveat => {
            start_program(rules, pid, at(0), a[1], a[2], at(4) & libc::AT_SYMLINK_NOFOLLOW == 0)
        }
        libc::SYS_openat => open(rules, pid, at(0), a[1], at(2)),
        libc::SYS_openat2 => {
            let number = |from: u64| {
                let mut bytes = [0u8; 8];
                (read_memory(pid, from, &mut bytes) == Some(8)).then_some(u64::from_ne_bytes(bytes))
            };
            // struct open_how: flags, mode, resolve.
            let flags = number(a[2]).unwrap_or(0) as u32 as i32;
            let in_root = number(a[2].wrapping_add(16)).unwrap_or(0) & RESOLVE_IN_ROOT != 0;
            open_in_root(rules, pid, at(0), a[1], flags, in_root)
        }
        libc::SYS_truncate => change_name(rules, pid, libc::AT_FDCWD, a[0], true),
        libc::SYS_unlinkat => change_name(rules, pid, at(0), a[1], false),
        libc::SYS_mknodat => change_name(rules, pid, at(0), a[1], false),
        libc::SYS_symlinkat => change_name(rules, pid, at(1), a[2], false),
        libc::SYS_renameat2 => rename_or_link(rules, pid, (at(0), a[1]), (at(2), a[3]), false),
        libc::SYS_linkat => {
            let follow = at(4) & libc::AT_SYMLINK_FOLLOW != 0;
            rename_or_link(rules, pid, (at(0), a[1]), (at(2), a[3]), follow)
        }
        libc::SYS_connect => connect(rules, pid, a[1], a[2]),
        libc::SYS_sendto => connect(rules, pid, a[4], a[5]),
        #[cfg(target_arch = "x86_64")]
        call => legacy_call(rules, question, call),
        #[cfg(not(target_arch = "x86_64"))]
        _ => rename_or_link(rules, pid, (at(0), a[1]), (at(2), a[3]), false),
    }
}

/// The calls that exist only on older architectures.
#[cfg(target_arch = "x86_64")]
fn legacy_call(rules: &Rules, question: &Question, call: i64) -> Answer {
    const CWD: i32 = libc::AT_FDCWD;
    let (a, pid) = (&question.args, question.pid);
    match call {
        libc::SYS_open => open(rules, pid, CWD, a[0], a[1] as u32 as i32),
        libc::SYS_creat => open(rules, pid, CWD, a[0], libc::O_CREAT | libc::O_WRONLY),
        libc::SYS_unlink | libc::SYS_mknod => change_name(rules, pid, CWD, a[0], false),
        libc::SYS_symlink => change_name(rules, pid, CWD, a[1], false),
        libc::SYS_rename | libc::SYS_link => rename_or_link(rules, pid, (CWD, a[0]), (CWD, a[1]), false),
        libc::SYS_renameat => {
            rename_or_link(rules, pid, (a[0] as u32 as i32, a[1]), (a[2] as u32 as i32, a[3]), false)
        }
        _ => Ok(()),
    }
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
