//! The way out when `plimsoll.db` is so damaged that nothing of it can be saved: it is set aside, and a fresh one begins.

use std::path::PathBuf;

use contract::desktop::StartedFresh;
use contract::{Error, ErrorCode, Fault};
use sessions::Sessions;

use super::Desktop;
use crate::{failure, messages};

impl Desktop {
    /// Sets a damaged record aside and starts a fresh one. What can be saved of it is saved instead, as at every opening.
    ///
    /// # Errors
    /// When the record can be read, is in use, or its file cannot be moved; nothing is then changed.
    pub fn start_fresh(&self) -> Result<StartedFresh, Error> {
        let home = self.service.home();
        let fine = || Error::new(ErrorCode::InvalidArgument, messages::record_fine());
        let damaged = match self.service.read_record().and_then(|open| open.map_or(Ok(()), readable)) {
            Ok(()) => return Err(fine()),
            Err(error) => failure::of_storage(&error),
        };
        if damaged.fault != Some(Fault::Damaged) {
            return Err(damaged);
        }
        // Opening it properly saves row by row what can be saved, and keeps the damaged file itself.
        if self.service.open_record().is_ok_and(|open| readable(open).is_ok()) {
            return Ok(StartedFresh { kept: self.newest_set_aside() });
        }
        let kept = home::set_aside(&home.main_db(), self.service.now_ms()).map_err(|error| {
            if error.kind() == std::io::ErrorKind::WouldBlock {
                Error::new(ErrorCode::Storage, messages::record_busy())
            } else {
                failure::of_file(&home.main_db(), &error)
            }
        })?;
        drop(self.service.open_record().map_err(|error| failure::of_storage(&error))?);
        Ok(StartedFresh { kept })
    }

    /// The damaged copy that was kept last.
    fn newest_set_aside(&self) -> PathBuf {
        let main = self.service.home().main_db();
        let name = main.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut beside: Vec<PathBuf> = std::fs::read_dir(self.service.home().root())
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| {
                let own =
                    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                own.starts_with(&name) && own.contains("damaged")
            })
            .collect();
        beside.sort_by_key(|path| std::fs::metadata(path).and_then(|meta| meta.modified()).ok());
        beside.pop().unwrap_or(main)
    }
}

/// Whether its figures can be read.
fn readable(sessions: Sessions) -> Result<(), sessions::SessionsError> {
    sessions.stats(0).map(drop)
}

#[cfg(test)]
mod tests {
    use home::{Clock, Env};

    use super::*;
    use crate::Service;

    fn desktop(dir: &std::path::Path) -> Desktop {
        Desktop::new(std::sync::Arc::new(Service::new(Env::for_test(dir), Clock::fixed(5)).unwrap()))
    }

    #[test]
    fn a_record_that_cannot_be_read_is_kept_aside_and_begins_afresh() {
        let dir = tempfile::tempdir().unwrap();
        let desktop = desktop(dir.path());
        let home = desktop.service().home().clone();
        home.ensure().unwrap();
        let rubbish = b"SQLite format 3\0 and then nothing that could be read".repeat(300);
        std::fs::write(home.main_db(), &rubbish).unwrap();
        let problems = desktop.overview(contract::desktop::Period::default()).problems;
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(problems[0].remedy, contract::desktop::Remedy::StartFresh);

        let fresh = desktop.start_fresh().unwrap();
        assert_eq!(std::fs::read(&fresh.kept).unwrap(), rubbish, "the damaged file is kept as it was");
        assert!(desktop.overview(contract::desktop::Period::default()).problems.is_empty());
        // A second time there is nothing to do, and nothing is lost by asking.
        assert_eq!(desktop.start_fresh().unwrap_err().code, ErrorCode::InvalidArgument);
    }
}
