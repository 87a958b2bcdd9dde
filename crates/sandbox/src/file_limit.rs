//! The limit of a file's size (`ulimit -f`): a write beyond it fails, as on a full disk, instead of ending the process.
#![cfg_attr(unix, expect(unsafe_code, reason = "a handler is set by a C call"))]

/// From now on, a write beyond the limit fails in this process. What it starts is ended by the system as before: `exec`
/// forgets a handler, but would keep an ignored signal. A signal that's ignored or handled already stays so.
pub fn survive() {
    #[cfg(unix)]
    // SAFETY: both structures are plain data for which zeroes are valid; the handler does nothing.
    unsafe {
        let mut before: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(libc::SIGXFSZ, std::ptr::null(), &raw mut before) != 0
            || before.sa_sigaction != libc::SIG_DFL
        {
            return;
        }
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = do_nothing as *const () as usize;
        action.sa_flags = libc::SA_RESTART;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(libc::SIGXFSZ, &raw const action, std::ptr::null_mut());
    }
}

#[cfg(unix)]
extern "C" fn do_nothing(_signal: i32) {}
