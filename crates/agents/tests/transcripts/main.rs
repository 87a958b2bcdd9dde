//! The agents' own records of their sessions: their locations, each format line by line, and that every response is counted
//! once.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod formats;
mod home;

use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("tests/transcripts/fixtures")
}
