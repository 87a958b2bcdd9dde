//! Opening `plimsoll.db`, and what every write has in common.

use std::path::PathBuf;

use contract::{Fault, Sentence, Told};
use home::{Db, DbError, Home};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, Transaction, params};

use crate::guest::Guest;
use crate::pending;
use crate::rollup;
use crate::said;
use crate::schema::{MIGRATIONS, NEWEST};

/// How long a hook waits for another process to finish writing.
const QUICK_WAIT: std::time::Duration = std::time::Duration::from_millis(60);

/// How long the log may grow, in pages of 4 KB, before a hook moves it into the file.
const QUICK_LOG_PAGES: u32 = 400;

/// What can go wrong with the record of sessions.
#[derive(Debug, thiserror::Error)]
pub enum SessionsError {
    /// The database.
    Db(#[from] DbError),
    /// A stored receipt is no JSON, or one that is to be stored cannot be written as such.
    Receipt {
        /// Its number; 0 for a new one.
        id: i64,
        /// The parser's words.
        source: serde_json::Error,
    },
    /// A hook could not open the database a moment ago.
    LeftAlone {
        /// The file.
        path: PathBuf,
    },
    /// A sign of life or a hook's line could not be written.
    Io {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
}

impl Told for SessionsError {
    fn said(&self) -> Sentence {
        match self {
            Self::Db(error) => error.said(),
            Self::Receipt { id, source } => {
                said::bad_receipt(id.to_string(), Sentence::from(source.to_string()))
            }
            Self::LeftAlone { path } => said::left_alone(path),
            Self::Io { path, source } => said::unwritten(path, source.said()),
        }
    }

    fn fault(&self) -> Option<Fault> {
        match self {
            Self::Db(error) => error.fault(),
            _ => None,
        }
    }
}

impl std::fmt::Display for SessionsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.said().fmt(f)
    }
}

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

/// Notes that `session` of `agent` was active at `at_ms`.
///
/// # Errors
/// The database's.
pub fn touch(db: &Connection, agent: &str, session: &str, project: &str, at_ms: i64) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO sessions (agent, session, project, started_ms, last_ms) VALUES (?1, ?2, ?3, ?4, ?4)
         ON CONFLICT (agent, session) DO UPDATE SET
           started_ms = min(started_ms, excluded.started_ms),
           last_ms = max(last_ms, excluded.last_ms),
           project = CASE WHEN project = '' THEN excluded.project ELSE project END",
    )?
    .execute(params![agent, session, project, at_ms])?;
    Ok(())
}

/// Sees to it that a session is listed, without calling it active.
pub(crate) fn known(
    db: &Connection,
    agent: &str,
    session: &str,
    project: &str,
    at_ms: i64,
) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO sessions (agent, session, project, started_ms, last_ms) VALUES (?1, ?2, ?3, ?4, ?4)
         ON CONFLICT (agent, session) DO UPDATE SET
           project = CASE WHEN project = '' THEN excluded.project ELSE project END",
    )?
    .execute(params![agent, session, project, at_ms])?;
    Ok(())
}

/// So much of a text is looked at, in bytes, before a few hundred characters of it are kept.
const LOOKED_AT: usize = 4 * 1024 * 1024;

/// `text` without private spans and secrets, on one stretch of at most `max` characters.
#[must_use]
pub fn clean(text: &str, max: usize) -> String {
    let text = &*crate::private::without_private(text);
    // Secrets are looked for in all of it: one that was cut in half is not recognised. No prompt is longer than this.
    let redacted = text::redact(&text[..text.floor_char_boundary(LOOKED_AT)]);
    match redacted.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", redacted.get(..at).unwrap_or("")),
        None => redacted.into_owned(),
    }
}

/// A count as SQLite keeps it.
pub(crate) fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A count as it was kept.
#[must_use]
pub fn count(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}
