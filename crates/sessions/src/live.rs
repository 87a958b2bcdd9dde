//! Which of our servers are alive, and in whose session. Each writes a small file and touches it; a hook
//! reads them before it sends a model to a tool, because a tool that is not there would leave it stuck.

use std::path::{Path, PathBuf};

use home::Home;
use serde::{Deserialize, Serialize};

use crate::store::SessionsError;

/// How old a heartbeat may be, in milliseconds, to be taken for alive. Servers touch theirs every 30 s.
pub const FRESH_MS: i64 = 90_000;

/// A server's heartbeat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beat {
    /// Its process.
    pub pid: u32,
    /// When that process started, as the system counts, so that a reused id is not taken for it. Filled in
    /// by [`write`] where the system tells.
    #[serde(default)]
    pub process_start: Option<u64>,
    /// Agent id.
    pub agent: String,
    /// The agent's session, where the server was told.
    pub session: Option<String>,
    /// Project folder.
    pub project: PathBuf,
    /// When it started, ms since the epoch.
    pub started_ms: i64,
    /// When it was last touched, ms since the epoch.
    pub touched_ms: i64,
}

fn file(home: &Home, pid: u32) -> PathBuf {
    home.run_dir().join(format!("{pid}.json"))
}

/// Writes or touches a heartbeat.
///
/// # Errors
/// [`SessionsError::Io`] with the file; a server without a heartbeat still serves.
pub fn write(home: &Home, beat: &Beat) -> Result<(), SessionsError> {
    let path = file(home, beat.pid);
    let beat = Beat { process_start: process_start(beat.pid), ..beat.clone() };
    let bytes = serde_json::to_vec(&beat).unwrap_or_default();
    home::write_private(&path, &bytes).map_err(|source| SessionsError::Io { path, source })
}

/// Removes a heartbeat, when a server ends.
pub fn remove(home: &Home, pid: u32) {
    let _ = std::fs::remove_file(file(home, pid));
}

/// A live server of this agent that the session can reach. When both sides know the session, it decides;
/// otherwise the project does.
pub fn find(home: &Home, agent: &str, session: Option<&str>, project: &Path, now_ms: i64) -> Option<Beat> {
    all(home, now_ms).into_iter().filter(|beat| beat.agent == agent).find(|beat| {
        match (&beat.session, session) {
            (Some(theirs), Some(ours)) => theirs == ours,
            _ => same_project(&beat.project, project),
        }
    })
}

/// Every live server. Files of dead ones are removed on the way.
pub fn all(home: &Home, now_ms: i64) -> Vec<Beat> {
    let mut beats: Vec<Beat> = std::fs::read_dir(home.run_dir())
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let path = entry.path();
            if path.extension().is_none_or(|extension| extension != "json") {
                return None;
            }
            let beat: Beat = serde_json::from_slice(&std::fs::read(&path).ok()?).ok()?;
            let fresh = (now_ms - beat.touched_ms).abs() <= FRESH_MS;
            if !fresh || !is_alive(&beat) {
                let _ = std::fs::remove_file(&path);
                return None;
            }
            Some(beat)
        })
        .collect();
    beats.sort_by_key(|beat| beat.started_ms);
    beats
}

fn same_project(theirs: &Path, ours: &Path) -> bool {
    theirs == ours || ours.starts_with(theirs) || theirs.starts_with(ours)
}

#[cfg(target_os = "linux")]
fn is_alive(beat: &Beat) -> bool {
    process_start(beat.pid).is_some_and(|start| beat.process_start.is_none_or(|then| then == start))
}

#[cfg(not(target_os = "linux"))]
fn is_alive(_beat: &Beat) -> bool {
    // The age of the heartbeat is all that is looked at here.
    true
}

/// Field 22 of `/proc/<pid>/stat`, counted after the name, which may hold blanks and brackets.
#[cfg(target_os = "linux")]
fn process_start(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(not(target_os = "linux"))]
fn process_start(_pid: u32) -> Option<u64> {
    None
}
