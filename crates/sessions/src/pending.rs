//! What hooks saw, on its way into `plimsoll.db`.
//!
//! A hook runs for milliseconds and an agent waits for it, so it opens no database: it adds a line to one file,
//! and whoever has the database open next (a server, a person who asks for figures) takes the lines over in one
//! transaction. Nothing a hook does can then wait for a busy, full or damaged database.
//!
//! A line is `<key> <JSON>`. The key of the last line that was taken over is kept in the database, so that
//! being killed between taking over and clearing the file neither loses nor doubles a line.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use home::{DbError, Home};
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::SessionsError;
use crate::event::NewEvent;
use crate::guest::Guest;
use crate::row::LedgerRow;
use crate::write;

/// How long a hook waits for another process to let go of the file.
const HOOK_WAIT: Duration = Duration::from_millis(60);

/// How long whoever takes the lines over waits for a hook that is writing one.
const READER_WAIT: Duration = Duration::from_millis(200);

/// From this many bytes on a hook itself sees to it that the lines are taken over.
const MANY: u64 = 256 * 1024;

/// With this many bytes nothing is added any more: nobody has been able to take the lines over for months.
const TOO_MANY: u64 = 16 * 1024 * 1024;

/// One thing that a hook has to say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// An event.
    Event(NewEvent),
    /// What we put into the conversation ourselves.
    Call(LedgerRow),
    /// What another system remembers of it.
    #[serde(untagged)]
    Guest(GuestLine),
}

/// What another system remembers, under the name of its table. It is freed of secrets already.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GuestLine(Map<String, Value>);

impl GuestLine {
    /// For the table of this name.
    ///
    /// # Errors
    /// When the content cannot be written as JSON.
    pub fn new(table: &str, content: &impl Serialize) -> serde_json::Result<Self> {
        Ok(Self(Map::from_iter([(table.to_owned(), serde_json::to_value(content)?)])))
    }
}

/// The file of the lines.
pub fn path(home: &Home) -> PathBuf {
    home.root().join("events.pending")
}

/// Whether anything was ever recorded, be it in the database or on its way there.
pub fn anything(home: &Home) -> bool {
    home.main_db().exists() || waiting(&path(home))
}

/// Whether there are lines to take over.
pub(crate) fn waiting(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|meta| meta.len() > 0)
}

/// Notes what a hook saw, freed of secrets and shortened. Says whether so much is waiting now that the caller
/// should have it taken over ([`crate::Sessions::open_quickly`] does).
///
/// # Errors
/// [`SessionsError::Io`] when the file cannot be written or is in use for too long; nothing is then noted.
pub fn note(home: &Home, notes: &[Note]) -> Result<bool, SessionsError> {
    let path = path(home);
    let io = |source| SessionsError::Io { path: path.clone(), source };
    // A line that a full disk cut off must not swallow the next one.
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
    let mut file = match append(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            home::private_dir(home.root()).map_err(io)?;
            append(&path)
        }
        other => other,
    }
    .map_err(io)?;
    lock(&file, HOOK_WAIT).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    if length > TOO_MANY {
        return Err(io(std::io::Error::other("nobody takes over what is recorded; see `plimsoll doctor`")));
    }
    file.write_all(text.as_bytes()).map_err(io)?;
    Ok(length > MANY)
}

fn append(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A key that no other line has, not even one of the same moment where clocks are coarse.
fn key() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    format!("{now}-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// Takes the file's lock, which goes with the handle.
fn lock(file: &File, wait: Duration) -> std::io::Result<()> {
    let started = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            // A file system without locks: lines are added in one write each, which has to do.
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

/// Takes the lines at `path` over into `db`; how many.
///
/// # Errors
/// See [`DbError`]; the lines then stay where they are.
pub(crate) fn take_over(
    db: &Connection,
    path: &Path,
    guests: &[&'static Guest],
) -> Result<usize, SessionsError> {
    let sqlite = |source| DbError::from_sqlite(Path::new(db.path().unwrap_or("plimsoll.db")), source);
    let io = |source| SessionsError::Io { path: path.to_owned(), source };
    // Hooks wait while the file is locked, so committing must not wait for the disk; the next write moves the
    // log into the database instead.
    let pages: i64 = db.pragma_query_value(None, "wal_autocheckpoint", |row| row.get(0)).map_err(sqlite)?;
    db.pragma_update(None, "wal_autocheckpoint", 0).map_err(sqlite)?;
    let taken = (|| {
        // The database first: waiting for another writer must not keep hooks waiting.
        let transaction = Transaction::new_unchecked(db, TransactionBehavior::Immediate).map_err(sqlite)?;
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(io)?;
        lock(&file, READER_WAIT).map_err(io)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let mut lines = lines(&bytes);
        let last: Option<String> = transaction
            .query_row("SELECT last FROM taken_over", [], |row| row.get(0))
            .optional()
            .map_err(sqlite)?;
        let done =
            last.and_then(|last| lines.iter().position(|(key, _)| *key == last)).map_or(0, |at| at + 1);
        let fresh = lines.get_mut(done..).unwrap_or_default();
        for (_, note) in fresh.iter_mut() {
            match note {
                Note::Event(event) => write::event(&transaction, event).map(drop),
                Note::Call(row) => write::call(&transaction, row).map(drop),
                Note::Guest(GuestLine(line)) => insert(&transaction, guests, std::mem::take(line)),
            }
            .map_err(sqlite)?;
        }
        if let Some((key, _)) = fresh.last() {
            transaction
                .execute("INSERT OR REPLACE INTO taken_over (id, last) VALUES (1, ?1)", [key])
                .map_err(sqlite)?;
        }
        transaction.commit().map_err(sqlite)?;
        file.set_len(0).map_err(io)?;
        Ok(fresh.len())
    })();
    db.pragma_update(None, "wal_autocheckpoint", pages).map_err(sqlite)?;
    taken
}

/// Hands a line to the guest whose it is.
fn insert(db: &Connection, guests: &[&'static Guest], line: Map<String, Value>) -> rusqlite::Result<()> {
    for (table, content) in line {
        if let Some(guest) = guests.iter().find(|guest| guest.table == table) {
            (guest.insert)(db, content)?;
        }
    }
    Ok(())
}

/// The whole lines with their keys; what was cut off or is of a later version is passed over.
fn lines(bytes: &[u8]) -> Vec<(&str, Note)> {
    bytes
        .split(|byte| *byte == b'\n')
        .filter_map(|line| {
            let (key, json) = std::str::from_utf8(line).ok()?.split_once(' ')?;
            Some((key, serde_json::from_str(json).ok()?))
        })
        .collect()
}
