//! The crate's tests that start processes. One program, because linking costs more than running.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

#[cfg(target_os = "linux")]
mod confine;
mod languages;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod processes;
mod runs;
mod scratch;
#[cfg(unix)]
mod tasks;
