//! What a purge forgets besides the knowledge base: what was recorded of sessions, kept outputs and, when everything goes,
//! the texts of files and pages that lie in caches. It is deleted for good; only stored text goes to the trash. What the
//! figures add up to stays.

use std::path::{Path, PathBuf};

use contract::Error;
use home::Home;
use sandbox::task::{TaskInfo, TaskState, Tasks};
use serde::Serialize;
use sessions::{Recorded, Records, Sessions};

use crate::{failure, output};

/// Whose memory is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Memory {
    /// Everything.
    All,
    /// Of this project folder and those below it.
    Project(PathBuf),
    /// Of the sessions of this name.
    Session(String),
}

/// What is or would be forgotten.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Forgotten {
    /// Events, facts and calls.
    #[serde(flatten)]
    pub(crate) recorded: Recorded,
    /// Outputs of ended tasks, and outputs that were kept whole.
    pub(crate) outputs: u64,
    /// Their size.
    pub(crate) output_bytes: u64,
    /// Cached outputs and texts, and downloads.
    pub(crate) files: u64,
    /// Their size.
    pub(crate) file_bytes: u64,
}

impl Forgotten {
    pub(crate) fn is_nothing(&self) -> bool {
        *self == Forgotten::default()
    }
}

impl std::fmt::Display for Forgotten {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let some = |number: u64, one: &str| {
            (number > 0).then(|| format!("{number} {one}{}", if number == 1 { "" } else { "s" }))
        };
        let of = |bytes: u64| format!(" ({})", output::size(bytes));
        let parts = [
            some(self.recorded.events, "recorded event"),
            some(self.recorded.facts, "remembered fact"),
            some(self.recorded.calls, "recorded call"),
            some(self.outputs, "kept output").map(|text| text + &of(self.output_bytes)),
            some(self.files, "cached or downloaded file").map(|text| text + &of(self.file_bytes)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match parts.split_last() {
            None => write!(f, "nothing"),
            Some((only, [])) => write!(f, "{only}"),
            Some((last, before)) => write!(f, "{} and {last}", before.join(", ")),
        }
    }
}

/// What [`forget`] would remove.
pub(crate) fn preview(home: &Home, which: &Memory) -> Result<Forgotten, Error> {
    let mut found = Forgotten::default();
    if let Some(sessions) = Sessions::open_read_only(home).map_err(|error| failure::of_storage(&error))? {
        found.recorded = sessions.recorded(&records(which)).map_err(|error| failure::of_storage(&error))?;
    }
    for task in ended(home, which) {
        found.outputs += 1;
        found.output_bytes += task.output_bytes;
    }
    for (_, bytes) in files(home, which) {
        found.files += 1;
        found.file_bytes += bytes;
    }
    Ok(found)
}

/// Removes it, for good.
pub(crate) fn forget(home: &Home, which: &Memory) -> Result<Forgotten, Error> {
    let mut gone = Forgotten::default();
    if sessions::anything(home) {
        let removed = Sessions::open(home).and_then(|mut open| open.forget_records(&records(which)));
        gone.recorded = removed.map_err(|error| failure::of_storage(&error))?;
    }
    let tasks = Tasks::new(home.tasks_dir());
    for task in ended(home, which) {
        if tasks.remove(&task) {
            gone.outputs += 1;
            gone.output_bytes += task.output_bytes;
        }
    }
    for (path, bytes) in files(home, which) {
        if std::fs::remove_file(&path).is_ok() {
            gone.files += 1;
            gone.file_bytes += bytes;
        }
    }
    Ok(gone)
}

/// Removes the kept outputs of a session; how many.
pub(crate) fn forget_outputs(home: &Home, session: &str) -> usize {
    let tasks = Tasks::new(home.tasks_dir());
    ended(home, &Memory::Session(session.to_owned())).filter(|task| tasks.remove(task)).count()
}

fn records(which: &Memory) -> Records {
    match which {
        Memory::All => Records::All,
        Memory::Project(root) => Records::Project(root.display().to_string()),
        Memory::Session(session) => Records::Session(session.clone()),
    }
}

/// The tasks that are meant and do not run.
fn ended(home: &Home, which: &Memory) -> impl Iterator<Item = TaskInfo> {
    let which = which.clone();
    let meant = move |task: &TaskInfo| match &which {
        Memory::All => true,
        Memory::Project(root) => lies_in(&task.cwd, root),
        Memory::Session(session) => task.session.as_deref() == Some(session),
    };
    let tasks = Tasks::new(home.tasks_dir()).list().into_iter();
    tasks.filter(move |task| task.state != TaskState::Running && meant(task))
}

fn lies_in(path: &Path, root: &Path) -> bool {
    path.starts_with(root) || std::fs::canonicalize(path).is_ok_and(|real| real.starts_with(root))
}

/// Every file of the caches and downloads that holds something of somebody's. They do not say whose, so they go only with
/// everything.
fn files(home: &Home, which: &Memory) -> Vec<(PathBuf, u64)> {
    let mut found = Vec::new();
    if *which == Memory::All {
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

#[cfg(test)]
mod tests {
    use sandbox::task::Kept;
    use sessions::NewEvent;

    use super::*;

    fn keep(home: &Home, cwd: &Path, session: &str) {
        let (label, session, exit) = ("make", Some(session), None);
        let kept = Kept { label, cwd, session, exit, text: b"twelve bytes", now_ms: 5 };
        Tasks::new(home.tasks_dir()).keep(&kept).unwrap();
        let event = NewEvent {
            session: session.unwrap_or_default().into(),
            agent: "codex".into(),
            project: cwd.display().to_string(),
            kind: "prompt".into(),
            ..NewEvent::default()
        };
        Sessions::open(home).unwrap().record(&event).unwrap();
    }

    #[test]
    fn what_is_named_before_is_what_goes() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        home.ensure().unwrap();
        let (shop, other) = (dir.path().join("shop"), dir.path().join("shopping"));
        keep(&home, &shop, "a");
        keep(&home, &shop.join("api"), "b");
        keep(&home, &other, "b");
        keep(&home, &other, "c");
        for file in ["cache/reads/x.json", "cache/outputs/out-1.log", "downloads/host/page.bin"] {
            let path = home.root().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "text").unwrap();
        }
        std::fs::write(home.cache_dir().join("runtimes.json"), "{}").unwrap();
        for (which, said) in [
            (Memory::Session("a".into()), "1 recorded event and 1 kept output (12 B)"),
            (Memory::Project(shop), "1 recorded event and 1 kept output (12 B)"),
            (Memory::All, "2 recorded events, 2 kept outputs (24 B) and 3 cached or downloaded files (12 B)"),
        ] {
            let named = preview(&home, &which).unwrap();
            assert_eq!(named.to_string(), said);
            assert_eq!(forget(&home, &which).unwrap(), named);
            assert!(preview(&home, &which).unwrap().is_nothing());
        }
        assert!(home.cache_dir().join("runtimes.json").exists());
    }
}
