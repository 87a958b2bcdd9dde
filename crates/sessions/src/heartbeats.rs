//! Heartbeats: which servers are running, so that no agent is sent to a tool that doesn't exist.
//!
//! Each server keeps a small JSON file in the run folder, replaced as a whole each time, and beside it a file that it
//! keeps locked while it runs. The system releases the lock however the process ends, so neither a leftover file nor
//! a reused process number is ever taken for a live server.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use home::Home;
use serde::{Deserialize, Serialize};

use crate::SessionsError;

/// How long a heartbeat is valid, in milliseconds. A server should write one at least every 30 s.
pub const VALID_MS: i64 = 90_000;
/// The size limit of a heartbeat file; anything larger isn't one.
const MAX_BYTES: u64 = 64 * 1024;

/// A heartbeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// The process.
    pub pid: u32,
    /// The agent that started it.
    pub agent: String,
    /// The session ID that the server was given; `None` if it has none.
    pub session: Option<String>,
    /// The project folder.
    pub project: PathBuf,
    /// When the server started, in milliseconds since 1970.
    pub started_ms: i64,
    /// When this heartbeat was written, in milliseconds since 1970.
    pub touched_ms: i64,
}

/// The locks that this process holds, by file.
static HELD_LOCKS: Mutex<Option<HashMap<PathBuf, File>>> = Mutex::new(None);

fn heartbeat_file(home: &Home, pid: u32) -> PathBuf {
    home.run_dir().join(format!("{pid}.json"))
}

fn lock_file(home: &Home, pid: u32) -> PathBuf {
    home.run_dir().join(format!("{pid}.lock"))
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> SessionsError {
    let path = path.to_owned();
    move |source| SessionsError::Io { path, source }
}

/// Writes the heartbeat of the calling process, which must be the server itself: it holds the lock until it ends or
/// calls [`remove`].
///
/// # Errors
/// [`SessionsError::Io`] if the run folder can't be written.
pub fn write(home: &Home, beat: &Heartbeat) -> Result<(), SessionsError> {
    let path = lock_file(home, beat.pid);
    home::private_dir(&home.run_dir()).map_err(io(&home.run_dir()))?;
    {
        let mut held = HELD_LOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        let held = held.get_or_insert_with(HashMap::new);
        if let Entry::Vacant(free) = held.entry(path) {
            let mut options = home::private_options();
            options.create(true).write(true).truncate(false);
            let file = options.open(free.key()).map_err(io(free.key()))?;
            // Only readers hold it, for a moment, and they share it.
            match file.lock() {
                // A file system without locks: the heartbeat's age must do.
                Err(error) if error.kind() == std::io::ErrorKind::Unsupported => {}
                other => other.map_err(io(free.key()))?,
            }
            free.insert(file);
        }
    }
    let path = heartbeat_file(home, beat.pid);
    let bytes =
        serde_json::to_vec(beat).map_err(|e| SessionsError::Io { path: path.clone(), source: e.into() })?;
    home::write_private(&path, &bytes).map_err(io(&path))
}

/// Deletes the heartbeat of `pid`, if it exists.
pub fn remove(home: &Home, pid: u32) {
    let lock = lock_file(home, pid);
    let _ = std::fs::remove_file(heartbeat_file(home, pid));
    if let Some(held) = HELD_LOCKS.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        held.remove(&lock);
    }
    let _ = std::fs::remove_file(lock);
}

/// Whether the server still holds its lock.
fn is_alive(home: &Home, pid: u32) -> bool {
    let Ok(file) = File::open(lock_file(home, pid)) else { return false };
    match file.try_lock_shared() {
        Ok(()) => false,
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(error)) => error.kind() == std::io::ErrorKind::Unsupported,
    }
}

fn read(path: &Path) -> Option<Heartbeat> {
    if std::fs::metadata(path).ok()?.len() > MAX_BYTES {
        return None;
    }
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// Every heartbeat in the run folder whose file name matches its process number.
fn read_all(home: &Home) -> Vec<Heartbeat> {
    let Ok(entries) = std::fs::read_dir(home.run_dir()) else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| {
            let path = entry.path();
            let pid: u32 = path.file_stem()?.to_str()?.parse().ok()?;
            if path.extension()? != "json" {
                return None;
            }
            read(&path).filter(|beat| beat.pid == pid)
        })
        .collect()
}

/// The live servers at `now_ms` (milliseconds since 1970), latest heartbeat first.
pub fn all(home: &Home, now_ms: i64) -> Vec<Heartbeat> {
    let mut living: Vec<Heartbeat> = read_all(home)
        .into_iter()
        // After the clock was set back, dead servers must not stay alive.
        .filter(|beat| now_ms.saturating_sub(beat.touched_ms).saturating_abs() <= VALID_MS)
        .filter(|beat| is_alive(home, beat.pid))
        .collect();
    living.sort_by_key(|beat| (std::cmp::Reverse(beat.touched_ms), beat.pid));
    living
}

/// The live server of this session: the one that was given its ID; else one without an ID that works in the same
/// project; else the only one there with another ID. A server gets its session ID at the start and outlives the
/// session: the agent starts another session after `/clear` and `/resume`. If several servers there have other IDs,
/// none is chosen.
pub fn find(
    home: &Home,
    agent: &str,
    session: Option<&str>,
    project: &Path,
    now_ms: i64,
) -> Option<Heartbeat> {
    let of_agent: Vec<Heartbeat> = all(home, now_ms).into_iter().filter(|beat| beat.agent == agent).collect();
    let exact = of_agent.iter().find(|beat| session.is_some() && beat.session.as_deref() == session);
    let by_project = || {
        of_agent
            .iter()
            .find(|beat| (beat.session.is_none() || session.is_none()) && contains(&beat.project, project))
    };
    let left_over = || {
        let mut there = of_agent.iter().filter(|beat| contains(&beat.project, project));
        there.next().filter(|_| there.next().is_none())
    };
    exact.or_else(by_project).or_else(left_over).cloned()
}

/// Whether `inner` is `outer` or is in it, literally or with links resolved. A server without a project (an empty
/// path) matches nothing.
fn contains(outer: &Path, inner: &Path) -> bool {
    if outer.as_os_str().is_empty() {
        return false;
    }
    inner.starts_with(outer)
        || matches!((std::fs::canonicalize(outer), std::fs::canonicalize(inner)), (Ok(o), Ok(i)) if i.starts_with(&o))
}

/// Deletes the heartbeats of dead servers and returns their number.
pub fn sweep(home: &Home) -> usize {
    let Ok(entries) = std::fs::read_dir(home.run_dir()) else { return 0 };
    let mut gone = 0;
    for entry in entries.flatten() {
        let path = entry.path();
        let pid = path.file_stem().and_then(|s| s.to_str()).and_then(|s| s.parse::<u32>().ok());
        let ours = path.extension().is_some_and(|e| e == "json" || e == "lock");
        if let (Some(pid), true) = (pid, ours)
            && !is_alive(home, pid)
            && std::fs::remove_file(&path).is_ok()
        {
            gone += usize::from(path.extension().is_some_and(|e| e == "json"));
        }
    }
    gone
}
