//! What outputs may take on the disk, together: those in the knowledge bases of all projects, those of tasks and whole
//! ones in `tasks/`, and what lies in `cache/`. Owns what is counted, what goes first, and when somebody looks.
//!
//! Everybody notes what is written ([`home::grown`]); whoever finds that a sixteenth of the budget has been written since
//! the last look, looks. One process at a time does. The oldest goes first, sessions that are over before those that
//! live; what a running task writes, and the few newest outputs, stay. What was indexed on purpose does not count.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use home::Home;
use knowledge::Store;
use sandbox::task::{TaskInfo, TaskState, Tasks};
use sessions::live;

use crate::Service;

/// The newest of all are never removed: their addresses have just been told.
const NEWEST: usize = 4;
/// A file of the cache that was written since is in use: somebody is about to read it, or to write on. Where a run's lock
/// tells that it goes on, that is soon over, so that a burst of large outputs doesn't grow beyond the budget.
const IN_USE: Duration = Duration::from_secs(if cfg!(unix) { 5 } else { 60 });
/// Parts of the cache in which outputs lie; the rest is small and can be made again.
const CACHED: [&str; 2] = ["outputs", "reads"];

/// What is taken now, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Held {
    /// Outputs in knowledge bases.
    pub(crate) outputs: u64,
    /// `tasks/`.
    pub(crate) tasks: u64,
    /// `cache/`.
    pub(crate) cache: u64,
}

impl Held {
    pub(crate) fn all(self) -> u64 {
        self.outputs.saturating_add(self.tasks).saturating_add(self.cache)
    }
}

/// One thing that can be removed.
struct Item {
    at_ms: i64,
    bytes: u64,
    session: Option<String>,
    what: What,
}

enum What {
    Output { database: PathBuf, id: i64 },
    Task(Box<TaskInfo>),
    File(PathBuf),
}

/// What lies there, and what of it may go.
fn look(home: &Home) -> (Held, Vec<Item>) {
    let (mut held, mut items) = (Held::default(), Vec::new());
    for folder in std::fs::read_dir(home.projects_dir()).into_iter().flatten().flatten() {
        let database = folder.path().join("knowledge.db");
        let stored = Store::open_read_only(&database)
            .and_then(|store| store.map_or_else(|| Ok(Vec::new()), |store| store.stored_outputs()));
        for output in stored.unwrap_or_default() {
            held.outputs += output.disk_bytes;
            items.push(Item {
                at_ms: output.indexed_ms,
                bytes: output.disk_bytes,
                session: output.session,
                what: What::Output { database: database.clone(), id: output.id },
            });
        }
    }
    for task in Tasks::new(home.tasks_dir()).list() {
        held.tasks += task.output_bytes;
        if task.state != TaskState::Running {
            items.push(Item {
                at_ms: task.ended_ms.unwrap_or(task.started_ms),
                bytes: task.output_bytes,
                session: task.session.clone(),
                what: What::Task(Box::new(task)),
            });
        }
    }
    held.cache = files(&home.cache_dir(), &mut |path, meta| {
        let within = path.strip_prefix(home.cache_dir()).ok().and_then(|path| path.iter().next());
        let written = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let in_use = written.elapsed().is_ok_and(|age| age < IN_USE) || is_locked(path);
        if !in_use && CACHED.iter().any(|name| within == Some(name.as_ref())) {
            let at = written.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            items.push(Item {
                at_ms: i64::try_from(at.as_millis()).unwrap_or(i64::MAX),
                bytes: meta.len(),
                session: None,
                what: What::File(path.to_owned()),
            });
        }
    });
    (held, items)
}

/// Whether a run is writing this file.
fn is_locked(path: &Path) -> bool {
    let held = |file: std::fs::File| matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock));
    cfg!(unix) && std::fs::File::open(path).is_ok_and(held)
}

/// Calls `each` with every file below a folder; their bytes in all. Links are not followed.
fn files(folder: &Path, each: &mut impl FnMut(&Path, &std::fs::Metadata)) -> u64 {
    let mut bytes = 0u64;
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.metadata() {
            Ok(meta) if meta.is_dir() => bytes += files(&path, each),
            Ok(meta) if meta.is_file() => {
                bytes += meta.len();
                each(&path, &meta);
            }
            _ => {}
        }
    }
    bytes
}

/// What is taken now.
pub(crate) fn held(home: &Home) -> Held {
    look(home).0
}

/// Whether enough has been written since the last look.
pub(crate) fn is_due(home: &Home, budget: u64) -> bool {
    home::growth(home) >= budget / 16
}

/// Removes what does not fit; how many things. Nothing, when another process is at it.
pub(crate) fn enforce(home: &Home, budget: u64, now_ms: i64) -> usize {
    let Ok(_alone) = home::lock(home, "budget", Duration::ZERO) else { return 0 };
    home::reset_growth(home);
    let (held, mut items) = look(home);
    if held.all() <= budget {
        return 0;
    }
    // A little more than has to, so that the next output does not ask for the next one.
    let mut over = held.all() - (budget - budget / 8);
    let living: HashSet<String> =
        live::all(home, now_ms).into_iter().filter_map(|beat| beat.session).collect();
    items.sort_by_key(|item| item.at_ms);
    items.truncate(items.len().saturating_sub(NEWEST));
    items.sort_by_key(|item| {
        (item.session.as_ref().is_some_and(|session| living.contains(session)), item.at_ms)
    });
    let tasks = Tasks::new(home.tasks_dir());
    let mut outputs: BTreeMap<PathBuf, Vec<i64>> = BTreeMap::new();
    let mut removed = 0;
    for item in items {
        if over == 0 {
            break;
        }
        let gone = match item.what {
            What::Output { database, id } => {
                outputs.entry(database).or_default().push(id);
                true
            }
            What::Task(task) => tasks.remove(&task),
            What::File(path) => std::fs::remove_file(path).is_ok(),
        };
        if gone {
            removed += 1;
            over = over.saturating_sub(item.bytes);
        }
    }
    for (database, ids) in outputs {
        let evicted = Store::open(&database).and_then(|mut store| {
            let evicted = store.evict_outputs(&ids);
            store.shrink();
            evicted
        });
        if let Err(error) = evicted {
            log::warn!("old outputs stay for now: {error}");
        }
    }
    log::info!("{removed} old outputs made room: {} of {budget} bytes were taken", held.all());
    removed
}

impl Service {
    /// Notes that about so many bytes were stored, and sees to it that all of them fit.
    pub(crate) fn stored(&self, bytes: u64) {
        home::grown(self.home(), bytes);
        let (budget, now_ms) = (self.settings().retention.kept_bytes, self.now_ms());
        if !is_due(self.home(), budget) {
            return;
        }
        let (home, busy) = (self.home().clone(), Arc::clone(&self.making_room));
        // One thread at a time; the lock between processes would let the second one go as well.
        let Ok(guard) = busy.try_lock_owned() else { return };
        tokio::task::spawn_blocking(move || {
            enforce(&home, budget, now_ms);
            drop(guard);
        });
    }
}

#[cfg(test)]
mod tests;
