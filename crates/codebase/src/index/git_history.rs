//! Reads the history of a project's conventions from git, in the worker: the last two years once, then new commits.

use std::time::{Duration, Instant};

use code::Store;
use code::patterns::{LOG, Log, MONTHS, Month};
use contract::Error;
use serde_json::{Value, json};

use super::worker_client::{self, Outcome, Task};
use super::{Index, IndexLocation, failure, git};

/// More commits are not looked at; those that are left out are the oldest …
const COMMITS: &str = "5000";
const MANY: u64 = 5_000;
/// … and the time limit for git.
const LONG: Duration = Duration::from_secs(20);
/// The number of lines after which the time is checked.
const OFTEN: u64 = 4_096;

/// Reads what was committed since it was read the last time; waits for its turn to write at most `turn`.
///
/// # Errors
/// Without an index, or when git fails.
pub(super) fn read(place: &IndexLocation, turn: Duration) -> Result<Value, String> {
    let Some((head, seconds)) = git::newest(&place.root) else {
        return Ok(json!({"commits": 0}));
    };
    let (known, mark) = (recorded_head(place)?, mark(place, &head));
    if known.as_deref() == Some(&mark) {
        return Ok(json!({"commits": 0}));
    }
    let newest = Month::at(seconds);
    // Commits that came in below those that were read can't be continued from.
    let same_begin = |known: &&str| {
        known.split_once(' ').map(|(_, begin)| begin) == mark.split_once(' ').map(|(_, begin)| begin)
    };
    let on = known.as_deref().filter(same_begin).and_then(|known| known.split(' ').next());
    let on = on.filter(|known| git::is_ancestor(&place.root, known, &head));
    let range = on.map_or_else(|| head.clone(), |known| format!("{known}..{head}"));
    let since = format!("--since={}", seconds.saturating_sub(MONTHS * 31 * 86_400).max(100_000_000));
    let most = format!("--max-count={COMMITS}");
    // The first commits of a shallow clone seem to add every file there is: they add nothing, and what was before them isn't known.
    let begin = git::shallow_begin(&place.root, &head);
    let children = begin.map(|_| "--min-parents=1");
    let arguments: Vec<&str> = LOG
        .iter()
        .copied()
        .chain(children)
        .chain([since.as_str(), &most, "--patch", &range, "--", "."])
        .collect();
    let (mut log, mut commits, mut lines, began) = (Log::default(), 0u64, 0u64, Instant::now());
    let mut whole = true;
    git::log(&place.root, &arguments, |line| {
        let begins = line.first() == Some(&0);
        commits += u64::from(begins);
        lines += 1;
        // A commit may be of any size.
        if begins || lines % OFTEN == 0 {
            whole = began.elapsed() < LONG;
        }
        // The commit at which reading stops is incomplete, and so is its month.
        if whole {
            log.line(line);
        }
        whole
    })?;
    let (added, last) = log.finish();
    let first = Month(newest.0 - MONTHS + 1);
    let cut = last.filter(|_| !whole || commits >= MANY).map(|last| Month(last.0 + 1));
    // New commits continue what is known.
    let begin = begin.filter(|_| on.is_none()).map(|seconds| Month(Month::at(seconds).0 + 1));
    let cut = cut.max(begin);
    // If there were too many new commits, the earlier history has a gap after it.
    let from = cut.map(|cut| cut.max(first)).or_else(|| on.is_none().then_some(first));
    let _alone = home::lock(&place.home, &place.lock, turn).map_err(|error| error.to_string())?;
    // A worker with the lock before may have read the same.
    if recorded_head(place)? == known {
        let mut store = Store::open(&place.db).map_err(|error| error.to_string())?;
        store.put_history(&added, &mark, newest, from).map_err(|error| error.to_string())?;
    }
    Ok(json!({"commits": commits}))
}

/// What is stored of a history that is read up to `head`: that commit, and where a shallow clone begins, because it may be
/// deepened while its newest commit stays.
fn mark(place: &IndexLocation, head: &str) -> String {
    match git::shallow_mark(&place.root) {
        Some(begin) => format!("{head} {begin}"),
        None => head.to_owned(),
    }
}

fn recorded_head(place: &IndexLocation) -> Result<Option<String>, String> {
    let store = Store::open_read_only(&place.db).map_err(|error| error.to_string())?;
    let store = store.ok_or_else(|| "there is no index yet".to_owned())?;
    store.history_head().map_err(|error| error.to_string())
}

/// Has the worker read recent commits; waits at most `patience` and returns whether all are read.
///
/// # Errors
/// When the index cannot be read.
pub(crate) fn bring_up_to_date(index: &Index<'_>, patience: Duration) -> Result<bool, Error> {
    let place = index.place;
    let Some((head, _)) = is_in_repository(place).then(|| git::newest(&place.root)).flatten() else {
        return Ok(true);
    };
    let known = index.store.history_head().map_err(|error| failure(&error))?;
    if known.is_some_and(|known| known == mark(place, &head)) {
        return Ok(true);
    }
    match worker_client::run(place, Task::History, patience, &index.call.cancelled) {
        Outcome::Answer(_) => Ok(true),
        Outcome::Working => Ok(false),
        Outcome::Failed(problem) => {
            log::warn!("the history of {} isn't known: {problem}", place.root.display());
            Ok(true)
        }
    }
}

/// Has the worker read a history for the first time, for later queries; doesn't wait.
pub(crate) fn begin(index: &Index<'_>) {
    let never = index.store.history_head().is_ok_and(|head| head.is_none());
    if never && is_in_repository(index.place) {
        let _ = worker_client::run(index.place, Task::History, Duration::ZERO, &index.call.cancelled);
    }
}

fn is_in_repository(place: &IndexLocation) -> bool {
    place.root.ancestors().any(|folder| folder.join(".git").exists())
}
