//! Questions and answers as files in the project's folder of data: whoever asks puts a question there and waits; the keeper
//! takes it, and puts the answer beside it. Works alike on every system, and nobody else can reach it: the folder is the
//! user's own.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::kinds::Kind;
use crate::index::Place;

/// So often is looked for an answer.
const PAUSE: Duration = Duration::from_millis(15);
/// Nobody waits any longer for an answer to what is older.
const OLD: Duration = Duration::from_secs(60);
/// Larger files are nobody's.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// A place in a file: its path in the project, its line and its column in bytes, from 1.
pub(super) type Spot = (String, u32, u32);

/// What is asked: where what is named at each place is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Question {
    pub(super) asked_ms: u64,
    pub(super) wait_ms: u64,
    /// What the protocol calls the language.
    pub(super) language: String,
    pub(super) places: Vec<Spot>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "status", content = "what")]
pub(super) enum Told {
    /// The uses of each place.
    Answered(Vec<Vec<Spot>>),
    /// It hasn't read the project yet.
    Reading,
    /// It takes longer than whoever asks waits.
    Late,
    /// It failed.
    Failed(String),
}

/// Where the questions for one kind are.
pub(super) fn folder(place: &Place, kind: &Kind) -> PathBuf {
    all(&place.db).join(kind.name)
}

/// Where all questions about the index `db` are.
fn all(db: &Path) -> PathBuf {
    db.with_file_name("servers")
}

/// Removes what lies there.
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

/// Puts a question into `folder` and waits for what comes of it.
pub(super) fn ask(folder: &Path, question: &Question, cancelled: impl Fn() -> bool) -> Told {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name =
        format!("{}-{}-{}", question.asked_ms, std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let (asked, told) = (folder.join(format!("{name}.ask")), folder.join(format!("{name}.told")));
    let put = serde_json::to_vec(question).map_err(std::io::Error::other);
    if let Err(error) = put.and_then(|bytes| home::write_private(&asked, &bytes)) {
        return Told::Failed(format!("{}: {error}", asked.display()));
    }
    let until = Instant::now() + Duration::from_millis(question.wait_ms);
    let answer = loop {
        if let Some(answer) = taken::<Told>(&told) {
            break answer;
        }
        if Instant::now() >= until || cancelled() {
            break Told::Late;
        }
        std::thread::sleep(PAUSE);
    };
    let _ = std::fs::remove_file(asked);
    let _ = std::fs::remove_file(told);
    answer
}

/// The oldest question that somebody waits for; older ones, and what nobody fetched, are removed.
pub(super) fn next(folder: &Path) -> Option<(PathBuf, Question)> {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    names.sort();
    for path in names {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if ending == "ask"
            && let Some(question) = taken::<Question>(&path)
            && now_ms() < question.asked_ms.saturating_add(question.wait_ms)
        {
            return Some((path, question));
        }
        let age = path.metadata().and_then(|meta| meta.modified()).ok().and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > OLD) {
            let _ = std::fs::remove_file(path);
        }
    }
    None
}

/// Answers a question.
pub(super) fn tell(asked: &Path, told: &Told) {
    let _ = std::fs::remove_file(asked);
    if let Ok(bytes) = serde_json::to_vec(told)
        && let Err(error) = home::write_private(&asked.with_extension("told"), &bytes)
    {
        log::debug!("an answer isn't there: {error}");
    }
}

/// A file that is there whole.
fn taken<T: serde::de::DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&home::read_regular(path, MAX_BYTES).ok()?).ok()
}
