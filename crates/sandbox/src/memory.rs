//! Memory of a process that lives long and works seldom: returns what one large output needed to the system instead of
//! keeping it for the next.
//!
//! The C library keeps freed memory, in as many arenas as there were threads, and after one large block keeps the next ones
//! too. On glibc this is configured otherwise; other libraries return memory by themselves.
#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "the C library is told by C calls")
)]

/// Blocks of at least this size are mapped directly from the system, in bytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 256 * 1024;

/// Configures the allocator at the start of a long-lived process.
pub fn configure_allocator() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the calls take numbers; no other thread that could allocate is running yet.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_ARENA_MAX, 2);
    }
}

/// Returns free memory to the system. Takes some milliseconds.
pub fn trim() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the call takes a number and locks what it needs.
    unsafe {
        libc::malloc_trim(0);
    }
}
