//! Signals to this process that are meant for the child. Owns which they are, how they are caught, and which of them the child
//! has received already.
//!
//! This process stays in the child's process group, so what a terminal sends to the group reaches both, and only signals to
//! this process alone are forwarded. An ignored signal (`nohup`, a shell's `&`) stays ignored, here and in the child.
#![expect(
    unsafe_code,
    reason = "who sent a signal is told to a handler only, and a handler is set by a C call"
)]

use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;

/// Every signal that one process may send another and that can be caught. Not included: this process's own faults, a child's
/// end, what stops a background process at the terminal, and a reader that went away.
const CAUGHT: &[i32] = &[
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGABRT,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGALRM,
    libc::SIGTERM,
    libc::SIGCONT,
    libc::SIGTSTP,
    libc::SIGXCPU,
    libc::SIGXFSZ,
    libc::SIGVTALRM,
    libc::SIGPROF,
    libc::SIGWINCH,
    libc::SIGURG,
    libc::SIGIO,
    #[cfg(target_os = "linux")]
    libc::SIGPWR,
];

/// The handler's pipe.
static INTO: AtomicI32 = AtomicI32::new(-1);

/// A received signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReceivedSignal {
    /// Its number.
    pub(super) signal: i32,
    /// Whether the system sent it, as for a key at the terminal: the whole group has received it.
    pub(super) by_system: bool,
}

/// The received signals.
pub(super) struct Signals {
    from: Option<Receiver>,
    // The writing end; as long as it is open, the other one doesn't end.
    _into: Option<OwnedFd>,
}

impl Signals {
    /// Begins to listen. Needs a tokio runtime.
    pub(super) fn listen() -> Self {
        let Ok((from, into)) = std::io::pipe() else { return Self { from: None, _into: None } };
        let (from, into) = (OwnedFd::from(from), OwnedFd::from(into));
        // A handler must never wait; an excess signal is lost.
        let _ = rustix::io::ioctl_fionbio(&into, true);
        INTO.store(into.as_raw_fd(), Ordering::SeqCst);
        let real_time: std::ops::RangeInclusive<i32>;
        #[cfg(target_os = "linux")]
        {
            real_time = libc::SIGRTMIN()..=libc::SIGRTMAX();
        }
        #[cfg(not(target_os = "linux"))]
        {
            real_time = 1..=0;
        }
        CAUGHT.iter().copied().chain(real_time).for_each(catch);
        Self { from: Receiver::from_owned_fd(from).ok(), _into: Some(into) }
    }

    /// The next one.
    pub(super) async fn next(&mut self) -> ReceivedSignal {
        let mut told = [0u8; 2];
        let came = match &mut self.from {
            Some(from) => from.read_exact(&mut told).await.is_ok(),
            None => false,
        };
        if !came {
            return std::future::pending().await;
        }
        ReceivedSignal { signal: i32::from(told[0]), by_system: told[1] != 0 }
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        INTO.store(-1, Ordering::SeqCst);
    }
}

/// Sets the handler, unless the signal is ignored.
fn catch(signal: i32) {
    // SAFETY: both structures are plain data for which zeroes are valid; the handler makes one async-signal-safe call.
    unsafe {
        let mut before: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(signal, std::ptr::null(), &raw mut before) != 0
            || before.sa_sigaction == libc::SIG_IGN
        {
            return;
        }
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = note as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        libc::sigfillset(&raw mut action.sa_mask);
        libc::sigaction(signal, &raw const action, std::ptr::null_mut());
    }
}

extern "C" fn note(signal: i32, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    let into = INTO.load(Ordering::SeqCst);
    if into < 0 {
        return;
    }
    // SAFETY: the system hands a valid structure to a handler that was set with SA_SIGINFO.
    let by_system = unsafe { by_system(&*info) };
    let told = [u8::try_from(signal).unwrap_or_default(), u8::from(by_system)];
    // The system call sets errno, which the interrupted code may be about to read.
    let errno = rustix_errno();
    // SAFETY: `told` is valid for two bytes; the descriptor is this process's own or closed, and then the call fails.
    unsafe { libc::write(into, told.as_ptr().cast(), 2) };
    errno.restore();
}

/// The saved errno.
struct Errno(i32);

#[cfg(target_os = "linux")]
fn rustix_errno() -> Errno {
    // SAFETY: the address is this thread's own.
    Errno(unsafe { *libc::__errno_location() })
}

#[cfg(not(target_os = "linux"))]
fn rustix_errno() -> Errno {
    // SAFETY: the address is this thread's own.
    Errno(unsafe { *libc::__error() })
}

impl Errno {
    fn restore(self) {
        // SAFETY: as above.
        #[cfg(target_os = "linux")]
        unsafe {
            *libc::__errno_location() = self.0;
        }
        #[cfg(not(target_os = "linux"))]
        // SAFETY: as above.
        unsafe {
            *libc::__error() = self.0;
        }
    }
}

#[cfg(target_os = "linux")]
fn by_system(info: &libc::siginfo_t) -> bool {
    info.si_code > 0
}

/// Without a code of its own, a signal from the system has no sender.
#[cfg(not(target_os = "linux"))]
unsafe fn by_system(info: &libc::siginfo_t) -> bool {
    // SAFETY: the field is set for every signal on these systems.
    unsafe { info.si_pid() == 0 }
}

/// Sends `signal` to a process; whether that worked.
pub(super) fn send(pid: u32, signal: i32) -> bool {
    let Ok(pid) = i32::try_from(pid) else { return false };
    // SAFETY: the call takes two numbers. A child that is not reaped keeps its number.
    pid > 1 && unsafe { libc::kill(pid, signal) } == 0
}

/// Stops this process; returns when it continues.
pub(super) fn stop_self() {
    // SAFETY: the call takes one number.
    unsafe { libc::raise(libc::SIGSTOP) };
}

/// Whether a process is in this process's group, so that signals from the terminal reach it too.
pub(super) fn in_our_group(pid: u32) -> bool {
    let Ok(pid) = i32::try_from(pid) else { return false };
    // SAFETY: the calls take numbers.
    unsafe { libc::getpgid(pid) == libc::getpgrp() }
}

/// Ends this process by `signal`, as the command ended, without a core dump, which would be this process's and not the
/// command's. Returns if that isn't possible.
pub fn terminate_by_signal(signal: i32) {
    // SIGKILL would look like someone killing this process during its work.
    if signal == libc::SIGKILL {
        return;
    }
    // SAFETY: the calls take numbers and structures that are valid.
    unsafe {
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
        libc::signal(signal, libc::SIG_DFL);
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, signal);
        libc::sigprocmask(libc::SIG_UNBLOCK, &raw const set, std::ptr::null_mut());
        libc::raise(signal);
    }
}
