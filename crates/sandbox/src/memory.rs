//! Memory of a process that lives long and works seldom: returns what its start or one large output needed to the system
//! instead of keeping it for the next.
//!
//! The C library keeps freed memory, in as many arenas as there were threads, and after one large block keeps the next ones
//! too. On glibc this is configured otherwise; other libraries return memory by themselves. On Linux the pages of the program's
//! own files are unmapped as well ([`program_pages`]).
#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "the C library and the system are told by C calls")
)]

#[cfg(target_os = "linux")]
mod program_pages;

/// Blocks of at least this size are mapped directly from the system, in bytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 256 * 1024;

/// Prepares a process that will live long, at its start: before other threads, and before a library is loaded.
pub fn prepare() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the calls take numbers; no other thread that could allocate is running yet.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_ARENA_MAX, 2);
    }
    #[cfg(target_os = "linux")]
    program_pages::note();
}

/// Returns memory that isn't needed now to the system. Takes some milliseconds.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the call takes a number and locks what it needs.
    unsafe {
        libc::malloc_trim(0);
    }
    #[cfg(target_os = "linux")]
    program_pages::release();
}
