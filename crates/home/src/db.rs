//! Opens the databases: SQLite in WAL mode, shared by many sidecars, hooks and the desktop.
//!
//! A migration runs inside one immediate transaction; a schema newer than this build is refused untouched. If the
//! last process using a file was killed, the file is checked before it is trusted; a damaged one is copied aside and
//! salvaged row by row, and never replaced by an empty one.

use std::fs::File;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::db_error::{DAMAGE_MARKER, DbError, mark_damaged, sibling};
use crate::salvage::{Salvaged, put_back_interrupted, salvage};

/// How long a writer waits for another process.
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// A migration. Migrations run in order of `version`, each exactly once.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// The schema version after this migration; ascending from 1.
    pub version: u32,
    /// The SQL statements.
    pub sql: &'static str,
}

/// An open database. While any process has one, the presence file beside it is locked, so that the next process can
/// tell a file in use from one whose last user was killed.
#[derive(Debug)]
pub struct Db {
    // Field order matters: the connection closes (and checkpoints) before the presence is released.
    conn: Connection,
    _presence: Option<File>,
    path: PathBuf,
    salvaged: Option<Salvaged>,
}

impl Db {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Frees cached memory; the file is read again when needed.
    pub fn release_memory(&self) {
        // At worst the memory stays in use.
        let _ = self.conn.execute_batch("PRAGMA shrink_memory");
        self.conn.flush_prepared_statement_cache();
    }

    /// Whether it has tables. Another process may just be making it: the file is there before its tables are.
    ///
    /// # Errors
    /// See [`DbError`].
    pub fn has_tables(&self) -> Result<bool, DbError> {
        self.conn
            .query_row("SELECT EXISTS (SELECT 1 FROM sqlite_schema)", [], |row| row.get(0))
            .map_err(|source| DbError::from_sqlite(&self.path, source))
    }

    /// What was salvaged if this open found the file damaged. Its owner must then rebuild indexes that are derived
    /// from tables.
    pub fn salvaged(&self) -> Option<&Salvaged> {
        self.salvaged.as_ref()
    }
}

impl Deref for Db {
    type Target = Connection;
    fn deref(&self) -> &Connection {
        &self.conn
    }
}

impl DerefMut for Db {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.conn
    }
}

/// Opens (creating if needed), checks, migrates.
///
/// # Errors
/// See [`DbError`]; the file is then unchanged.
pub fn open_db(path: &Path, migrations: &[Migration]) -> Result<Db, DbError> {
    open(path, migrations, true)
}

/// Opens without the check after an unclean shutdown, for the hook command, which must answer within milliseconds.
/// Damage then shows as an error of the first statement, and the check is left to whoever opens it next with more time.
///
/// # Errors
/// See [`DbError`].
pub fn open_db_unchecked(path: &Path, migrations: &[Migration]) -> Result<Db, DbError> {
    open(path, migrations, false)
}

fn open(path: &Path, migrations: &[Migration], check: bool) -> Result<Db, DbError> {
    if let Some(dir) = path.parent() {
        crate::private_dir(dir).map_err(|source| DbError::Io { path: dir.to_owned(), source })?;
    }
    let (presence, alone) = presence(path)?;
    if alone && !path.exists() {
        put_back_interrupted(path).map_err(|source| DbError::Io { path: path.to_owned(), source })?;
    }
    let doubtful = alone && (has_leftover_log(path) || sibling(path, DAMAGE_MARKER).exists());
    match connect(path, migrations, check && doubtful) {
        Ok(conn) => {
            if check && doubtful {
                let _ = std::fs::remove_file(sibling(path, DAMAGE_MARKER));
            } else if doubtful {
                // The log tells that a check is due. Closing would remove it.
                let _ = conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
            }
            downgrade(&presence, alone);
            Ok(Db { conn, _presence: Some(presence), path: path.to_owned(), salvaged: None })
        }
        // A hook may be killed at any moment, but salvaging must not be interrupted.
        Err(DbError::Damaged { reason, .. }) if check && alone => {
            let salvaged = salvage(path, &reason, |fresh| {
                connect(fresh, migrations, false).inspect(|conn| {
                    // The new file is renamed into place, so nothing may remain in a log.
                    let _ = conn.pragma_update(None, "journal_mode", "DELETE");
                })
            })?;
            let conn = connect(path, migrations, false)?;
            let _ = std::fs::remove_file(sibling(path, DAMAGE_MARKER));
            downgrade(&presence, alone);
            Ok(Db { conn, _presence: Some(presence), path: path.to_owned(), salvaged: Some(salvaged) })
        }
        Err(error) => Err(error),
    }
}

/// Opens for reading only; `None` if the file doesn't exist. Never migrates, checks or salvages.
///
/// # Errors
/// [`DbError::NewerSchema`] above `newest`; see [`DbError`].
pub fn open_db_read_only(path: &Path, newest: u32) -> Result<Option<Db>, DbError> {
    if !path.exists() {
        return Ok(None);
    }
    let sqlite = |source| DbError::from_sqlite(path, source);
    let conn = open_connection(path, READ_ONLY).map_err(sqlite)?;
    let found = user_version(&conn).map_err(sqlite)?;
    read_only(conn, path, found, newest).map(Some)
}

/// The same for one answer, and also where nothing can be written: SQLite makes a log even to read, which a full disk or a
/// read-only folder doesn't allow. It's then told that nothing changes the file. Whoever keeps such a database open wouldn't
/// see what others write later.
///
/// # Errors
/// Those of [`open_db_read_only`].
pub fn open_db_briefly(path: &Path, newest: u32) -> Result<Option<Db>, DbError> {
    let error = match open_db_read_only(path, newest) {
        Err(error) if error.is_unwritable() && !has_leftover_log(path) => error,
        outcome => return outcome,
    };
    let unchanging = unchanging(path)
        .and_then(|address| open_connection(&address, READ_ONLY | OpenFlags::SQLITE_OPEN_URI).ok())
        .and_then(|conn| user_version(&conn).ok().map(|found| (conn, found)));
    match unchanging {
        Some((conn, found)) => read_only(conn, path, found, newest).map(Some),
        None => Err(error),
    }
}

const READ_ONLY: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

fn read_only(conn: Connection, path: &Path, found: u32, newest: u32) -> Result<Db, DbError> {
    if found > newest {
        return Err(DbError::NewerSchema { path: path.to_owned(), found, known: newest });
    }
    Ok(Db { conn, _presence: None, path: path.to_owned(), salvaged: None })
}

/// A database's address for SQLite that says that nothing changes the file.
#[cfg(unix)]
fn unchanging(path: &Path) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    let path = std::path::absolute(path).ok()?;
    let mut address = "file://".to_owned();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => address.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => address.push(char::from(*byte)),
            byte => address.push_str(&format!("%{byte:02x}")),
        }
    }
    address.push_str("?immutable=1");
    Some(address.into())
}

#[cfg(not(unix))]
fn unchanging(_path: &Path) -> Option<PathBuf> {
    None
}

/// Runs `f` in one immediate transaction, so that a read followed by a write can't fail half-way because of another
/// process.
///
/// # Errors
/// See [`DbError`]; then nothing of `f` is committed.
pub fn write<T>(
    conn: &mut Connection,
    f: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
) -> Result<T, DbError> {
    let path = PathBuf::from(conn.path().unwrap_or("the database"));
    let sqlite = |source| DbError::from_sqlite(&path, source);
    let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sqlite)?;
    let value = f(&transaction).map_err(sqlite)?;
    transaction.commit().map_err(sqlite)?;
    Ok(value)
}

/// A connection with the settings that every one has. A plan doesn't depend on values: otherwise SQLite, built with STAT4,
/// prepares a statement again for each new value, which took a tenth of the time of capturing memories.
fn open_connection(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(BUSY_TIMEOUT)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(conn)
}

fn connect(path: &Path, migrations: &[Migration], check: bool) -> Result<Connection, DbError> {
    let sqlite = |source| DbError::from_sqlite(path, source);
    create_private(path).map_err(|source| DbError::Io { path: path.to_owned(), source })?;
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut conn = open_connection(path, flags).map_err(sqlite)?;
    let newest = migrations.iter().map(|step| step.version).max().unwrap_or(0);
    let found = user_version(&conn).map_err(sqlite)?;
    if found > newest {
        return Err(DbError::NewerSchema { path: path.to_owned(), found, known: newest });
    }
    // Changing the journal mode needs the file exclusively for a moment; the file stores the mode, so only the first
    // process does it.
    let mode: String = conn.pragma_query_value(None, "journal_mode", |row| row.get(0)).map_err(sqlite)?;
    if mode != "wal" {
        // Only an empty file accepts this: deleted pages can later be returned to the system in steps.
        conn.pragma_update(None, "auto_vacuum", "INCREMENTAL").map_err(sqlite)?;
        conn.pragma_update(None, "journal_mode", "WAL").map_err(sqlite)?;
    }
    conn.pragma_update(None, "synchronous", "NORMAL").map_err(sqlite)?;
    conn.pragma_update(None, "journal_size_limit", 4_194_304).map_err(sqlite)?;
    if check {
        let answer: String = conn.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(sqlite)?;
        if answer != "ok" {
            // Closing the file removes its log, and with that the sign that it must be checked: a salvage may be interrupted.
            mark_damaged(path);
            return Err(DbError::Damaged { path: path.to_owned(), reason: answer });
        }
    }
    if found < newest {
        write(&mut conn, |transaction| {
            // Read again inside: another process may have migrated meanwhile.
            let found = user_version(transaction)?;
            for step in migrations.iter().filter(|step| step.version > found) {
                transaction.execute_batch(step.sql)?;
                transaction.pragma_update(None, "user_version", step.version)?;
            }
            Ok(())
        })?;
    }
    Ok(conn)
}

fn user_version(conn: &Connection) -> rusqlite::Result<u32> {
    conn.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// SQLite creates files with the process's umask; these must be private from the first byte.
///
/// A file that is there is never opened here: closing it would take away the locks of every other connection of this process (POSIX
/// gives them up with the first descriptor that is closed), and another process would then take the log for its own.
fn create_private(path: &Path) -> std::io::Result<()> {
    match crate::private_options().create_new(true).write(true).open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        made => made.map(drop),
    }
}

/// Opens the presence file and returns whether this process is the only one with the database open.
fn presence(path: &Path) -> Result<(File, bool), DbError> {
    let name = sibling(path, ".open");
    let error = |source| DbError::Io { path: name.clone(), source };
    let mut options = crate::private_options();
    let file = options.create(true).write(true).truncate(false).open(&name).map_err(error)?;
    let alone = match file.try_lock() {
        Ok(()) => true,
        Err(std::fs::TryLockError::WouldBlock) => {
            file.lock_shared().map_err(error)?;
            false
        }
        Err(std::fs::TryLockError::Error(source)) => return Err(error(source)),
    };
    Ok((file, alone))
}

/// Downgrades the exclusive presence to a shared one, so that others can enter.
fn downgrade(presence: &File, alone: bool) {
    if alone {
        let _ = presence.unlock();
        let _ = presence.lock_shared();
    }
}

/// Moves a database with its log aside, to a name with the time, and returns that path. For a database of which
/// nothing could be salvaged: the next open creates a new one.
///
/// # Errors
/// `WouldBlock` while another process has it open; otherwise why it can't be renamed. It is then unchanged.
pub fn set_aside(path: &Path, now_ms: i64) -> std::io::Result<PathBuf> {
    let (_presence, alone) = presence(path).map_err(std::io::Error::other)?;
    if !alone {
        return Err(std::io::ErrorKind::WouldBlock.into());
    }
    let kept = sibling(path, &format!(".damaged-{now_ms}"));
    std::fs::rename(path, &kept)?;
    for log in ["-wal", "-shm"] {
        // Without its log the file is as of the last checkpoint; both stay together.
        let _ = std::fs::rename(sibling(path, log), sibling(&kept, log));
    }
    let _ = std::fs::remove_file(sibling(path, DAMAGE_MARKER));
    Ok(kept)
}

/// Whether a log remains while nobody has the file open: the last user didn't close it.
fn has_leftover_log(path: &Path) -> bool {
    std::fs::metadata(sibling(path, "-wal")).is_ok_and(|meta| meta.len() > 0)
}
