//! Size and time of a file, folder or ignore file, and whether the time is old enough to rule out a later change.

use std::fs::Metadata;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// A clock that counts in whole seconds, as some file systems' do, is this coarse …
const WHOLE_SECONDS_NS: i64 = 2_000_000_000;
/// … and any other ticks at least so often.
const TICK_NS: i64 = 50_000_000;

/// A folder or an ignore file, as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// Relative to the project; absolute for a path above the project.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// When it was changed.
    pub mtime_ns: i64,
}

/// Whether a file with this time, seen then, can't have changed since without getting another time.
pub(crate) fn is_settled(mtime_ns: i64, looked_ns: i64) -> bool {
    let tick = if mtime_ns % 1_000_000_000 == 0 { WHOLE_SECONDS_NS } else { TICK_NS };
    mtime_ns.saturating_add(tick) < looked_ns
}

/// When a file was changed, in nanoseconds since 1970. What sets the time back, as `cp -p` and `touch -r` do, can't set back
/// when it did so.
pub(crate) fn mtime_ns(meta: &Metadata) -> i64 {
    let since = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified = since.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX));
    modified.max(status_changed_ns(meta))
}

#[cfg(unix)]
fn status_changed_ns(meta: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt as _;
    meta.ctime().saturating_mul(1_000_000_000).saturating_add(meta.ctime_nsec())
}

/// On Windows, programs can set every file time.
#[cfg(not(unix))]
fn status_changed_ns(_: &Metadata) -> i64 {
    0
}

/// The current stamp of `path`, under the name `called`.
pub(crate) fn stamp(path: &Path, called: &str) -> Option<Stamp> {
    let meta = std::fs::symlink_metadata(path).ok()?;
    // A folder's size is the file system's own business.
    let size = if meta.is_dir() { 0 } else { meta.len() };
    Some(Stamp { path: called.to_owned(), size, mtime_ns: mtime_ns(&meta) })
}
