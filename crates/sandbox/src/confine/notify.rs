//! The system calls of seccomp notification: installs the filter in a child before exec, receives questions, answers them,
//! reads the asking process's memory.
#![expect(unsafe_code, reason = "seccomp and the memory of another process are reached only through C calls")]

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use libc::{c_ulong, c_void, sock_filter};

/// Signals that don't kill leave the caller waiting for its answer (since Linux 5.19).
const WAIT_KILLABLE: c_ulong = 1 << 5;
const NEW_LISTENER: c_ulong = 1 << 3;
const SET_MODE_FILTER: c_ulong = 1;
/// The kernel switches directly to the woken thread (since Linux 6.6).
const SET_FLAGS: c_ulong = 0x4008_2104;
const SYNC_WAKE_UP: u64 = 1;

/// A question from the kernel, reduced to what matters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question {
    pub(super) id: u64,
    /// The asking thread.
    pub(super) pid: u32,
    pub(super) call: i64,
    pub(super) args: [u64; 6],
}

/// Installs the filter in this thread. Only makes system calls and allocates nothing, so it may run between fork and exec. A
/// process without the privilege first gives up gaining privileges (`sudo`), as the kernel requires.
pub(super) fn install(filter: &[sock_filter]) -> Result<RawFd, i32> {
    #[repr(C)]
    struct Program {
        len: u16,
        filter: *const sock_filter,
    }
    let program = Program { len: u16::try_from(filter.len()).unwrap_or(0), filter: filter.as_ptr() };
    let mut flags = NEW_LISTENER | WAIT_KILLABLE;
    let mut gave_up = false;
    loop {
        // SAFETY: the program points to `len` instructions that live until the call returns.
        let got = unsafe { libc::syscall(libc::SYS_seccomp, SET_MODE_FILTER, flags, &raw const program) };
        if got >= 0 {
            return i32::try_from(got).map_err(|_| libc::EBADF);
        }
        match errno() {
            libc::EINVAL if flags & WAIT_KILLABLE != 0 => flags &= !WAIT_KILLABLE,
            libc::EACCES if !gave_up => {
                gave_up = true;
                // SAFETY: changes an attribute of this thread only.
                if unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } != 0 {
                    return Err(errno());
                }
            }
            other => return Err(other),
        }
    }
}

fn errno() -> i32 {
    // SAFETY: the address is this thread's own.
    unsafe { *libc::__errno_location() }
}

/// Sends a descriptor through a socket. Allocates nothing.
pub(super) fn send_fd(socket: RawFd, fd: RawFd) -> Result<(), i32> {
    let mut byte = 0u8;
    let mut piece = libc::iovec { iov_base: (&raw mut byte).cast::<c_void>(), iov_len: 1 };
    let mut room = [0u64; 4];
    // SAFETY: an all-zero header is valid, and the pointers put into it outlive the call; the room is larger than one
    // header with one descriptor.
    unsafe {
        let mut message: libc::msghdr = std::mem::zeroed();
        message.msg_iov = &raw mut piece;
        message.msg_iovlen = 1;
        message.msg_control = room.as_mut_ptr().cast();
        message.msg_controllen = libc::CMSG_SPACE(4) as _;
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        if header.is_null() {
            return Err(libc::EINVAL);
        }
        (*header).cmsg_level = libc::SOL_SOCKET;
        (*header).cmsg_type = libc::SCM_RIGHTS;
        (*header).cmsg_len = libc::CMSG_LEN(4) as _;
        std::ptr::copy_nonoverlapping((&raw const fd).cast::<u8>(), libc::CMSG_DATA(header), 4);
        let sent = libc::sendmsg(socket, &raw const message, libc::MSG_NOSIGNAL);
        libc::close(fd);
        if sent == 1 { Ok(()) } else { Err(errno()) }
    }
}

/// Receives the descriptor from the other end; `None` if that end was closed without sending.
pub(super) fn receive_fd(socket: RawFd) -> Option<OwnedFd> {
    let mut byte = 0u8;
    let mut piece = libc::iovec { iov_base: (&raw mut byte).cast::<c_void>(), iov_len: 1 };
    let mut room = [0u64; 4];
    // SAFETY: as in `send_fd`; a descriptor that arrives has no other owner.
    unsafe {
        let mut message: libc::msghdr = std::mem::zeroed();
        message.msg_iov = &raw mut piece;
        message.msg_iovlen = 1;
        message.msg_control = room.as_mut_ptr().cast();
        message.msg_controllen = libc::CMSG_SPACE(4) as _;
        let got = loop {
            let got = libc::recvmsg(socket, &raw mut message, libc::MSG_CMSG_CLOEXEC);
            if got >= 0 || errno() != libc::EINTR {
                break got;
            }
        };
        if got != 1 {
            return None;
        }
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        if header.is_null() || (*header).cmsg_type != libc::SCM_RIGHTS {
            return None;
        }
        let mut fd: RawFd = -1;
        std::ptr::copy_nonoverlapping(libc::CMSG_DATA(header), (&raw mut fd).cast::<u8>(), 4);
        (fd >= 0).then(|| OwnedFd::from_raw_fd(fd))
    }
}

/// Takes ownership of a descriptor that this process has just created.
pub(super) fn own_fd(fd: RawFd) -> OwnedFd {
    // SAFETY: the caller got it from `install` and passes ownership.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

/// Asks the kernel to switch quickly; an older one doesn't support it.
pub(super) fn request_sync_wakeup(listener: BorrowedFd<'_>) {
    // SAFETY: the flag is passed by value.
    unsafe { libc::ioctl(listener.as_raw_fd(), SET_FLAGS as _, SYNC_WAKE_UP) };
}

/// The next question; `None` if it was withdrawn.
pub(super) fn receive(listener: BorrowedFd<'_>) -> io::Result<Option<Question>> {
    // SAFETY: an all-zero question is what the kernel expects.
    let mut asked: libc::seccomp_notif = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel fills exactly this structure.
    let got =
        unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV as _, &raw mut asked) };
    if got != 0 {
        return match errno() {
            libc::ENOENT | libc::EINTR => Ok(None),
            other => Err(io::Error::from_raw_os_error(other)),
        };
    }
    Ok(Some(Question { id: asked.id, pid: asked.pid, call: i64::from(asked.data.nr), args: asked.data.args }))
}

/// Answers with an error number or "go on". The asking process may be gone.
pub(super) fn answer(listener: BorrowedFd<'_>, id: u64, refused: Option<i32>) {
    let mut reply = libc::seccomp_notif_resp {
        id,
        val: 0,
        error: refused.map_or(0, |errno| -errno),
        flags: u32::from(refused.is_none()),
    };
    // SAFETY: the kernel reads exactly this structure.
    unsafe {
        libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND as _, &raw mut reply);
    }
}

/// Copies another process's memory: as much as there is, up to the length of `into`.
pub(super) fn read_memory(pid: u32, from: u64, into: &mut [u8]) -> Option<usize> {
    let local = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
    let remote = libc::iovec {
        iov_base: std::ptr::without_provenance_mut(usize::try_from(from).ok()?),
        iov_len: into.len(),
    };
    let pid = i32::try_from(pid).ok()?;
    // SAFETY: the kernel writes only into `into`; the remote address is checked by it.
    let got = unsafe { libc::process_vm_readv(pid, &raw const local, 1, &raw const remote, 1, 0) };
    usize::try_from(got).ok().filter(|got| *got > 0)
}
