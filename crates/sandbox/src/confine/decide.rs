//! Decides one question from the kernel: dispatches the system call to the check for files, programs or the network.

use super::answer::Answer;
use super::file_access::{change_name, open, open_in_root, rename_or_link};
use super::network_access::connect;
use super::notify::{Question, read_memory};
use super::program_start::start_program;
use super::rules::Rules;

/// `openat2`: absolute paths start at the given folder.
const RESOLVE_IN_ROOT: u64 = 0x10;

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
