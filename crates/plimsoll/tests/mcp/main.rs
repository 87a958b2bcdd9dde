//! The built binary driven over standard input and output, as an agent would.

#![expect(clippy::expect_used, reason = "helpers of tests, where a failed expectation is the finding")]

mod calls;
mod client;
mod codebase;
#[cfg(unix)]
mod diagnostics;
mod lifetime;
mod protocol;
mod sampling;
mod sharing;
mod unreadable;
mod unwritable;
mod values;
