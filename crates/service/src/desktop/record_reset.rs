//! Starts a new record after `plimsoll.db` was damaged beyond repair, keeping the damaged file.

use std::path::PathBuf;

use contract::desktop::StartedFresh;
use contract::{Error, ErrorCode, Fault};
use sessions::Sessions;

use super::Desktop;
use crate::{failure, messages};

impl Desktop {
    /// Sets a damaged record aside and starts a new one. If some data can be salvaged, that happens instead, as on
    /// every open.
    ///
    /// # Errors
    /// If the record is readable or in use, or its file can't be moved; nothing has changed then.
    pub fn start_fresh(&self) -> Result<StartedFresh, Error> {
        let home = self.service.home();
        let fine = || Error::new(ErrorCode::InvalidArgument, messages::record_fine());
        let damaged = match self.service.read_record().and_then(|open| open.map_or(Ok(()), readable)) {
            Ok(()) => return Err(fine()),
            Err(error) => failure::from_storage(&error),
        };
        if damaged.fault != Some(Fault::Damaged) {
            return Err(damaged);
        }
        // A regular open salvages what it can row by row and keeps the damaged file itself.
        if self.service.open_record().is_ok_and(|open| readable(open).is_ok()) {
            return Ok(StartedFresh { kept: home::as_text(&self.newest_set_aside()).into_owned() });
        }
        let kept = home::set_aside(&home.main_db(), self.service.now_ms()).map_err(|error| {
            if error.kind() == std::io::ErrorKind::WouldBlock {
                Error::new(ErrorCode::Storage, messages::record_busy())
            } else {
                failure::from_file(&home.main_db(), &error)
            }
        })?;
        drop(self.service.open_record().map_err(|error| failure::from_storage(&error))?);
        Ok(StartedFresh { kept: home::as_text(&kept).into_owned() })
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
    fn a_record_that_cannot_be_read_is_kept_aside_and_begins_again() {
        let dir = tempfile::tempdir().unwrap();
        let desktop = desktop(dir.path());
        let home = desktop.service().home().clone();
        home.ensure().unwrap();
        let rubbish = b"SQLite format 3\0 and then nothing that could be read".repeat(300);
        std::fs::write(home.main_db(), &rubbish).unwrap();
        let problems = desktop.overview(contract::desktop::Period::default()).problems;
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(problems[0].remedy, contract::desktop::Remedy::StartFresh);

        let with_current_settings = desktop.start_fresh().unwrap();
        assert_eq!(
            std::fs::read(&with_current_settings.kept).unwrap(),
            rubbish,
            "the damaged file is kept as it was"
        );
        assert!(desktop.overview(contract::desktop::Period::default()).problems.is_empty());
        // A second call has nothing to do and loses nothing.
        assert_eq!(desktop.start_fresh().unwrap_err().code, ErrorCode::InvalidArgument);
    }
}
