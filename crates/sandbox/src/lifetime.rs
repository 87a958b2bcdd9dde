//! Processes' lifetimes: detects that the parent is gone, so that a server never outlives the agent that started it, and
//! makes children end with the server.
//!
//! A parent is watched as a process (pidfd, kqueue, a handle), not by PDEATHSIG: that signal comes when the *thread* that
//! started this process ends, and agents do start servers from short-lived threads.
#![expect(unsafe_code, reason = "kqueue, process handles and the step before exec are C calls")]

#[cfg(unix)]
use rustix::process::{Pid, getppid};

/// Resolves when the process that is this one's parent at the time of the call has ended. Watching begins with the call,
/// not with the first poll. Uses one small thread, and no polling where the system can notify.
///
/// A parent that had ended before the call isn't noticed (on Unix another one has replaced it by then, on Windows it can
/// no longer be opened); a closed stdin is the sign of that.
pub fn parent_gone() -> impl Future<Output = ()> + Send + 'static {
    let parent = parent_id();
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let started = in_thread(move || {
        block_until_gone(parent);
        let _ = sender.send(());
    });
    if let Err(error) = &started {
        log::warn!("cannot watch the parent process: {error}");
    }
    async move {
        if receiver.await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

fn in_thread(watch: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let builder = std::thread::Builder::new().name("parent".into()).stack_size(64 * 1024);
    builder.spawn(watch).map(drop)
}

#[cfg(unix)]
fn parent_id() -> Option<Pid> {
    getppid()
}

#[cfg(unix)]
fn block_until_gone(parent: Option<Pid>) {
    // Without a pidfd, on an old kernel or in a strict container, a change of parent tells as much.
    if parent.is_none_or(|parent| wait_for_exit(parent).is_err()) {
        while getppid() == parent {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }
}

#[cfg(target_os = "linux")]
fn wait_for_exit(pid: Pid) -> rustix::io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    let fd = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty())?;
    // It may have ended, and its id been reused, before the handle was opened.
    if getppid() != Some(pid) {
        return Ok(());
    }
    let mut fds = [PollFd::new(&fd, PollFlags::IN)];
    loop {
        match poll(&mut fds, None) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}

#[cfg(target_os = "macos")]
fn wait_for_exit(pid: Pid) -> rustix::io::Result<()> {
    use rustix::event::kqueue::{Event, EventFilter, EventFlags, ProcessEvents, kevent_timespec, kqueue};
    let queue = kqueue()?;
    let wanted = Event::new(
        EventFilter::Proc { pid, flags: ProcessEvents::EXIT },
        EventFlags::ADD | EventFlags::ONESHOT,
        std::ptr::null_mut(),
    );
    // SAFETY: no file descriptor is registered, so none can be closed while it is.
    if unsafe { kevent_timespec(&queue, &[wanted], &mut [] as &mut [Event], None) }.is_err() {
        return Err(rustix::io::Errno::NOTSUP);
    }
    if getppid() != Some(pid) {
        return Ok(());
    }
    let mut told: Vec<Event> = Vec::with_capacity(1);
    loop {
        let room = rustix::buffer::spare_capacity(&mut told);
        // SAFETY: as above.
        match unsafe { kevent_timespec(&queue, &[], room, None) } {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "macos"))))]
fn wait_for_exit(_pid: Pid) -> rustix::io::Result<()> {
    Err(rustix::io::Errno::NOTSUP)
}

#[cfg(windows)]
fn block_until_gone(parent: Option<u32>) {
    use windows_sys::Win32::Foundation::CloseHandle;
    use windows_sys::Win32::System::Threading::{
        INFINITE, OpenProcess, PROCESS_SYNCHRONIZE, WaitForSingleObject,
    };
    if let Some(parent) = parent {
        // SAFETY: the handle is checked before use and closed once.
        unsafe {
            let handle = OpenProcess(PROCESS_SYNCHRONIZE, 0, parent);
            if !handle.is_null() {
                WaitForSingleObject(handle, INFINITE);
                CloseHandle(handle);
                return;
            }
        }
    }
    // No known process to watch: a parent with more privileges can't be opened although it lives, and a starter that has
    // ended says nothing about who has this process's pipes. A closed stdin is what ends this process then.
    loop {
        std::thread::park();
    }
}

/// The parent's id, from this process's basic information block.
#[cfg(windows)]
fn parent_id() -> Option<u32> {
    use windows_sys::Win32::System::Threading::GetCurrentProcess;
    #[repr(C)]
    struct Basic {
        exit_status: i32,
        peb: *mut core::ffi::c_void,
        affinity: usize,
        priority: i32,
        pid: usize,
        parent: usize,
    }
    #[link(name = "ntdll")]
    unsafe extern "system" {
        fn NtQueryInformationProcess(
            process: *mut core::ffi::c_void,
            class: u32,
            into: *mut Basic,
            length: u32,
            returned: *mut u32,
        ) -> i32;
    }
    let mut basic =
        Basic { exit_status: 0, peb: std::ptr::null_mut(), affinity: 0, priority: 0, pid: 0, parent: 0 };
    let length = u32::try_from(size_of::<Basic>()).ok()?;
    // SAFETY: class 0 fills exactly this block, whose length is passed along.
    let status = unsafe {
        NtQueryInformationProcess(GetCurrentProcess(), 0, &mut basic, length, std::ptr::null_mut())
    };
    (status == 0).then(|| u32::try_from(basic.parent).ok()).flatten()
}

/// Becomes readable when the child ends, and doesn't reap it. `None` if the kernel has no pidfd or forbids it. Needs a tokio
/// runtime.
#[cfg(target_os = "linux")]
pub(crate) fn exit_signal(pid: u32) -> Option<tokio::io::unix::AsyncFd<std::os::fd::OwnedFd>> {
    use rustix::process::{PidfdFlags, pidfd_open};
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw)?;
    let fd = pidfd_open(pid, PidfdFlags::empty()).ok()?;
    let readable = tokio::io::Interest::READABLE;
    // SAFETY: an OwnedFd always names the same open description, and is closed only when it is dropped.
    unsafe { tokio::io::unix::AsyncFd::register_with_interest(fd, readable) }.ok()
}

/// Makes a command's process die with the thread that starts it, which for a server on a current-thread runtime means with
/// the server (Linux only). Before that, the process adds its group to the guardian's `list`, which stays open until the
/// command has been started.
#[cfg(unix)]
pub(crate) fn kill_with_server(command: &mut tokio::process::Command, list: Option<std::os::fd::RawFd>) {
    use rustix::process::getpid;
    #[cfg(target_os = "linux")]
    let us = getpid();
    // SAFETY: between fork and exec only a few system calls are made, and nothing is allocated; `list` is open
    // in the parent while it starts the command, and so in its copy.
    unsafe {
        command.pre_exec(move || {
            if let Some(list) = list {
                let mut line = [0u8; 16];
                let list = std::os::fd::BorrowedFd::borrow_raw(list);
                // Without the line, only the group's first process ends with the server, as without a guardian.
                let _ = rustix::io::write(list, announcement(getpid().as_raw_nonzero().get(), &mut line));
            }
            #[cfg(target_os = "linux")]
            {
                use rustix::process::{Signal, set_parent_process_death_signal};
                // If the system forbids it, the command runs all the same.
                let _ = set_parent_process_death_signal(Some(Signal::KILL));
                if getppid() != Some(us) {
                    // The server died between fork and the line above: the signal will not come any longer.
                    return Err(std::io::Error::from_raw_os_error(3));
                }
            }
            Ok(())
        });
    }
}

/// `+ <pid>` and a line feed, written without allocating.
#[cfg(unix)]
fn announcement(pid: i32, line: &mut [u8; 16]) -> &[u8] {
    let mut at = line.len() - 1;
    line[at] = b'\n';
    let mut rest = pid.unsigned_abs();
    loop {
        at -= 1;
        line[at] = b'0' + u8::try_from(rest % 10).unwrap_or_default();
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    line[at - 1] = b' ';
    line[at - 2] = b'+';
    &line[at - 2..]
}

#[cfg(all(test, unix))]
mod tests {
    #[test]
    fn a_process_announces_itself_in_one_line() {
        let mut line = [0u8; 16];
        for (pid, printed) in [(1, "+ 1\n"), (4_194_304, "+ 4194304\n"), (i32::MAX, "+ 2147483647\n")] {
            assert_eq!(super::announcement(pid, &mut line), printed.as_bytes());
        }
    }
}
