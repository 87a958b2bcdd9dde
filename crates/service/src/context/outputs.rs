//! What the context system keeps of outputs and lets go again: outputs of tasks, outputs that were kept whole, cached texts and
//! downloads, and outputs in knowledge bases.

use std::path::{Path, PathBuf};

use contract::Error;
use home::{Home, Retention};
use knowledge::Store;
use sandbox::task::{TaskInfo, TaskState, Tasks};
use system::{Gone, Removed, Whose};

use crate::old::{before, remove_old};

/// What [`forget`] would remove.
pub(super) fn preview(home: &Home, which: &Whose) -> Result<Vec<Gone>, Error> {
    let (mut outputs, mut cached) = (Count::default(), Count::default());
    ended(home, which).for_each(|task| outputs.add(task.output_bytes));
    files(home, which).into_iter().for_each(|(_, bytes)| cached.add(bytes));
    Ok(gone(outputs, cached))
}

/// Removes it, for good.
pub(super) fn forget(home: &Home, which: &Whose) -> Result<Vec<Gone>, Error> {
    let (mut outputs, mut cached) = (Count::default(), Count::default());
    let tasks = Tasks::new(home.tasks_dir());
    for task in ended(home, which) {
        if tasks.remove(&task) {
            outputs.add(task.output_bytes);
        }
    }
    for (path, bytes) in files(home, which) {
        if std::fs::remove_file(&path).is_ok() {
            cached.add(bytes);
        }
    }
    Ok(gone(outputs, cached))
}

/// How many, and their size.
#[derive(Default)]
struct Count(u64, u64);

impl Count {
    fn add(&mut self, bytes: u64) {
        self.0 += 1;
        self.1 += bytes;
    }
}

fn gone(outputs: Count, cached: Count) -> Vec<Gone> {
    vec![
        Gone {
            what: "outputs",
            one: "kept output",
            number: outputs.0,
            bytes: Some(("output_bytes", outputs.1)),
        },
        Gone {
            what: "files",
            one: "cached or downloaded file",
            number: cached.0,
            bytes: Some(("file_bytes", cached.1)),
        },
    ]
}

/// Removes what the settings say need not be kept any longer. What fails is logged.
pub(super) fn retain(home: &Home, retention: &Retention, now_ms: i64) -> Vec<Removed> {
    let before = before(now_ms, retention.output_days);
    let files = remove_old(&home.cache_dir().join("outputs"), before);
    let tasks = Tasks::new(home.tasks_dir()).forget(before, u64::MAX);
    remove_old(&home.cache_dir().join("reads"), before);
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

/// Removes the kept outputs of a session; how many.
pub(crate) fn forget_outputs(home: &Home, session: &str) -> usize {
    let tasks = Tasks::new(home.tasks_dir());
    ended(home, &Whose::Session(session.to_owned())).filter(|task| tasks.remove(task)).count()
}

/// The tasks that are meant and do not run.
fn ended(home: &Home, which: &Whose) -> impl Iterator<Item = TaskInfo> {
    let which = which.clone();
    let meant = move |task: &TaskInfo| match &which {
        Whose::All => true,
        Whose::Project(root) => lies_in(&task.cwd, root),
        Whose::Session(session) => task.session.as_deref() == Some(session),
    };
    let tasks = Tasks::new(home.tasks_dir()).list().into_iter();
    tasks.filter(move |task| task.state != TaskState::Running && meant(task))
}

fn lies_in(path: &Path, root: &Path) -> bool {
    path.starts_with(root) || std::fs::canonicalize(path).is_ok_and(|real| real.starts_with(root))
}

/// Every file of the caches and downloads that holds something of somebody's. They do not say whose, so they go only with
/// everything.
fn files(home: &Home, which: &Whose) -> Vec<(PathBuf, u64)> {
    let mut found = Vec::new();
    if *which == Whose::All {
        for dir in [home.cache_dir().join("reads"), home.cache_dir().join("outputs"), home.downloads_dir()] {
            add_files(&dir, &mut found);
        }
    }
    found
}

fn add_files(dir: &Path, found: &mut Vec<(PathBuf, u64)>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        // A link is removed and never followed.
        match entry.metadata() {
            Ok(meta) if meta.is_dir() => add_files(&entry.path(), found),
            Ok(meta) => found.push((entry.path(), meta.len())),
            Err(_) => {}
        }
    }
}
