//! Opening `plimsoll.db`, and how everything is written to it and read from it.

use std::path::PathBuf;

use home::{Db, DbError, Home};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, Transaction};

use crate::error::SessionsError;
use crate::guest::Guest;
use crate::pending;
use crate::rollup;
use crate::schema::{MIGRATIONS, NEWEST};

/// How long a hook waits for another process to finish writing.
const QUICK_WAIT: std::time::Duration = std::time::Duration::from_millis(60);

/// How long the log may grow, in pages of 4 KB, before a hook moves it into the file.
const QUICK_LOG_PAGES: u32 = 400;

/// For how long a hook leaves a database alone that could not be opened.
const LEFT_ALONE: std::time::Duration = std::time::Duration::from_secs(300);

/// The open record of sessions.
#[derive(Debug)]
pub struct Sessions {
    pub(crate) db: Db,
    home: Home,
    mode: Mode,
    pub(crate) guests: Vec<&'static Guest>,
}

/// What an open record may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Full,
    /// A hook's: writes, and takes lines over only when asked to.
    Quick,
    ReadOnly,
}

impl Sessions {
    /// Gives up what is kept in memory of the file; it is read again when it is needed.
    pub fn release_memory(&self) {
        self.db.release_memory();
    }

    /// Opens `plimsoll.db`, creating and migrating it as needed. `guests` are all who have tables in it.
    ///
    /// # Errors
    /// See [`DbError`]; the file is then as it was.
    pub fn open(home: &Home, guests: &[&'static Guest]) -> Result<Sessions, SessionsError> {
        let db = home::open_db(&home.main_db(), MIGRATIONS)?;
        if db.salvaged().is_some() {
            rollup::mend(&db).map_err(|source| DbError::from_sqlite(db.path(), source))?;
        }
        let _ = std::fs::remove_file(trouble(home));
        let sessions = Sessions { db, home: home.clone(), mode: Mode::Full, guests: guests.to_vec() };
        sessions.catch_up();
        Ok(sessions)
    }

    /// The same for a hook, which has milliseconds: without the check after an unclean end. A database that
    /// could not be opened is not tried again for five minutes.
    ///
    /// # Errors
    /// See [`DbError`]; [`SessionsError::LeftAlone`] in those five minutes.
    pub fn open_quickly(home: &Home, guests: &[&'static Guest]) -> Result<Sessions, SessionsError> {
        let mark = trouble(home);
        let age = std::fs::metadata(&mark).and_then(|meta| meta.modified()).map(|then| then.elapsed());
        if age.is_ok_and(|age| age.is_ok_and(|age| age < LEFT_ALONE)) {
            return Err(SessionsError::LeftAlone { path: home.main_db() });
        }
        let db = match home::open_db_unchecked(&home.main_db(), MIGRATIONS) {
            Ok(db) => db,
            // Another process is at work; that passes.
            Err(error @ DbError::Busy { .. }) => return Err(error.into()),
            Err(error) => {
                let _ = std::fs::write(mark, "");
                return Err(error.into());
            }
        };
        // Less than a hook has: recording must never make an agent wait.
        let settled = db
            .busy_timeout(QUICK_WAIT)
            // Moving the log into the file waits for the disk, tens of milliseconds. The log stays instead;
            // servers move it when they close, and a hook only when it has grown.
            .and_then(|()| db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true))
            .and_then(|_| db.pragma_update(None, "wal_autocheckpoint", QUICK_LOG_PAGES));
        settled.map_err(|source| DbError::from_sqlite(db.path(), source))?;
        Ok(Sessions { db, home: home.clone(), mode: Mode::Quick, guests: guests.to_vec() })
    }

    /// Opens for reading; `None` when nothing was ever recorded.
    ///
    /// # Errors
    /// See [`DbError`].
    pub fn open_read_only(home: &Home, guests: &[&'static Guest]) -> Result<Option<Sessions>, SessionsError> {
        take_over_beside(home, guests);
        let Some(db) = home::open_db_read_only(&home.main_db(), NEWEST)? else { return Ok(None) };
        // A file that another process has just created may not hold its tables yet.
        let ready: rusqlite::Result<i64> =
            db.query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'receipts'", [], |row| row.get(0));
        match ready.map_err(|source| DbError::from_sqlite(db.path(), source))? {
            0 => Ok(None),
            _ => {
                let guests = guests.to_vec();
                Ok(Some(Sessions { db, home: home.clone(), mode: Mode::ReadOnly, guests }))
            }
        }
    }

    /// Takes over what hooks left ([`crate::note`]); how much. Every other reading or writing does so by
    /// itself, except for a hook's.
    ///
    /// # Errors
    /// See [`DbError`]; it then stays where it is.
    pub fn take_over(&self) -> Result<usize, SessionsError> {
        let path = pending::path(&self.home);
        if pending::waiting(&path) { pending::take_over(&self.db, &path, &self.guests) } else { Ok(0) }
    }

    /// Takes over what hooks left, as far as that is possible now: figures that lack the last events are better
    /// than none.
    fn catch_up(&self) {
        match self.mode {
            Mode::Full => {
                if let Err(error) = self.take_over() {
                    log::warn!("what hooks recorded could not be taken over: {error}");
                }
            }
            Mode::ReadOnly => take_over_beside(&self.home, &self.guests),
            Mode::Quick => {}
        }
    }

    pub(crate) fn write<T>(
        &mut self,
        f: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, SessionsError> {
        self.catch_up();
        Ok(home::write(&mut self.db, f)?)
    }

    /// Reads with everything in it that hooks left; for the tables of guests too.
    ///
    /// # Errors
    /// See [`DbError`].
    pub fn read<T>(&self, f: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, SessionsError> {
        self.catch_up();
        f(&self.db).map_err(|source| DbError::from_sqlite(self.db.path(), source).into())
    }

    /// Reads several things as of one moment, so that a total and its parts agree.
    ///
    /// # Errors
    /// See [`DbError`].
    pub fn read_at_once<T>(
        &self,
        f: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, SessionsError> {
        self.read(|db| {
            let moment = db.unchecked_transaction()?;
            let value = f(&moment)?;
            moment.finish()?;
            Ok(value)
        })
    }
}

/// The mark of a database that a hook could not open.
fn trouble(home: &Home) -> PathBuf {
    home.main_db().with_extension("db.trouble")
}

/// Takes over what hooks left, for a reader that cannot write.
fn take_over_beside(home: &Home, guests: &[&'static Guest]) {
    if !pending::waiting(&pending::path(home)) {
        return;
    }
    let taken = Sessions::open_quickly(home, guests).and_then(|sessions| sessions.take_over());
    if let Err(error) = taken {
        log::info!("what hooks recorded could not be taken over: {error}");
    }
}
