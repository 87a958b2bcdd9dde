//! Counts how much has been written since the disk usage was last checked: one counter for all processes, so that a
//! process that writes one output and ends counts as much as a server.
//!
//! The counter is the length of a file to which every process appends: it needs no lock, and concurrent writes lose
//! nothing. Doesn't decide what is removed or when.

use std::path::PathBuf;

use crate::Home;

/// The bytes that one byte of the file represents. Any write costs a row and a few pages, so it counts as at least
/// that much.
const UNIT_BYTES: u64 = 16 * 1024;
/// The most that is added at once: after this much, the next check is due anyway.
const MAX_ADDED: u64 = 1 << 16;

fn file(home: &Home) -> PathBuf {
    home.cache_dir().join("grown")
}

/// Records that about `bytes` bytes have been written.
pub fn add_growth(home: &Home, bytes: u64) {
    let path = file(home);
    let units = usize::try_from(bytes.div_ceil(UNIT_BYTES).clamp(1, MAX_ADDED)).unwrap_or(1);
    if let Err(error) = crate::append_private(&path, &vec![b'.'; units]) {
        log::info!("{}: {error}", path.display());
    }
}

/// Roughly how many bytes have been written since the last [`reset_growth`].
pub fn growth(home: &Home) -> u64 {
    file(home).metadata().map_or(0, |meta| meta.len()).saturating_mul(UNIT_BYTES)
}

/// Resets the counter after a check.
pub fn reset_growth(home: &Home) {
    let path = file(home);
    if let Err(error) = std::fs::OpenOptions::new().write(true).truncate(true).open(&path) {
        log::info!("{}: {error}", path.display());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_processes_share_one_counter() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        assert_eq!(growth(&home), 0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..50).for_each(|_| add_growth(&home, UNIT_BYTES + 1)));
            }
        });
        assert_eq!(growth(&home), 4 * 50 * 2 * UNIT_BYTES);
        add_growth(&home, 0);
        assert_eq!(growth(&home), 401 * UNIT_BYTES);
        reset_growth(&home);
        assert_eq!(growth(&home), 0);
        add_growth(&home, u64::MAX);
        assert_eq!(growth(&home), MAX_ADDED * UNIT_BYTES);
    }
}
