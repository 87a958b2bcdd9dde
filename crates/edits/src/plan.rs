//! Planning: from a path and edits to the exact bytes that would be written, and how they differ. Reads the
//! file, writes nothing, never fails: what cannot be done is a [`Refusal`] inside the plan.

use crate::draft::{self, Draft};
use crate::receipt::{Entry, Original, Trace};
use crate::step::Presence;
use crate::target::{Seen, look, missing_folders};
use crate::vocabulary::{Edit, Format};
use crate::{Refusal, diff, messages};
use contract::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What a plan would do to its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Everything is as it should be; nothing is written.
    Unchanged,
    /// The file does not exist and would be created.
    Create,
    /// The file would be changed.
    Modify,
    /// The file was created by us, nothing else is in it, and it would be deleted.
    Delete,
    /// The file is left alone; see [`FilePlan::refusal`].
    Refused,
}

/// The planned change of one file.
#[derive(Debug, Clone)]
pub struct FilePlan {
    /// The path as the caller named it.
    pub path: PathBuf,
    /// The file behind it, links resolved.
    pub target: PathBuf,
    /// What would happen.
    pub change: Change,
    /// The bytes the plan was made from; `None`: there was no file.
    pub before: Option<Vec<u8>>,
    /// The bytes that would be written.
    pub after: Vec<u8>,
    /// Unified diff for people; very long lines are shortened.
    pub diff: String,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
    /// What the user should know: a link followed, a byte order mark dropped.
    pub notes: Vec<Sentence>,
    /// Why the file is left alone.
    pub refusal: Option<Refusal>,
    /// Folders that would have to be made, outermost first. [`crate::apply`] makes them only if
    /// [`FilePlan::allow_folders`] is set: making a host's folder lets a later detection take it for installed.
    pub creates_folders: Vec<PathBuf>,
    /// Set by the caller to let [`crate::apply`] make [`FilePlan::creates_folders`].
    pub allow_folders: bool,
    /// How many names (hard links) the file has; with more than one it is written in place.
    pub names: u64,
    /// `true`: this plan takes our entries out.
    pub removal: bool,
    /// Our places and values, for the receipt.
    pub entries: Vec<Entry>,
    pub(crate) had_ours: bool,
    pub(crate) trace: Trace,
    /// Folders to take away after a deletion, outermost first.
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) original: Option<Original>,
}

impl FilePlan {
    pub(crate) fn refused(path: &Path, refusal: Refusal) -> FilePlan {
        FilePlan {
            path: path.to_path_buf(),
            target: path.to_path_buf(),
            change: Change::Refused,
            before: None,
            after: Vec::new(),
            diff: String::new(),
            added: 0,
            removed: 0,
            notes: Vec::new(),
            refusal: Some(refusal),
            creates_folders: Vec::new(),
            allow_folders: false,
            names: 1,
            removal: false,
            entries: Vec::new(),
            had_ours: false,
            trace: Trace::default(),
            folders: Vec::new(),
            original: None,
        }
    }

    /// A plan that leaves the file as it was seen.
    pub(crate) fn idle(path: &Path, seen: Seen) -> FilePlan {
        let mut plan = FilePlan::refused(path, Refusal::ReadOnly);
        plan.refusal = None;
        plan.change = Change::Unchanged;
        plan.names = seen.names;
        if seen.linked {
            plan.notes.push(messages::linked(&seen.target));
        }
        if seen.names > 1 {
            plan.notes.push(messages::hard_links(seen.names));
        }
        plan.target = seen.target;
        plan.after = seen.bytes.clone().unwrap_or_default();
        plan.before = seen.bytes;
        plan
    }

    pub(crate) fn refuse(mut self, refusal: Refusal) -> FilePlan {
        self.change = Change::Refused;
        self.refusal = Some(refusal);
        self.after = self.before.clone().unwrap_or_default();
        self
    }

    /// Fills in the change and the preview once `after` is known.
    pub(crate) fn finished(mut self, after: Vec<u8>, read_only: bool) -> FilePlan {
        self.change = match &self.before {
            Some(before) if *before == after => Change::Unchanged,
            Some(_) => Change::Modify,
            None => Change::Create,
        };
        if self.change == Change::Modify && read_only {
            return self.refuse(Refusal::ReadOnly);
        }
        self.preview(&after);
        self.after = after;
        self
    }

    pub(crate) fn preview(&mut self, after: &[u8]) {
        let name = self.path.display().to_string();
        let before = self.before.as_deref().unwrap_or_default();
        (self.diff, self.added, self.removed) = diff::unified(&name, before, after);
    }
}

/// Plans all edits of one file. One edit that cannot be made refuses the whole file.
pub fn plan(path: &Path, format: Format, edits: &[Edit]) -> FilePlan {
    let seen = match look(path) {
        Ok(seen) => seen,
        Err(refusal) => return FilePlan::refused(path, refusal),
    };
    let read_only = seen.read_only;
    let mut plan = FilePlan::idle(path, seen);
    plan.entries = entries(edits);
    let exists = plan.before.is_some();
    let mut draft = match Draft::open(plan.before.as_deref().unwrap_or_default()) {
        Ok(draft) => draft,
        Err(refusal) => return plan.refuse(refusal),
    };
    for edit in edits {
        match draft::edited(&draft.text, exists, format, edit) {
            Ok(step) => {
                draft.text = step.text;
                plan.trace.absorb(&step.trace);
                plan.had_ours |= step.had_ours;
            }
            Err(refusal) => return plan.refuse(refusal),
        }
    }
    if draft.bom && !format.bom_ok {
        draft.bom = false;
        plan.notes.push(messages::mark_dropped());
    }
    if !exists {
        plan.creates_folders = missing_folders(&plan.target);
    }
    plan.finished(draft.bytes(), read_only)
}

pub(crate) fn entries(edits: &[Edit]) -> Vec<Entry> {
    let entry = |edit: &Edit| match edit {
        Edit::Set { path, value, .. } | Edit::Put { path, value, .. } | Edit::SetIfAbsent { path, value } => {
            Entry { path: path.clone(), value: value.clone() }
        }
        Edit::RenameOnRemoval { from, .. } => Entry { path: from.clone(), value: Value::Null },
        Edit::Block { id, text, .. } => Entry { path: vec![id.clone()], value: Value::String(text.clone()) },
        Edit::Whole { text } => Entry { path: Vec::new(), value: Value::String(text.clone()) },
    };
    edits.iter().map(entry).collect()
}

/// How our entry stands in the file now. Computed from the file alone.
pub fn presence(path: &Path, format: Format, edit: &Edit) -> Presence {
    let found = look(path).and_then(|seen| {
        let exists = seen.bytes.is_some();
        let draft = Draft::open(seen.bytes.as_deref().unwrap_or_default())?;
        draft::presence(&draft.text, exists, format, edit)
    });
    found.unwrap_or_else(|refusal| Presence::Unreadable(refusal.message()))
}

/// What a person would put into an empty file by hand to get these edits. Empty if they cannot be written.
pub fn snippet(format: Format, edits: &[Edit]) -> String {
    let mut text = String::new();
    for edit in edits {
        match draft::edited(&text, false, format, edit) {
            Ok(step) => text = step.text,
            Err(_) => return String::new(),
        }
    }
    text
}
