//! Retention and deletion of what the context system stores: task outputs, kept outputs, cached texts and downloads,
//! and outputs in knowledge bases.

use std::path::{Path, PathBuf};

use contract::Error;
use home::{Home, Retention};
use knowledge::Store;
use sandbox::task::{TaskInfo, TaskState, Tasks};
use system::{DataScope, PurgedData, Removed};

use crate::age::{before, remove_old};

/// What [`forget`] would remove.
pub(super) fn preview(home: &Home, which: &DataScope) -> Result<Vec<PurgedData>, Error> {
    let (mut outputs, mut cached) = (Count::default(), Count::default());
    finished_tasks(home, which).for_each(|task| outputs.add(task.output_bytes));
    files(home, which).into_iter().for_each(|(_, bytes)| cached.add(bytes));
    Ok(deleted_counts(outputs, cached))
}

/// Deletes it permanently.
pub(super) fn forget(home: &Home, which: &DataScope) -> Result<Vec<PurgedData>, Error> {
    let (mut outputs, mut cached) = (Count::default(), Count::default());
    let tasks = Tasks::new(home.tasks_dir());
    for task in finished_tasks(home, which) {
        if tasks.remove(&task) {
            outputs.add(task.output_bytes);
        }
    }
    for (path, bytes) in files(home, which) {
        if std::fs::remove_file(&path).is_ok() {
            cached.add(bytes);
        }
    }
    Ok(deleted_counts(outputs, cached))
}

/// Number and total size.
#[derive(Default)]
struct Count(u64, u64);

impl Count {
    fn add(&mut self, bytes: u64) {
        self.0 += 1;
        self.1 += bytes;
    }
}

fn deleted_counts(outputs: Count, cached: Count) -> Vec<PurgedData> {
    vec![
        PurgedData {
            what: "outputs",
            one: "kept output",
            number: outputs.0,
            bytes: Some(("output_bytes", outputs.1)),
        },
        PurgedData {
            what: "files",
            one: "cached or downloaded file",
            number: cached.0,
            bytes: Some(("file_bytes", cached.1)),
        },
    ]
}

/// Removes what exceeds the retention settings. Failures are logged.
pub(super) fn retain(home: &Home, retention: &Retention, now_ms: i64) -> Vec<Removed> {
    let before = before(now_ms, retention.output_days);
    let cached = |name| if home.is_own() { remove_old(&home.cache_dir().join(name), before) } else { 0 };
    let files = cached("outputs");
    let tasks = Tasks::new(home.tasks_dir()).forget(before, u64::MAX);
    cached("reads");
    let mut outputs = 0;
    for folder in std::fs::read_dir(home.projects_dir()).into_iter().flatten().flatten() {
        let path = folder.path().join("knowledge.db");
        if !path.exists() {
            continue;
        }
        match Store::open(&path).and_then(|mut store| store.delete_outputs(before)) {
            Ok(forgotten) => outputs += forgotten,
            Err(error) => log::warn!("old outputs stay for now: {error}"),
        }
    }
    let of = |what, number| Removed { what, number };
    vec![of("files", files as u64), of("tasks", tasks as u64), of("outputs", outputs)]
}

/// Removes a session's kept outputs and returns their number.
pub(crate) fn forget_outputs(home: &Home, session: &str) -> usize {
    let tasks = Tasks::new(home.tasks_dir());
    finished_tasks(home, &DataScope::Session(session.to_owned())).filter(|task| tasks.remove(task)).count()
}

/// The selected tasks that aren't running.
fn finished_tasks(home: &Home, which: &DataScope) -> impl Iterator<Item = TaskInfo> {
    let which = which.clone();
    let meant = move |task: &TaskInfo| match &which {
        DataScope::All => true,
        DataScope::Project(root) => is_within(&task.cwd, root),
        DataScope::Session(session) => task.session.as_deref() == Some(session),
    };
    let tasks = Tasks::new(home.tasks_dir()).list().into_iter();
    tasks.filter(move |task| task.state != TaskState::Running && meant(task))
}

fn is_within(path: &Path, root: &Path) -> bool {
    path.starts_with(root) || std::fs::canonicalize(path).is_ok_and(|real| real.starts_with(root))
}

/// Every user file in the caches and downloads. The files don't record whose they are, so only a purge of everything
/// selects them; in a folder that has other things, they may be the user's.
fn files(home: &Home, which: &DataScope) -> Vec<(PathBuf, u64)> {
    let mut found = Vec::new();
    if *which == DataScope::All && home.is_own() {
        for dir in [home.cache_dir().join("reads"), home.cache_dir().join("outputs"), home.downloads_dir()] {
            add_files(&dir, &mut found);
        }
    }
    found
}

fn add_files(dir: &Path, found: &mut Vec<(PathBuf, u64)>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        // A link is removed, never followed.
        match entry.metadata() {
            Ok(meta) if meta.is_dir() => add_files(&entry.path(), found),
            Ok(meta) => found.push((entry.path(), meta.len())),
            Err(_) => {}
        }
    }
}
