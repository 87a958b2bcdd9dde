//! The built binary driven over standard input and output, like an agent.

#![expect(clippy::expect_used, reason = "helpers of tests, where a failed expectation is the finding")]

mod calls;
mod client;
mod code_memories;
mod codebase;
mod codebase_card;
mod codebase_worker;
#[cfg(unix)]
mod diagnostics;
mod json_text;
mod lifetime;
mod memories;
mod outputs;
mod protocol;
mod raw_lines;
mod sampling;
#[cfg(unix)]
mod servers;
mod sharing;
mod unreadable;
mod unwritable;
