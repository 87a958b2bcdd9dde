//! `kill -9` at any moment, many writers at once, a full disk, a damaged file: what was answered for stays
//! searchable, and no file of anybody is torn.
//!
//! `PLIMSOLL_CRASH_ROUNDS` sets how often each thing is killed (15 when it is not set). The moments are spread
//! over the time that the thing takes when it is left alone.
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
