//! The notes of hooks on their way into `plimsoll.db`.
//!
//! A hook runs for milliseconds while an agent waits, so it opens no database: it appends a line to one file, and
//! whoever opens the database next (a server, a user who asks for figures) imports the lines in one transaction. So a
//! hook never waits for a busy, full or damaged database.
//!
//! A line is `<key> <JSON>`. The database stores the key of the last imported line, so that a crash between importing
//! and clearing the file neither loses nor duplicates a line.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use home::{DbError, Home};
use rusqlite::{Connection, ErrorCode, OptionalExtension as _, Transaction, TransactionBehavior};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::SessionsError;
use crate::event::NewEvent;
use crate::ledger_row::LedgerRow;
use crate::system_table::Guest;
use crate::write;

/// How long a hook waits for the file's lock.
const HOOK_WAIT: Duration = Duration::from_millis(60);

/// How long an import waits for a hook that is writing a line.
const IMPORT_WAIT: Duration = Duration::from_millis(200);

/// From this size on, a hook itself has the lines imported.
const IMPORT_BYTES: u64 = 256 * 1024;

/// At this size nothing is appended any longer: nobody has been able to import the lines for months.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// A note of a hook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// An event.
    Event(NewEvent),
    /// Plimsoll's own overhead in the conversation.
    Call(LedgerRow),
    /// Another system's row.
    #[serde(untagged)]
    Guest(GuestLine),
}

/// A row for another system's table, under the table's name. Its secrets are removed already.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GuestLine(Map<String, Value>);

impl GuestLine {
    /// A row for the table of this name.
    ///
    /// # Errors
    /// If the content can't be written as JSON.
    pub fn new(table: &str, content: &impl Serialize) -> serde_json::Result<Self> {
        Ok(Self(Map::from_iter([(table.to_owned(), serde_json::to_value(content)?)])))
    }
}

/// The file with the lines.
pub fn path(home: &Home) -> PathBuf {
    home.root().join("events.pending")
}

/// Whether anything was ever recorded, in the database or on its way there.
pub fn has_records(home: &Home) -> bool {
    home.main_db().exists() || has_lines(&path(home))
}

/// Whether there are lines to import.
pub(crate) fn has_lines(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|meta| meta.len() > 0)
}

/// Appends a hook's notes, without secrets and shortened. Returns whether so many lines are waiting that the caller
/// should have them imported ([`crate::Sessions::open_for_hook`]).
///
/// # Errors
/// [`SessionsError::Io`] if the file can't be written or is locked for too long; [`SessionsError::Home`] in a folder that
/// isn't Plimsoll's. Nothing is then appended.
pub fn append_notes(home: &Home, notes: &[Note]) -> Result<bool, SessionsError> {
    home.check()?;
    let path = path(home);
    let io = |source| SessionsError::Io { path: path.clone(), source };
    // A line that a full disk truncated must not swallow the next one.
    let mut text = String::from("\n");
    for note in notes {
        let clean = match note {
            Note::Event(event) => Note::Event(event.cleaned()),
            Note::Call(row) => Note::Call(row.cleaned()),
            Note::Guest(line) => Note::Guest(line.clone()),
        };
        let json = serde_json::to_string(&clean).map_err(|error| io(error.into()))?;
        text.push_str(&format!("{} {json}\n", key()));
    }
    let mut file = home::open_to_append(&path).map_err(io)?;
    lock(&file, HOOK_WAIT).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    if length > MAX_BYTES {
        return Err(io(std::io::Error::other("nobody takes over what is recorded; see `plimsoll doctor`")));
    }
    file.write_all(text.as_bytes()).map_err(io)?;
    Ok(length > IMPORT_BYTES)
}

/// A unique key, even within one tick of a coarse clock.
fn key() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    format!("{now}-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// Locks the file; the lock is released with the handle.
fn lock(file: &File, wait: Duration) -> std::io::Result<()> {
    let started = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            // A file system without locks: each line is appended by a single write, which must do.
            Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {
                return Ok(());
            }
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if started.elapsed() >= wait => {
                return Err(std::io::ErrorKind::TimedOut.into());
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_micros(500)),
        }
    }
}

/// Imports the lines at `path` into `db` and returns their number.
///
/// # Errors
/// See [`DbError`]; the lines then stay in the file.
pub(crate) fn import(
    db: &Connection,
    path: &Path,
    guests: &[&'static Guest],
) -> Result<usize, SessionsError> {
    let sqlite = |source| DbError::from_sqlite(Path::new(db.path().unwrap_or("plimsoll.db")), source);
    let io = |source| SessionsError::Io { path: path.to_owned(), source };
    // Hooks wait while the file is locked, so the commit must not wait for the disk: `shrink_log` does it afterwards.
    let pages: i64 = db.pragma_query_value(None, "wal_autocheckpoint", |row| row.get(0)).map_err(sqlite)?;
    db.pragma_update(None, "wal_autocheckpoint", 0).map_err(sqlite)?;
    let imported: Result<usize, SessionsError> = (|| {
        // The database first: waiting for another writer must not block hooks.
        let transaction = Transaction::new_unchecked(db, TransactionBehavior::Immediate).map_err(sqlite)?;
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(io)?;
        lock(&file, IMPORT_WAIT).map_err(io)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let mut lines = lines(&bytes);
        let last: Option<String> = transaction
            .query_row("SELECT last FROM taken_over", [], |row| row.get(0))
            .optional()
            .map_err(sqlite)?;
        let done =
            last.and_then(|last| lines.iter().position(|(key, _)| *key == last)).map_or(0, |at| at + 1);
        let new_lines = lines.get_mut(done..).unwrap_or_default();
        for (_, note) in new_lines.iter_mut() {
            match note {
                Note::Event(event) => write::insert_event_once(&transaction, event),
                Note::Call(row) => write::book_call_once(&transaction, row),
                Note::Guest(GuestLine(line)) => insert_row(&transaction, guests, std::mem::take(line)),
            }
            .map_err(sqlite)?;
        }
        if let Some((key, _)) = new_lines.last() {
            transaction
                .execute("INSERT OR REPLACE INTO taken_over (id, last) VALUES (1, ?1)", [key])
                .map_err(sqlite)?;
        }
        transaction.commit().map_err(sqlite)?;
        file.set_len(0).map_err(io)?;
        Ok(new_lines.len())
    })();
    db.pragma_update(None, "wal_autocheckpoint", pages).map_err(sqlite)?;
    let imported = imported?;
    shrink_log(db, pages).map_err(sqlite)?;
    Ok(imported)
}

/// Moves a log that has grown beyond `pages` into the database. Without this, a log that only imports write would grow
/// forever, and each process would read the whole log when it opens the database.
fn shrink_log(db: &Connection, pages: i64) -> rusqlite::Result<()> {
    let Some(log) = db.path().filter(|path| !path.is_empty()).map(|path| format!("{path}-wal")) else {
        return Ok(());
    };
    let page_bytes: i64 = db.pragma_query_value(None, "page_size", |row| row.get(0))?;
    let limit = u64::try_from(pages.saturating_mul(page_bytes)).unwrap_or(u64::MAX);
    if pages == 0 || std::fs::metadata(&log).is_ok_and(|meta| meta.len() <= limit) {
        return Ok(());
    }
    // Cut to nothing, so that its length tells the next import what is in use. Where another process reads or writes, as
    // much as possible is moved and a later import does the rest.
    match db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())) {
        // The imported lines are in the log and safe.
        Err(error)
            if [Some(ErrorCode::DatabaseBusy), Some(ErrorCode::DiskFull)]
                .contains(&error.sqlite_error_code()) =>
        {
            Ok(())
        }
        done => done,
    }
}

/// Passes a line to the system that owns its table.
fn insert_row(db: &Connection, guests: &[&'static Guest], line: Map<String, Value>) -> rusqlite::Result<()> {
    for (table, content) in line {
        if let Some(guest) = guests.iter().find(|guest| guest.table == table) {
            (guest.insert)(db, content)?;
        }
    }
    Ok(())
}

/// The complete lines with their keys; skips truncated lines and those of a later version.
fn lines(bytes: &[u8]) -> Vec<(&str, Note)> {
    bytes
        .split(|byte| *byte == b'\n')
        .filter_map(|line| {
            let (key, json) = std::str::from_utf8(line).ok()?.split_once(' ')?;
            Some((key, serde_json::from_str(json).ok()?))
        })
        .collect()
}
