//! The disk budget for outputs: those in every project's knowledge base, task and full outputs in `tasks/`, and files
//! in `cache/`. Owns what counts, what is removed first, and when to check.
//!
//! Every writer records the bytes it wrote ([`home::grown`]). Whoever notices that a sixteenth of the budget has been
//! written since the last check runs one; only one process does at a time. The oldest items go first, and those of
//! ended sessions before those of live ones. The output of running tasks and the newest few outputs stay. Sources
//! that were indexed on purpose don't count.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use home::Home;
use knowledge::Store;
use sandbox::task::{TaskInfo, TaskState, Tasks};
use sessions::heartbeats;

use crate::Service;

/// The newest items are never removed: their addresses have just been returned.
const NEWEST_KEPT: usize = 4;
/// A cache file written more recently than this is in use: it is about to be read or appended to. On Unix a lock
/// marks a running writer, so the wait is short and a burst of large outputs can't grow far beyond the budget.
const IN_USE_FOR: Duration = Duration::from_secs(if cfg!(unix) { 5 } else { 60 });
/// Cache folders that contain outputs. The other folders are small and can be rebuilt.
const OUTPUT_FOLDERS: [&str; 2] = ["outputs", "reads"];

/// Disk usage in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct DiskUsage {
    /// Outputs in knowledge bases.
    pub(crate) outputs: u64,
    /// `tasks/`.
    pub(crate) tasks: u64,
    /// `cache/`.
    pub(crate) cache: u64,
}

impl DiskUsage {
    pub(crate) fn all(self) -> u64 {
        self.outputs.saturating_add(self.tasks).saturating_add(self.cache)
    }
}

/// One removable item.
struct Item {
    at_ms: i64,
    bytes: u64,
    session: Option<String>,
    kind: ItemKind,
}

enum ItemKind {
    Output { database: PathBuf, id: i64 },
    Task(Box<TaskInfo>),
    File(PathBuf),
}

/// Measures disk usage and lists what may be removed.
fn measure(home: &Home) -> (DiskUsage, Vec<Item>) {
    let (mut usage, mut items) = (DiskUsage::default(), Vec::new());
    for folder in std::fs::read_dir(home.projects_dir()).into_iter().flatten().flatten() {
        let database = folder.path().join("knowledge.db");
        let stored = Store::open_read_only(&database)
            .and_then(|store| store.map_or_else(|| Ok(Vec::new()), |store| store.stored_outputs()));
        for output in stored.unwrap_or_default() {
            usage.outputs += output.disk_bytes;
            items.push(Item {
                at_ms: output.indexed_ms,
                bytes: output.disk_bytes,
                session: output.session,
                kind: ItemKind::Output { database: database.clone(), id: output.id },
            });
        }
    }
    for task in Tasks::new(home.tasks_dir()).list() {
        usage.tasks += task.output_bytes;
        if task.state != TaskState::Running {
            items.push(Item {
                at_ms: task.ended_ms.unwrap_or(task.started_ms),
                bytes: task.output_bytes,
                session: task.session.clone(),
                kind: ItemKind::Task(Box::new(task)),
            });
        }
    }
    let own = home.is_own();
    usage.cache = files(&home.cache_dir(), &mut |path, meta| {
        let within = path.strip_prefix(home.cache_dir()).ok().and_then(|path| path.iter().next());
        let written = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        // A clock that was corrected by a second leaves what was just written in the future.
        let age = written.elapsed().unwrap_or_else(|ahead| ahead.duration());
        let in_use = age < IN_USE_FOR || is_locked(path);
        if own && !in_use && OUTPUT_FOLDERS.iter().any(|name| within == Some(name.as_ref())) {
            let at = written.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            items.push(Item {
                at_ms: i64::try_from(at.as_millis()).unwrap_or(i64::MAX),
                bytes: meta.len(),
                session: None,
                kind: ItemKind::File(path.to_owned()),
            });
        }
    });
    (usage, items)
}

/// Whether a running writer holds the file's lock.
fn is_locked(path: &Path) -> bool {
    let held = |file: std::fs::File| matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock));
    cfg!(unix) && std::fs::File::open(path).is_ok_and(held)
}

/// Calls `each` with every file below a folder and returns their total size. Doesn't follow links.
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

/// The current disk usage.
pub(crate) fn usage(home: &Home) -> DiskUsage {
    measure(home).0
}

/// Whether enough has been written since the last check.
pub(crate) fn is_due(home: &Home, budget: u64) -> bool {
    home::growth(home) >= budget / 16
}

/// Removes items until the rest fits and returns their number; 0 if another process is already at it.
pub(crate) fn enforce(home: &Home, budget: u64, now_ms: i64) -> usize {
    let Ok(_alone) = home::lock(home, "budget", Duration::ZERO) else { return 0 };
    home::reset_growth(home);
    let (usage, mut items) = measure(home);
    if usage.all() <= budget {
        return 0;
    }
    // Frees an eighth more than needed, so that the next output doesn't trigger the next check.
    let mut over = usage.all() - (budget - budget / 8);
    let live_sessions: HashSet<String> =
        heartbeats::all(home, now_ms).into_iter().filter_map(|beat| beat.session).collect();
    items.sort_by_key(|item| item.at_ms);
    items.truncate(items.len().saturating_sub(NEWEST_KEPT));
    items.sort_by_key(|item| {
        (item.session.as_ref().is_some_and(|session| live_sessions.contains(session)), item.at_ms)
    });
    let tasks = Tasks::new(home.tasks_dir());
    let mut outputs: BTreeMap<PathBuf, Vec<i64>> = BTreeMap::new();
    let mut removed = 0;
    for item in items {
        if over == 0 {
            break;
        }
        let gone = match item.kind {
            ItemKind::Output { database, id } => {
                outputs.entry(database).or_default().push(id);
                true
            }
            ItemKind::Task(task) => tasks.remove(&task),
            ItemKind::File(path) => std::fs::remove_file(path).is_ok(),
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
    log::info!("{removed} old outputs made room: {} of {budget} bytes were taken", usage.all());
    removed
}

impl Service {
    /// Records that about `bytes` bytes were stored, and enforces the budget when it's time.
    pub(crate) fn record_stored(&self, bytes: u64) {
        home::add_growth(self.home(), bytes);
        let (budget, now_ms) = (self.settings().retention.kept_bytes, self.now_ms());
        if !is_due(self.home(), budget) {
            return;
        }
        let (home, lock) = (self.home().clone(), Arc::clone(&self.budget_lock));
        // Only one thread at a time: the lock between processes would admit a second thread of this one.
        let Ok(guard) = lock.try_lock_owned() else { return };
        tokio::task::spawn_blocking(move || {
            enforce(&home, budget, now_ms);
            drop(guard);
        });
    }
}

#[cfg(test)]
mod tests;
