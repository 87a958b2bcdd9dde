//! How much has been written since somebody last looked at the space that it takes: one counter for all processes, so
//! that a process that writes one output and ends counts as much as a server.
//!
//! The counter is the length of a file to which everybody appends: no lock, and nothing is lost when two write at once.
//! Who removes what, and when, is not decided here.

use std::io::Write as _;
use std::path::PathBuf;

use crate::Home;

/// What one byte of the file stands for. Whatever is written costs a row and a few pages, so it counts as much at least.
const UNIT: u64 = 16 * 1024;
/// More than this is not noted at once: whoever looks will look by then.
const MOST: u64 = 1 << 16;

fn file(home: &Home) -> PathBuf {
    home.cache_dir().join("grown")
}

/// Notes that about so many bytes have been written.
pub fn grown(home: &Home, bytes: u64) {
    let path = file(home);
    let _ = crate::private_dir(&home.cache_dir());
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let units = usize::try_from(bytes.div_ceil(UNIT).clamp(1, MOST)).unwrap_or(1);
    let noted = options.open(&path).and_then(|mut file| file.write_all(&vec![b'.'; units]));
    if let Err(error) = noted {
        log::info!("{}: {error}", path.display());
    }
}

/// About how many bytes have been written since the last [`reset_growth`].
pub fn growth(home: &Home) -> u64 {
    file(home).metadata().map_or(0, |meta| meta.len()).saturating_mul(UNIT)
}

/// Somebody has looked.
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
    fn everybody_adds_to_one_counter() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        assert_eq!(growth(&home), 0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..50).for_each(|_| grown(&home, UNIT + 1)));
            }
        });
        assert_eq!(growth(&home), 4 * 50 * 2 * UNIT);
        grown(&home, 0);
        assert_eq!(growth(&home), 401 * UNIT);
        reset_growth(&home);
        assert_eq!(growth(&home), 0);
        grown(&home, u64::MAX);
        assert_eq!(growth(&home), MOST * UNIT);
    }
}
