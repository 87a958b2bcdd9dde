//! Runs git on a work tree without running any of the repository's programs or using the network, and with a time
//! limit.

use std::io::{Read as _, Seek as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Maximum run time.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(5);
/// Interval between checks whether git has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// Maximum output read.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Git's output; `None` if git is missing, fails or takes too long. Starts no program that the repository configures.
pub(super) fn git(root: &Path, args: &[&str]) -> Option<String> {
    git_until(root, args, Instant::now() + TIME_LIMIT)
}

/// The same until a moment, for several answers that somebody waits for.
pub(super) fn git_until(root: &Path, args: &[&str], end: Instant) -> Option<String> {
    if Instant::now() >= end {
        return None;
    }
    let mut out = tempfile::tempfile().ok()?;
    let mut child = Command::new("git")
        .args([
            "--no-pager",
            "-c",
            "core.fsmonitor=false",
            "-c",
            "log.showSignature=false",
            "-c",
            "diff.renameLimit=2000",
        ])
        .arg("-C")
        .arg(root)
        .args(args)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .stdin(Stdio::null())
        .stdout(out.try_clone().ok()?)
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < end => std::thread::sleep(POLL_INTERVAL),
            _ => {
                log::warn!("git took too long in {}", root.display());
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    };
    if !status.success() {
        return None;
    }
    let mut text = Vec::new();
    out.rewind().ok()?;
    out.take(MAX_BYTES).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_git_whose_time_is_over_is_not_started() {
        assert_eq!(git_until(Path::new("."), &["--version"], Instant::now()), None);
    }
}
