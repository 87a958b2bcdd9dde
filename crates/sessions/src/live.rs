//! Signs of life: which servers run right now, so that nobody is sent to a tool that is not there.
//!
//! Each server keeps a small JSON file in the run folder, replaced whole each time, and beside it a file
//! that it holds locked for as long as it lives. The system releases the lock when the process ends, however
//! it ends, so neither a file left behind nor a reused process number is ever taken for a living server.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use home::Home;
use serde::{Deserialize, Serialize};

use crate::SessionsError;

/// How long a sign of life holds, in milliseconds. A server should give one at least every 30 s.
pub const FRESH_MS: i64 = 90_000;
/// No sign of life is larger; anything larger is not one of ours.
const MAX_BYTES: u64 = 64 * 1024;

/// A sign of life.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beat {
    /// The process.
    pub pid: u32,
    /// The agent that started it.
    pub agent: String,
    /// The agent's session, as its hooks name it; `None` if the server was not told.
    pub session: Option<String>,
    /// The project folder.
    pub project: PathBuf,
    /// When the server started, in milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// When this sign was given, in milliseconds since the Unix epoch.
    pub touched_ms: i64,
}

/// The locks this process holds, by their files.
static HELD: Mutex<Option<HashMap<PathBuf, File>>> = Mutex::new(None);

fn beat_file(home: &Home, pid: u32) -> PathBuf {
    home.run_dir().join(format!("{pid}.json"))
}

fn lock_file(home: &Home, pid: u32) -> PathBuf {
    home.run_dir().join(format!("{pid}.lock"))
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> SessionsError {
    let path = path.to_owned();
    move |source| SessionsError::Io { path, source }
}

/// Gives a sign of life for the calling process, which must be the server itself: it holds the lock until it
/// ends or calls [`remove`].
///
/// # Errors
/// [`SessionsError::Io`] if the run folder cannot be written.
pub fn write(home: &Home, beat: &Beat) -> Result<(), SessionsError> {
    let path = lock_file(home, beat.pid);
    home::private_dir(&home.run_dir()).map_err(io(&home.run_dir()))?;
    {
        let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        let held = held.get_or_insert_with(HashMap::new);
        if let Entry::Vacant(free) = held.entry(path) {
            let mut options = OpenOptions::new();
            options.create(true).write(true).truncate(false);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let file = options.open(free.key()).map_err(io(free.key()))?;
            // Only those who look hold it for a moment, and they share it.
            match file.lock() {
                // A file system without locks: freshness alone has to do.
                Err(error) if error.kind() == std::io::ErrorKind::Unsupported => {}
                other => other.map_err(io(free.key()))?,
            }
            free.insert(file);
        }
    }
    let path = beat_file(home, beat.pid);
    let bytes =
        serde_json::to_vec(beat).map_err(|e| SessionsError::Io { path: path.clone(), source: e.into() })?;
    home::write_private(&path, &bytes).map_err(io(&path))
}

/// Takes the sign of life of `pid` away. That it is gone already is fine.
pub fn remove(home: &Home, pid: u32) {
    let lock = lock_file(home, pid);
    let _ = std::fs::remove_file(beat_file(home, pid));
    if let Some(held) = HELD.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        held.remove(&lock);
    }
    let _ = std::fs::remove_file(lock);
}

/// Whether the process that gave the sign still holds its lock.
fn is_alive(home: &Home, pid: u32) -> bool {
    let Ok(file) = File::open(lock_file(home, pid)) else { return false };
    match file.try_lock_shared() {
        Ok(()) => false,
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(error)) => error.kind() == std::io::ErrorKind::Unsupported,
    }
}

fn read(path: &Path) -> Option<Beat> {
    if std::fs::metadata(path).ok()?.len() > MAX_BYTES {
        return None;
    }
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// Every file in the run folder that holds a sign of life under its own number.
fn signs(home: &Home) -> Vec<Beat> {
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

/// The servers that live at `now_ms` (milliseconds since the Unix epoch), the last sign first.
pub fn all(home: &Home, now_ms: i64) -> Vec<Beat> {
    let mut living: Vec<Beat> = signs(home)
        .into_iter()
        // A clock that was set back must not keep the dead alive.
        .filter(|beat| now_ms.saturating_sub(beat.touched_ms).saturating_abs() <= FRESH_MS)
        .filter(|beat| is_alive(home, beat.pid))
        .collect();
    living.sort_by_key(|beat| (std::cmp::Reverse(beat.touched_ms), beat.pid));
    living
}

/// The living server of this session: the one that was told this session; else one that was told none and
/// works in the same project; else the only one there that was told another. A server is told its session when it
/// starts and outlives it: the agent goes on with another session after `/clear` and `/resume`. Of several which
/// were told others, none is taken.
pub fn find(home: &Home, agent: &str, session: Option<&str>, project: &Path, now_ms: i64) -> Option<Beat> {
    let of_agent: Vec<Beat> = all(home, now_ms).into_iter().filter(|beat| beat.agent == agent).collect();
    let exact = of_agent.iter().find(|beat| session.is_some() && beat.session.as_deref() == session);
    let by_project = || {
        of_agent
            .iter()
            .find(|beat| (beat.session.is_none() || session.is_none()) && holds(&beat.project, project))
    };
    let left_over = || {
        let mut there = of_agent.iter().filter(|beat| holds(&beat.project, project));
        there.next().filter(|_| there.next().is_none())
    };
    exact.or_else(by_project).or_else(left_over).cloned()
}

/// Whether `inner` is `outer` or lies in it, as written or where links lead. A server without a project
/// (an empty path) serves nobody by it.
fn holds(outer: &Path, inner: &Path) -> bool {
    if outer.as_os_str().is_empty() {
        return false;
    }
    inner.starts_with(outer)
        || matches!((std::fs::canonicalize(outer), std::fs::canonicalize(inner)), (Ok(o), Ok(i)) if i.starts_with(&o))
}

/// Clears away the signs of servers that are gone; how many.
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
