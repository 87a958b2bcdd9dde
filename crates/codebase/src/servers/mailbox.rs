//! Passes requests to a language server's host and replies back, as files in the project's data folder. Works the same on
//! every system, and only the user has access to the folder.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::kinds::Kind;
use crate::index::IndexLocation;

/// How often a reply is looked for.
const PAUSE: Duration = Duration::from_millis(15);
/// Older files are leftovers.
const STALE: Duration = Duration::from_secs(60);
/// Larger files are ignored, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// A place in a file: its path in the project, its line and its column in bytes, both from 1.
pub(super) type Location = (String, u32, u32);

/// A definition to ask about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Definition {
    /// What the protocol calls the file's language.
    pub(super) language: String,
    pub(super) location: Location,
}

/// Asks where each definition is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Request {
    /// When it was sent, in milliseconds since 1970.
    pub(super) asked_ms: u64,
    /// How long the sender waits.
    pub(super) wait_ms: u64,
    pub(super) definitions: Vec<Definition>,
}

/// A host's reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "status", content = "what")]
pub(super) enum Reply {
    /// The uses of each definition.
    Answered(Vec<Vec<Location>>),
    /// The server hasn't read the project yet.
    Reading,
    /// It takes longer than the sender waits.
    Late,
    /// It failed.
    Failed(String),
}

/// The folder with the requests for one kind.
pub(super) fn folder(place: &IndexLocation, kind: &Kind) -> PathBuf {
    all(&place.db).join(kind.name)
}

/// The folder with all requests about the index `db`.
fn all(db: &Path) -> PathBuf {
    db.with_file_name("servers")
}

/// Removes all requests about the index `db`.
pub(crate) fn forget(db: &Path) -> std::io::Result<()> {
    match std::fs::remove_dir_all(all(db)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

pub(super) fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(0)
}

/// Leaves a request in `folder` and waits for the reply.
pub(super) fn send(folder: &Path, request: &Request, cancelled: impl Fn() -> bool) -> Reply {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name =
        format!("{}-{}-{}", request.asked_ms, std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let (request_file, reply_file) =
        (folder.join(format!("{name}.ask")), folder.join(format!("{name}.told")));
    let put = serde_json::to_vec(request).map_err(std::io::Error::other);
    if let Err(error) = put.and_then(|bytes| home::write_private(&request_file, &bytes)) {
        return Reply::Failed(format!("{}: {error}", request_file.display()));
    }
    let until = Instant::now() + Duration::from_millis(request.wait_ms);
    let answer = loop {
        if let Some(answer) = read::<Reply>(&reply_file) {
            break answer;
        }
        if Instant::now() >= until || cancelled() {
            break Reply::Late;
        }
        std::thread::sleep(PAUSE);
    };
    let _ = std::fs::remove_file(request_file);
    let _ = std::fs::remove_file(reply_file);
    answer
}

/// The oldest request whose sender still waits; removes leftovers.
pub(super) fn next(folder: &Path) -> Option<(PathBuf, Request)> {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    names.sort();
    for path in names {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if ending == "ask"
            && let Some(request) = read::<Request>(&path)
            && now_ms() < request.asked_ms.saturating_add(request.wait_ms)
        {
            return Some((path, request));
        }
        let age = path.metadata().and_then(|meta| meta.modified()).ok().and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > STALE) {
            let _ = std::fs::remove_file(path);
        }
    }
    None
}

/// Replies to a request.
pub(super) fn reply(request_file: &Path, reply: &Reply) {
    let _ = std::fs::remove_file(request_file);
    if let Ok(bytes) = serde_json::to_vec(reply)
        && let Err(error) = home::write_private(&request_file.with_extension("told"), &bytes)
    {
        log::debug!("a reply can't be written: {error}");
    }
}

/// A complete file.
fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&home::read_regular(path, MAX_BYTES).ok()?).ok()
}
