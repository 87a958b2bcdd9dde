//! The memory of a process that lives long and works seldom: what was needed for one large output goes back to the system
//! instead of waiting for the next.
//!
//! The C library keeps what was freed, in as many arenas as there were threads, and learns from one large block to keep
//! the next ones as well. Where that is so (glibc) it is told otherwise; other libraries give back by themselves.
#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "the C library is told by C calls")
)]

/// Large blocks are the system's own from this size on, in bytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 256 * 1024;

/// For the start of a process that lives long.
pub fn sparing() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the calls take numbers; no other thread runs yet that could allocate meanwhile.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_ARENA_MAX, 2);
    }
}

/// Gives what is free back to the system. Takes some milliseconds.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the call takes a number and locks what it needs.
    unsafe {
        libc::malloc_trim(0);
    }
}
