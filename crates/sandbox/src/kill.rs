//! Ends processes: a whole group by its leader. First a request (TERM), then force (KILL). Doesn't wait or reap; that is up
//! to whoever started the process.
#![cfg_attr(windows, expect(unsafe_code, reason = "Windows ends a process only through a C call"))]

use crate::ProcessMark;

/// How to end a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    /// SIGTERM: a program may clean up. On Windows the same as [`Force::Kill`].
    Ask,
    /// SIGKILL, or termination on Windows: can't be refused.
    Kill,
}

/// Ends the process group that `leader` leads, if that very process is still running. On Windows ends the leader; the job
/// object of the process that started it ends the rest. `false` if there was nothing to end.
pub fn group_of(leader: ProcessMark, force: Force) -> bool {
    leader.is_alive() && signal_group(leader.pid, force)
}

/// Signals a group by id. The caller guarantees that the id still belongs to that group: the leader is running, or has
/// ended and isn't reaped.
#[cfg(unix)]
pub(crate) fn signal_group(pid: u32, force: Force) -> bool {
    use rustix::process::{Pid, Signal, kill_process_group};
    let signal = match force {
        Force::Ask => Signal::TERM,
        Force::Kill => Signal::KILL,
    };
    // Ids 0 and 1 would mean this process's own group and every process.
    i32::try_from(pid)
        .ok()
        .filter(|pid| *pid > 1)
        .and_then(Pid::from_raw)
        .is_some_and(|pid| kill_process_group(pid, signal).is_ok())
}

#[cfg(windows)]
fn signal_group(pid: u32, _force: Force) -> bool {
    use windows_sys::Win32::Foundation::CloseHandle;
    use windows_sys::Win32::System::Threading::{OpenProcess, PROCESS_TERMINATE, TerminateProcess};
    // SAFETY: the handle is checked before use and closed once.
    unsafe {
        let handle = OpenProcess(PROCESS_TERMINATE, 0, pid);
        if handle.is_null() {
            return false;
        }
        let ended = TerminateProcess(handle, 1) != 0;
        CloseHandle(handle);
        ended
    }
}
