//! A computer with one project on it, for the tests of actions.

#![allow(dead_code, reason = "each test uses some of it")]

use std::path::{Path, PathBuf};

use plimsoll_memory::actions::{ActionContext, Capture, RecallArgs, capture, recall_memories};
use plimsoll_memory::store::Actor;
use serde_json::Value;

pub(crate) const NOW: i64 = 1_800_000_000_000;

pub(crate) struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (file, text) in [
            ("shop/.git/HEAD", "ref: refs/heads/main\n"),
            ("shop/.git/refs/heads/main", "1\n"),
            ("shop/.git/config", "[remote \"origin\"]\n\turl = https://t@github.com/zircote/subcog.git\n"),
            ("shop/ARCHITECTURE.md", "x"),
        ] {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self { dir }
    }

    /// The desk of an agent in the project.
    pub(crate) fn context(&self) -> ActionContext {
        self.desk_in("s1")
    }

    /// The same in another session.
    pub(crate) fn desk_in(&self, session: &str) -> ActionContext {
        let project = home::Project::at(&self.path("shop")).unwrap();
        let who = Actor { at_ms: NOW, client: Some("codex".into()), session: Some(session.into()) };
        ActionContext::in_project(&self.path("memory.db"), Some(&project), who)
    }

    /// The same user's desk in another project.
    pub(crate) fn elsewhere(&self) -> ActionContext {
        let root = Some(Path::new("/elsewhere").into());
        ActionContext { root, project: Some("github.com/acme/app".into()), branch: None, ..self.context() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }
}

/// Captures a text; its id.
pub(crate) fn noted(context: &ActionContext, content: &str, namespace: &str) -> String {
    let given = Capture { content: content.into(), namespace: namespace.into(), ..Capture::default() };
    let reply: Value = capture(context, &given).unwrap();
    reply["id"].as_str().unwrap().to_owned()
}

/// What the memories that a filter finds say, in the order of their letters.
pub(crate) fn contents(context: &ActionContext, filter: &str) -> Vec<String> {
    let asked = RecallArgs {
        filter: Some(filter.into()),
        detail: Some("everything".into()),
        ..RecallArgs::default()
    };
    let found = recall_memories(context, &asked).unwrap();
    let mut all: Vec<String> = found["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["content"].as_str().unwrap().to_owned())
        .collect();
    all.sort();
    all
}

/// The one memory that the project shares as a file.
pub(crate) fn only_file(place: &Place) -> PathBuf {
    let mut all: Vec<_> = std::fs::read_dir(place.path("shop/.plimsoll/memories"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}
