//! Advisory locks between Plimsoll's own processes, one file per name in `locks/`. The system releases them when a
//! process dies, so a `kill -9` leaves nothing behind.

use std::fs::{File, TryLockError};
use std::time::{Duration, Instant};

use crate::files::folder_problem;
use crate::paths::Home;
use crate::{HomeError, io_error, private_dir, private_options};

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub struct FileLock(#[expect(dead_code, reason = "dropping the file releases the lock")] File);

/// Takes the lock `name`, waiting at most `wait`.
///
/// # Errors
/// [`HomeError::Locked`] if another process holds it all that time; [`HomeError::ForeignHome`] in a folder that isn't
/// Plimsoll's; [`HomeError::Unusable`] in one that can't be opened; [`HomeError::Io`] otherwise.
pub fn lock(home: &Home, name: &str, wait: Duration) -> Result<FileLock, HomeError> {
    home.check_usable()?;
    home.check()?;
    let dir = home.locks_dir();
    if let Some(reason) = folder_problem(&dir) {
        return Err(HomeError::Unusable { path: dir, reason });
    }
    private_dir(&dir).map_err(io_error(&dir))?;
    let path = dir.join(format!("{name}.lock"));
    let mut options = private_options();
    let file = options.create(true).write(true).truncate(false).open(&path).map_err(io_error(&path))?;
    let started = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(FileLock(file)),
            Err(TryLockError::WouldBlock) => {
                let waited = started.elapsed();
                if waited >= wait {
                    return Err(HomeError::Locked { name: name.to_owned(), waited_ms: waited.as_millis() });
                }
                std::thread::sleep(Duration::from_millis(5).min(wait - waited));
            }
            Err(TryLockError::Error(source)) => return Err(HomeError::Io { path, source }),
        }
    }
}
