//! A process's identity. The system reuses ids, but not an id with the same start time, so files that name a process contain
//! both.
#![cfg_attr(
    not(target_os = "linux"),
    expect(unsafe_code, reason = "macOS and Windows tell a process's start only through C calls")
)]

use serde::{Deserialize, Serialize};

/// A process and its start time in the system's own unit: equal only for the same process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessMark {
    /// The system's id of the process.
    pub pid: u32,
    /// When it started: clock ticks since boot on Linux, microseconds since 1970 on macOS, 100 ns since
    /// 1601 on Windows. Compared, never shown.
    pub started: u64,
}

impl ProcessMark {
    /// The mark of a living process; `None` without one.
    pub fn of(pid: u32) -> Option<ProcessMark> {
        start_of(pid).map(|started| ProcessMark { pid, started })
    }

    /// This process's mark, with a start time of 0 if the system doesn't tell it.
    pub fn current() -> ProcessMark {
        let pid = std::process::id();
        ProcessMark::of(pid).unwrap_or(ProcessMark { pid, started: 0 })
    }

    /// Whether this very process is still running.
    pub fn is_alive(self) -> bool {
        ProcessMark::of(self.pid) == Some(self)
    }
}

#[cfg(target_os = "linux")]
fn start_of(pid: u32) -> Option<u64> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the program's name in parentheses and may contain anything, so count from the last parenthesis.
    let after_name = stat.iter().rposition(|b| *b == b')')? + 1;
    let text = std::str::from_utf8(&stat[after_name..]).ok()?;
    let mut fields = text.split_ascii_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X") {
        return None;
    }
    // The state is field 3; the start is field 22.
    fields.nth(18)?.parse().ok()
}

#[cfg(all(unix, not(target_os = "linux")))]
fn start_of(pid: u32) -> Option<u64> {
    #[cfg(target_os = "macos")]
    {
        let mut info = std::mem::MaybeUninit::<libc::proc_bsdinfo>::zeroed();
        let size = i32::try_from(size_of::<libc::proc_bsdinfo>()).ok()?;
        // SAFETY: the buffer is as large as the size says, and all-zero bytes are a valid proc_bsdinfo.
        let info = unsafe {
            let got = libc::proc_pidinfo(
                i32::try_from(pid).ok()?,
                libc::PROC_PIDTBSDINFO,
                0,
                info.as_mut_ptr().cast(),
                size,
            );
            if got != size {
                return None;
            }
            info.assume_init()
        };
        (info.pbi_status != libc::SZOMB).then(|| info.pbi_start_tvsec * 1_000_000 + info.pbi_start_tvusec)
    }
    #[cfg(not(target_os = "macos"))]
    {
        let pid = rustix::process::Pid::from_raw(i32::try_from(pid).ok()?)?;
        rustix::process::test_kill_process(pid).ok().map(|()| 0)
    }
}

#[cfg(windows)]
fn start_of(pid: u32) -> Option<u64> {
    use windows_sys::Win32::Foundation::{CloseHandle, FILETIME, WAIT_TIMEOUT};
    use windows_sys::Win32::System::Threading::{
        GetProcessTimes, OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_SYNCHRONIZE,
        WaitForSingleObject,
    };
    let mut times = [FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 }; 4];
    let [created, exited, kernel, user] = &mut times;
    // SAFETY: the handle is checked before use and closed once; the four out-pointers are valid locals.
    let alive = unsafe {
        let handle = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_SYNCHRONIZE, 0, pid);
        if handle.is_null() {
            return None;
        }
        let told = GetProcessTimes(handle, created, exited, kernel, user) != 0;
        let running = WaitForSingleObject(handle, 0) == WAIT_TIMEOUT;
        CloseHandle(handle);
        told && running
    };
    alive.then(|| (u64::from(times[0].dwHighDateTime) << 32) | u64::from(times[0].dwLowDateTime))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_fits_one_process_only() {
        let own = ProcessMark::current();
        assert!(own.is_alive());
        assert!(!ProcessMark { started: own.started + 1, ..own }.is_alive());
        assert_eq!(ProcessMark::of(u32::MAX), None);
    }
}
