//! Keeps indexes open and answers from them: changes are read first, and what couldn't be read in time is reported with the answer.
//! Queries of one project run one at a time in a process; the database allows any number of readers.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use code::freshness::{self, Changes};
use code::search::Reader;
use code::{CodebaseError, Store};
use contract::{Error, ErrorCode, Fault};
use serde_json::{Value, json};
use system::{Call, Readable};

use super::IndexLocation;
use super::worker_client::{self, Outcome, Task, files_read};
use crate::messages;

/// How long an agent waits for a project's first index …
const FIRST: Duration = Duration::from_secs(4);
/// … and for what changed since.
const CHANGED: Duration = Duration::from_millis(2_500);
/// A terminal waits to the end.
const USER_WAITS: Duration = Duration::from_secs(3_600);
/// The number of indexes that are kept open.
const KEPT: usize = 2;
/// Up to this number, changed files are read without checking all others.
const FEW: usize = 64;
/// The number of changed files that are named.
const NAMED: usize = 5;

struct Opened {
    identity: Option<Identity>,
    store: Store,
    reader: Reader,
}

type Slot = Arc<Mutex<Option<Opened>>>;
static OPEN: LazyLock<Mutex<Vec<(PathBuf, Slot)>>> = LazyLock::new(Mutex::default);

/// Identifies a database file: one that was removed and built again is another.
type Identity = (u64, Option<std::time::SystemTime>);

fn identity(path: &Path) -> Option<Identity> {
    let meta = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&meta);
    #[cfg(not(unix))]
    let number = 0;
    Some((number, meta.created().ok()))
}

fn slot(db: &Path) -> Slot {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let at = open.iter().position(|(path, _)| path == db);
    let entry = at.map_or_else(|| (db.to_owned(), Slot::default()), |at| open.remove(at));
    let slot = Arc::clone(&entry.1);
    open.insert(0, entry);
    open.truncate(KEPT);
    slot
}

/// How up to date an index is.
#[derive(Debug, Clone, Default)]
pub(crate) struct IndexStatus {
    /// The changes since the index was written.
    pub(crate) changes: Changes,
    /// Not every file was read yet.
    pub(crate) partial: bool,
    /// A write is unfinished: it is running or was killed.
    pub(crate) unfinished: bool,
    /// How far the worker is.
    pub(crate) progress: Option<(u64, u64)>,
    /// Why what changed could not be read.
    pub(crate) problem: Option<String>,
}

impl IndexStatus {
    /// Whether it says what the project says.
    pub(crate) fn is_fresh(&self) -> bool {
        self.changes.is_empty() && !self.partial && !self.unfinished
    }

    /// As written in replies.
    pub(crate) fn stamp(&self) -> Value {
        let status = if self.is_fresh() { "ready" } else { "indexing" };
        let confidence = if self.is_fresh() { "high" } else { "low" };
        let mut out = json!({"status": status, "confidence": confidence, "action": "served"});
        if self.partial {
            out["reason"] =
                "the project is being read for the first time; this is what is known so far".into();
        } else if self.changes.is_empty() && self.unfinished {
            out["reason"] = "changes are being written; who imports whom may be out of date".into();
        } else if !self.changes.is_empty() {
            let changes = &self.changes;
            let all = changes.changed.len() + changes.gone.len() + changes.around.len();
            let named: Vec<&String> =
                changes.changed.iter().chain(&changes.gone).chain(&changes.around).take(NAMED).collect();
            out["reason"] = format!("{all} changed since the index was made and are not read yet").into();
            out["changed"] = json!(named);
        }
        if let Some((done, total)) = self.progress {
            out["progress"] = progress(done, total);
        }
        if let Some(problem) = &self.problem {
            out["problem"] = problem.clone().into();
        }
        out
    }
}

/// The progress of a worker, in the fields of the specification.
pub(crate) fn progress(done: u64, total: u64) -> Value {
    let percentage = (done * 100).checked_div(total).unwrap_or(0);
    json!({"phase": "indexing", "percentage": percentage, "filesProcessed": done, "totalFiles": total})
}

/// An index with what is needed to answer from it.
pub(crate) struct Index<'a> {
    pub(crate) place: &'a IndexLocation,
    pub(crate) store: &'a Store,
    pub(crate) reader: &'a Reader,
    pub(crate) status: IndexStatus,
    pub(crate) readable: &'a Readable,
    pub(crate) call: &'a Call,
}

impl Index<'_> {
    /// Whether the asker may read this file of the project.
    pub(crate) fn shows(&self, path: &str) -> bool {
        self.readable.allows(&self.place.file(path))
    }

    /// The folder, or file, that an answer is limited to, relative to the project; nothing for the whole project.
    ///
    /// # Errors
    /// When no file that was read is in it.
    pub(crate) fn scope(&self, asked: Option<&str>) -> Result<Option<String>, Error> {
        let Some(asked) = asked.map(str::trim) else { return Ok(None) };
        let Some(folder) = self.place.relative(asked) else { return Ok(None) };
        let is_there = self.reader.files().iter().any(|file| {
            let rest = file.path.strip_prefix(folder.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) && self.shows(&file.path)
        });
        if is_there {
            Ok(Some(folder))
        } else {
            Err(Error::new(ErrorCode::NotFound, messages::no_such_scope(asked)))
        }
    }

    /// A file that was read.
    pub(crate) fn file(&self, path: &str) -> Option<&code::search::File> {
        let files = self.reader.files();
        files.binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(|at| &files[at])
    }

    /// How long to wait for something else.
    pub(crate) fn patience(&self) -> Duration {
        patience(self.place, self.call, FIRST)
    }
}

fn patience(place: &IndexLocation, call: &Call, agent: Duration) -> Duration {
    place.waits.unwrap_or(if call.agent.is_some() { agent } else { USER_WAITS })
}

/// Answers from the project's index; builds it first if it's missing, and again if it's damaged.
///
/// # Errors
/// When there is no index yet and building takes too long, or it can't be built or read.
pub(crate) fn ask<T>(
    place: &IndexLocation,
    readable: &Readable,
    call: &Call,
    answer: impl Fn(&Index<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let slot = slot(&place.db);
    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    match answer_from_slot(place, readable, call, &mut slot, &answer) {
        Err(error) if error.fault == Some(Fault::Damaged) => {
            log::warn!("{}: damaged; the index is built again from the project's files", place.db.display());
            log::info!("{error}");
            *slot = None;
            bring_up_to_date(place, call, Task::Fresh, FIRST)?;
            answer_from_slot(place, readable, call, &mut slot, &answer)
        }
        other => other,
    }
}

fn answer_from_slot<T>(
    place: &IndexLocation,
    readable: &Readable,
    call: &Call,
    slot: &mut Option<Opened>,
    answer: &dyn Fn(&Index<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut status = IndexStatus::default();
    if open(place, slot)?.is_none() {
        status = bring_up_to_date(place, call, Task::Update, FIRST)?;
        open(place, slot)?;
    }
    let Some(opened) = slot.as_ref() else { return Err(not_ready_error(place, status.problem)) };
    let changes = freshness::changes(&opened.reader, &place.root);
    let (partial, unfinished) = completeness(&opened.store)?;
    // A caller that just waited for the first index doesn't wait again.
    if status.progress.is_none() && (unfinished || !changes.is_empty()) {
        let patience = if partial { FIRST } else { CHANGED };
        let Changes { mut changed, gone, around } = changes;
        changed.extend(around);
        let few = !unfinished && gone.is_empty() && changed.len() <= FEW;
        let task = if few { Task::Only(changed.clone()) } else { Task::Update };
        status = bring_up_to_date(place, call, task, patience)?;
        open(place, slot)?;
        let Some(opened) = slot.as_ref() else { return Err(not_ready_error(place, status.problem)) };
        status.changes = if few && status.progress.is_none() {
            // All others were looked at a moment ago.
            changed.retain(|path| freshness::has_changed(&opened.reader, &place.root, path));
            Changes { changed, ..Changes::default() }
        } else {
            after(&opened.reader, place, status.progress.is_none())
        };
    }
    let Some(opened) = slot.as_ref() else { return Err(not_ready_error(place, status.problem)) };
    (status.partial, status.unfinished) = completeness(&opened.store)?;
    answer(&Index { place, store: &opened.store, reader: &opened.reader, status, readable, call })
}

/// The remaining changes. A file written in the same clock tick as the worker's read is up to date.
fn after(reader: &Reader, place: &IndexLocation, done: bool) -> Changes {
    let mut changes = freshness::changes(reader, &place.root);
    if done {
        let really = |path: &String| freshness::has_changed(reader, &place.root, path);
        changes.changed.retain(really);
        changes.around.retain(really);
    }
    changes
}

/// Whether files were never read, and whether anything is not written to its end.
fn completeness(store: &Store) -> Result<(bool, bool), Error> {
    let fact = |name: &str| store.fact(name).map_err(|error| failure(&error));
    let unfinished = fact("complete")?.as_deref() != Some("true");
    Ok((unfinished && fact("looked_ns")?.is_none(), unfinished))
}

/// Has the worker read what changed.
fn bring_up_to_date(
    place: &IndexLocation,
    call: &Call,
    task: Task,
    agent: Duration,
) -> Result<IndexStatus, Error> {
    let mut status = IndexStatus::default();
    match worker_client::run_with_progress(place, task, patience(place, call, agent), call) {
        Outcome::Answer(_) => {}
        Outcome::Failed(problem) => status.problem = Some(problem),
        Outcome::Working if call.cancelled.is_set() => {
            return Err(Error::new(ErrorCode::Cancelled, messages::taken_back()));
        }
        Outcome::Working => status.progress = Some(worker_progress(place).unwrap_or((0, 0))),
    }
    Ok(status)
}

/// How far the worker of a project is, where one works: it has the lock. One that was killed leaves word of how far it came.
pub(crate) fn worker_progress(place: &IndexLocation) -> Option<(u64, u64)> {
    let counts = files_read(place)?;
    home::lock(&place.home, &place.lock, Duration::ZERO).is_err().then_some(counts)
}

/// Opens the index, or refreshes the open one if it changed.
fn open<'s>(place: &IndexLocation, slot: &'s mut Option<Opened>) -> Result<Option<&'s Opened>, Error> {
    let now = identity(&place.db);
    if let Some(opened) = slot.as_ref()
        && (now.is_none() || opened.identity != now)
    {
        *slot = None;
    }
    if slot.is_none() {
        let Some(store) = Store::open_read_only(&place.db).map_err(|error| failure(&error))? else {
            return Ok(None);
        };
        let reader = Reader::open(&store).map_err(|error| failure(&error))?;
        *slot = Some(Opened { identity: now, store, reader });
    } else if let Some(opened) = slot.as_mut() {
        opened.reader.refresh(&opened.store).map_err(|error| failure(&error))?;
    }
    Ok(slot.as_ref())
}

/// Errors are never "no results".
fn not_ready_error(place: &IndexLocation, problem: Option<String>) -> Error {
    if let Some(problem) = problem {
        return Error::new(ErrorCode::Storage, messages::cannot_be_made(place.root.display(), problem));
    }
    let folder = place.root.display();
    let far = worker_progress(place).filter(|(_, total)| *total > 0);
    let message = match far {
        Some((done, total)) => messages::first_time_far(folder, done, total),
        None => messages::first_time(folder),
    };
    Error::new(ErrorCode::NotAvailable, message)
}

/// An error of the crate below.
pub(crate) fn failure(error: &CodebaseError) -> Error {
    let code = match error {
        CodebaseError::EmptyQuery | CodebaseError::Unknown { .. } => ErrorCode::InvalidArgument,
        CodebaseError::NoIndex { .. } => ErrorCode::NotAvailable,
        CodebaseError::Io { .. } => ErrorCode::NotFound,
        _ => ErrorCode::Storage,
    };
    let fault = error.is_damaged().then_some(Fault::Damaged);
    Error { fault, ..Error::new(code, error.to_string()) }
}
