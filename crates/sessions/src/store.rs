//! Opens `plimsoll.db`, and wraps every read and write.

use std::path::PathBuf;

use home::{Db, DbError, Home};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, Transaction};

use crate::error::SessionsError;
use crate::pending;
use crate::rollup;
use crate::schema::{MIGRATIONS, NEWEST};
use crate::system_table::Guest;

/// How long a hook waits for another writer.
const HOOK_WAIT: std::time::Duration = std::time::Duration::from_millis(60);

/// How long reading and booking wait for another writer. They can do without: figures then lack the latest notes, and rows
/// become notes.
const BRIEF_WAIT: std::time::Duration = std::time::Duration::from_millis(250);

/// The log's size in pages of 4 KB from which on a hook checkpoints it.
const HOOK_LOG_PAGES: u32 = 400;

/// For how long a hook doesn't retry a database that couldn't be opened.
const RETRY_AFTER: std::time::Duration = std::time::Duration::from_secs(300);

/// The open record of sessions.
#[derive(Debug)]
pub struct Sessions {
    pub(crate) db: Db,
    pub(crate) home: Home,
    mode: Mode,
    pub(crate) guests: Vec<&'static Guest>,
}

/// The mode in which the record is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Full,
    /// A hook's: writes, and imports pending lines only on request.
    Hook,
    ReadOnly,
}

impl Sessions {
    /// Frees cached memory; the file is read again when needed.
    pub fn release_memory(&self) {
        self.db.release_memory();
    }

    /// Opens `plimsoll.db`, creating and migrating it as needed. `guests` are all systems' tables in it.
    ///
    /// # Errors
    /// See [`DbError`]; the file is then unchanged.
    pub fn open(home: &Home, guests: &[&'static Guest]) -> Result<Sessions, SessionsError> {
        let db = home::open_db(&home.main_db(), MIGRATIONS)?;
        if db.salvaged().is_some() {
            rollup::repair(&db).map_err(|source| DbError::from_sqlite(db.path(), source))?;
        }
        let _ = std::fs::remove_file(open_failure_marker(home));
        let sessions = Sessions { db, home: home.clone(), mode: Mode::Full, guests: guests.to_vec() };
        sessions.try_import(|| sessions.briefly(|| sessions.import_pending()));
        Ok(sessions)
    }

    /// Opens it for a hook, which has milliseconds: without the check after an unclean shutdown. A database that
    /// couldn't be opened isn't retried for five minutes.
    ///
    /// # Errors
    /// See [`DbError`]; [`SessionsError::LeftAlone`] during those five minutes.
    pub fn open_for_hook(home: &Home, guests: &[&'static Guest]) -> Result<Sessions, SessionsError> {
        let mark = open_failure_marker(home);
        let age = std::fs::metadata(&mark).and_then(|meta| meta.modified()).map(|then| then.elapsed());
        if age.is_ok_and(|age| age.is_ok_and(|age| age < RETRY_AFTER)) {
            return Err(SessionsError::LeftAlone { path: home.main_db() });
        }
        let db = match home::open_db_unchecked(&home.main_db(), MIGRATIONS) {
            Ok(db) => db,
            // Another process is writing, which passes.
            Err(error @ DbError::Busy { .. }) => return Err(error.into()),
            Err(error) => {
                let _ = std::fs::write(mark, "");
                return Err(error.into());
            }
        };
        // Less than a hook has: recording must never delay an agent.
        let settled = db
            .busy_timeout(HOOK_WAIT)
            // A checkpoint waits tens of milliseconds for the disk. So the log stays; servers checkpoint when they
            // close, and a hook only when the log has grown.
            .and_then(|()| db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true))
            .and_then(|_| db.pragma_update(None, "wal_autocheckpoint", HOOK_LOG_PAGES));
        settled.map_err(|source| DbError::from_sqlite(db.path(), source))?;
        Ok(Sessions { db, home: home.clone(), mode: Mode::Hook, guests: guests.to_vec() })
    }

    /// Opens it for reading; `None` if nothing was ever recorded.
    ///
    /// # Errors
    /// See [`DbError`].
    pub fn open_read_only(home: &Home, guests: &[&'static Guest]) -> Result<Option<Sessions>, SessionsError> {
        import_beside(home, guests);
        let Some(db) = home::open_db_briefly(&home.main_db(), NEWEST)? else { return Ok(None) };
        // A file that another process has just created may not have its tables yet.
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

    /// Imports pending notes ([`crate::append_notes`]) and returns their number. Every other read or write does so
    /// automatically, except in a hook.
    ///
    /// # Errors
    /// See [`DbError`]; the notes then stay in their file.
    pub fn import_pending(&self) -> Result<usize, SessionsError> {
        let path = pending::path(&self.home);
        if pending::has_lines(&path) { pending::import(&self.db, &path, &self.guests) } else { Ok(0) }
    }

    /// Imports pending notes if that is possible now: figures without the latest events are better than none.
    fn try_import(&self, import: impl FnOnce() -> Result<usize, SessionsError>) {
        match self.mode {
            Mode::Full => {
                if let Err(error) = import() {
                    log::warn!("what hooks recorded could not be taken over: {error}");
                }
            }
            Mode::ReadOnly => import_beside(&self.home, &self.guests),
            Mode::Hook => {}
        }
    }

    /// How long this process waits for another writer unless it can do without.
    fn usual_wait(&self) -> std::time::Duration {
        if self.mode == Mode::Hook { HOOK_WAIT } else { home::BUSY_TIMEOUT }
    }

    fn set_wait(&self, wait: std::time::Duration) -> Result<(), SessionsError> {
        self.db.busy_timeout(wait).map_err(|source| DbError::from_sqlite(self.db.path(), source).into())
    }

    /// Runs `work` with a brief wait for other writers.
    fn briefly<T>(&self, work: impl FnOnce() -> Result<T, SessionsError>) -> Result<T, SessionsError> {
        self.set_wait(BRIEF_WAIT.min(self.usual_wait()))?;
        let done = work();
        self.set_wait(self.usual_wait())?;
        done
    }

    pub(crate) fn write<T>(
        &mut self,
        f: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, SessionsError> {
        // Waits as long as the write itself: what is deleted must not come back with a note.
        self.try_import(|| self.import_pending());
        Ok(home::write(&mut self.db, f)?)
    }

    /// Writes with a brief wait; `None` if another process goes on writing.
    pub(crate) fn write_briefly<T>(
        &mut self,
        f: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, SessionsError> {
        self.try_import(|| self.briefly(|| self.import_pending()));
        self.set_wait(BRIEF_WAIT.min(self.usual_wait()))?;
        let written = home::write(&mut self.db, f);
        self.set_wait(self.usual_wait())?;
        match written {
            Err(DbError::Busy { .. }) => Ok(None),
            other => Ok(Some(other?)),
        }
    }

    /// Reads with all pending notes imported, unless another process goes on writing; also for systems' tables.
    ///
    /// # Errors
    /// See [`DbError`].
    pub fn read<T>(&self, f: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, SessionsError> {
        self.try_import(|| self.briefly(|| self.import_pending()));
        f(&self.db).map_err(|source| DbError::from_sqlite(self.db.path(), source).into())
    }

    /// Reads several things from one snapshot, so that a total and its parts agree.
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

/// The marker file of a database that a hook couldn't open.
fn open_failure_marker(home: &Home) -> PathBuf {
    home.main_db().with_extension("db.trouble")
}

/// Imports pending notes for a reader, which can't write.
fn import_beside(home: &Home, guests: &[&'static Guest]) {
    if !pending::has_lines(&pending::path(home)) {
        return;
    }
    let taken = Sessions::open_for_hook(home, guests).and_then(|sessions| sessions.import_pending());
    if let Err(error) = taken {
        log::info!("what hooks recorded could not be taken over: {error}");
    }
}
