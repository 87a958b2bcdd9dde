//! A scratch computer for each of an agent's files, and connecting and disconnecting that file on it.

use std::path::Path;

use edits::{Change, Edit, FilePlan, Store};
use plimsoll_agents::{self as agents};

use crate::files::{self, TargetFile};

/// A scratch computer with one agent on it.
pub(crate) struct Scratch {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) files: Vec<TargetFile>,
}

impl Scratch {
    pub(crate) fn new(agent: &'static dyn agents::Agent) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let files = files::of(agent, dir.path());
        assert!(!files.is_empty(), "{} has no files", agent.id());
        Self { dir, files }
    }

    pub(crate) fn store(&self) -> Store {
        Store {
            backups: self.dir.path().join("plimsoll/backups"),
            locks: self.dir.path().join("plimsoll/locks"),
        }
    }

    pub(crate) fn plan(file: &TargetFile) -> FilePlan {
        let mut plan = edits::plan(&file.path, file.format, &file.edits);
        plan.allow_folders = true;
        plan
    }

    /// Plans and applies; the file must not be refused.
    pub(crate) fn connect(&self, file: &TargetFile, what: &str) -> edits::FileReceipt {
        let plan = Self::plan(file);
        assert!(plan.refusal.is_none(), "{what}: {:?}", plan.refusal);
        let receipt =
            edits::apply(&plan, &self.store(), 1_000).unwrap_or_else(|error| panic!("{what}: {error}"));
        let again = Self::plan(file);
        assert_eq!(again.change, Change::Unchanged, "{what}: a second time writes again:\n{}", again.diff);
        receipt
    }

    pub(crate) fn disconnect(&self, file: &TargetFile, receipt: Option<&edits::FileReceipt>, what: &str) {
        let plan = edits::plan_removal(&file.path, file.format, &file.edits, receipt);
        assert!(plan.refusal.is_none(), "{what}: {:?}", plan.refusal);
        edits::apply(&plan, &self.store(), 2_000).unwrap_or_else(|error| panic!("{what}: {error}"));
    }
}

pub(crate) fn write(path: &Path, bytes: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

/// Every file of every agent, alone on a fresh scratch computer.
pub(crate) fn each(mut test: impl FnMut(&Scratch, &TargetFile, &str)) {
    for agent in agents::all() {
        let count = Scratch::new(*agent).files.len();
        for index in 0..count {
            let scratch = Scratch::new(*agent);
            let file = &scratch.files[index];
            let what = format!("{} {}", agent.id(), file.path.file_name().unwrap().to_string_lossy());
            test(&scratch, file, &what);
        }
    }
}

pub(crate) fn is_whole(file: &TargetFile) -> bool {
    file.edits.iter().any(|edit| matches!(edit, Edit::Whole { .. }))
}
