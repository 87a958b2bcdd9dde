//! Ages: the time a number of days ago, and removing files by age.

use std::path::Path;
use std::time::{Duration, SystemTime};

/// A day, in milliseconds.
pub(crate) const DAY_MS: i64 = 86_400_000;

/// The time `days` before `now_ms`.
pub(crate) fn before(now_ms: i64, days: u32) -> i64 {
    now_ms.saturating_sub(i64::from(days).saturating_mul(DAY_MS))
}

/// Removes a folder's files last written before `before_ms` and returns their number. Subfolders stay.
pub(crate) fn remove_old(dir: &Path, before_ms: i64) -> usize {
    let Ok(before) = u64::try_from(before_ms) else { return 0 };
    let before = SystemTime::UNIX_EPOCH + Duration::from_millis(before);
    let old = |entry: &std::fs::DirEntry| {
        let meta = entry.metadata().ok().filter(std::fs::Metadata::is_file);
        meta.and_then(|meta| meta.modified().ok()).is_some_and(|written| written < before)
    };
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.filter(|entry| old(entry) && std::fs::remove_file(entry.path()).is_ok()).count()
}
