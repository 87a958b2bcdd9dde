//! Ending processes: a whole group by its leader. Asks first (TERM), then insists (KILL).
//!
//! Does not wait and does not reap; that is for whoever started the process.
#![cfg_attr(windows, expect(unsafe_code, reason = "Windows ends a process only through a C call"))]

use crate::ProcessMark;

/// How hard to push.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    /// SIGTERM: a program may clean up. On Windows the same as [`Force::Kill`].
    Ask,
    /// SIGKILL, or termination on Windows: nobody can refuse.
    Kill,
}

/// Ends the process group that `leader` leads, if that very process still runs. On Windows ends the
/// leader; its job object, held by the process that started it, ends the rest. False when there was nothing to end.
pub fn group_of(leader: ProcessMark, force: Force) -> bool {
    leader.is_alive() && signal_group(leader.pid, force)
}

/// Signals a group by number. The caller vouches that the number still belongs to the group it means:
/// the leader runs, or has ended and is not reaped.
#[cfg(unix)]
pub(crate) fn signal_group(pid: u32, force: Force) -> bool {
    use rustix::process::{Pid, Signal, kill_process_group};
    let signal = match force {
        Force::Ask => Signal::TERM,
        Force::Kill => Signal::KILL,
    };
    // Numbers 0 and 1 would mean our own group and everybody.
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
