//! `kill -9` at any moment, many writers at once, a full disk, a damaged file: what was answered for stays
//! searchable, and no file of anybody is torn.
//!
//! `PLIMSOLL_CRASH_KILLS` sets how many kills must hit the four kinds of work in their middle, all together (60 when it
//! is not set; `cargo xtask test` sets 300). The moments are spread over the time that the work takes when
//! it is left alone. A kill that comes before anything was done or after everything was is made again.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod connecting;
mod damage;
mod disk;
mod indexing;
mod pace;
mod purging;
mod ships;
mod state;
mod together;
