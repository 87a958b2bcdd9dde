//! The seccomp program that the kernel runs at each system call: which calls cause a question, which are refused outright.

use libc::{BPF_ABS, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter};

use super::NetworkAccess;

#[cfg(target_arch = "x86_64")]
const ARCH: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCH: u32 = 0xc000_00b7;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const ARCH: u32 = 0;

/// Whether there is a filter for this processor.
pub(super) const KNOWN: bool = ARCH != 0;

/// Calls that start a program.
const STARTING: &[i64] = &[libc::SYS_execve, libc::SYS_execveat];

/// Calls that open, move, link or remove a file.
#[cfg(target_arch = "x86_64")]
const TOUCHING: &[i64] = &[
    libc::SYS_openat,
    libc::SYS_open,
    libc::SYS_openat2,
    libc::SYS_creat,
    libc::SYS_truncate,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_link,
    libc::SYS_linkat,
    libc::SYS_symlink,
    libc::SYS_symlinkat,
    libc::SYS_unlink,
    libc::SYS_unlinkat,
    libc::SYS_mknod,
    libc::SYS_mknodat,
];
#[cfg(not(target_arch = "x86_64"))]
const TOUCHING: &[i64] = &[
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_truncate,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_unlinkat,
    libc::SYS_mknodat,
];

/// Calls that would change a path's meaning, or reach a file without naming it.
const REFUSED: &[i64] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
];

/// Ways around the filter; programs that use them also work without.
const ABSENT: &[i64] = &[libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];

fn step(code: u32, jump_true: u8, jump_false: u8, k: u32) -> sock_filter {
    sock_filter { code: u16::try_from(code).unwrap_or_default(), jt: jump_true, jf: jump_false, k }
}

fn answer(action: u32) -> sock_filter {
    step(BPF_RET | BPF_K, 0, 0, action)
}

fn load(offset: u32) -> sock_filter {
    step(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset)
}

fn refuse(errno: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | (errno.unsigned_abs() & libc::SECCOMP_RET_DATA)
}

/// The filter for these restrictions.
pub(super) fn program(files: bool, reach: NetworkAccess) -> Vec<sock_filter> {
    let mut all = vec![
        load(4),
        // A program in another processor mode numbers its calls differently: none is allowed.
        step(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCH),
        answer(refuse(libc::ENOSYS)),
        load(0),
    ];
    if cfg!(target_arch = "x86_64") {
        all.push(step(BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x4000_0000));
        all.push(answer(refuse(libc::ENOSYS)));
    }
    let mut on = |calls: &[i64], action: u32| {
        for call in calls {
            all.push(step(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, u32::try_from(*call).unwrap_or(u32::MAX)));
            all.push(answer(action));
        }
    };
    if files {
        on(TOUCHING, libc::SECCOMP_RET_USER_NOTIF);
        on(REFUSED, refuse(libc::EPERM));
    }
    on(STARTING, libc::SECCOMP_RET_USER_NOTIF);
    on(ABSENT, refuse(libc::ENOSYS));
    if reach == NetworkAccess::Public {
        on(&[libc::SYS_connect], libc::SECCOMP_RET_USER_NOTIF);
        // sendto(…, address): `send` has no address and needs no question.
        let call = u32::try_from(libc::SYS_sendto).unwrap_or(u32::MAX);
        all.push(step(BPF_JMP | BPF_JEQ | BPF_K, 0, 5, call));
        all.push(load(48));
        all.push(step(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0));
        all.push(load(52));
        all.push(step(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0));
        all.push(answer(libc::SECCOMP_RET_USER_NOTIF));
        all.push(load(0));
    }
    // prctl(PR_SET_DUMPABLE, …) would hide a process from the supervisor. It is told that it worked.
    let call = u32::try_from(libc::SYS_prctl).unwrap_or(u32::MAX);
    all.push(step(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, call));
    all.push(load(16));
    all.push(step(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, libc::PR_SET_DUMPABLE.unsigned_abs()));
    all.push(answer(refuse(0)));
    all.push(load(0));
    if reach == NetworkAccess::Off {
        // socket(family, …): the local families stay.
        let local = [libc::AF_UNIX, libc::AF_NETLINK];
        let call = u32::try_from(libc::SYS_socket).unwrap_or(u32::MAX);
        all.push(step(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, call));
        all.push(load(16));
        for (index, family) in local.iter().enumerate() {
            let ahead = u8::try_from(local.len() - index).unwrap_or(1);
            all.push(step(BPF_JMP | BPF_JEQ | BPF_K, ahead, 0, family.unsigned_abs()));
        }
        all.push(answer(refuse(libc::EACCES)));
    }
    all.push(answer(libc::SECCOMP_RET_ALLOW));
    all
}

/// A filter that allows everything, to test for seccomp support.
pub(super) fn probe() -> Vec<sock_filter> {
    vec![answer(libc::SECCOMP_RET_ALLOW)]
}
