//! `kill -9` at any moment, many writers at once, a full disk, a damaged file: whatever was acknowledged stays searchable, and no
//! one's file is torn.
//!
//! `PLIMSOLL_CRASH_KILLS` sets how many kills must hit the four kinds of work midway, in total (60 by default; `cargo xtask
//! test` sets 300). The moments are spread over the time that the work takes undisturbed. A kill before anything was done or
//! after everything was is repeated.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod concurrent_servers;
mod connecting;
mod damage;
mod disk;
mod indexing;
mod kill_timing;
mod purging;
mod state;
mod stored_texts;
