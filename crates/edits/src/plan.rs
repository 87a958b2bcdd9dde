//! Plans: from a path and edits to the exact bytes to write, and their diff. Reads the file, writes nothing, never fails:
//! what can't be done becomes a [`Refusal`] in the plan.

use crate::draft::{self, Draft};
use crate::edit::{Edit, Format};
use crate::outcome::EntryState;
use crate::receipt::{Entry, Original, Trace};
use crate::target::{TargetState, inspect, missing_folders};
use crate::{Refusal, diff, messages};
use contract::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A plan's effect on its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Everything is as it should be; nothing is written.
    Unchanged,
    /// The file doesn't exist and would be created.
    Create,
    /// The file would be changed.
    Modify,
    /// Plimsoll created the file, nothing else is in it, and it would be deleted.
    Delete,
    /// The file is left alone; see [`FilePlan::refusal`].
    Refused,
}

/// The planned change of one file.
#[derive(Debug, Clone)]
pub struct FilePlan {
    /// The path as the caller named it.
    pub path: PathBuf,
    /// The file behind it, with links resolved.
    pub target: PathBuf,
    /// The effect.
    pub change: Change,
    /// The bytes that the plan was made from; `None` without a file.
    pub before: Option<Vec<u8>>,
    /// The bytes to write.
    pub after: Vec<u8>,
    /// A readable unified diff; very long lines are shortened.
    pub diff: String,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
    /// Notes for the user: a link followed, a byte order mark dropped.
    pub notes: Vec<Sentence>,
    /// Why the file is left alone.
    pub refusal: Option<Refusal>,
    /// Folders to create, outermost first. [`crate::apply`] creates them only with [`FilePlan::allow_folders`]: creating an
    /// agent's folder would make a later detection take it for installed.
    pub creates_folders: Vec<PathBuf>,
    /// Set by the caller to let [`crate::apply`] create [`FilePlan::creates_folders`].
    pub allow_folders: bool,
    /// How many names (hard links) the file has; with more than one it is written in place.
    pub names: u64,
    /// Whether this plan removes Plimsoll's entries.
    pub removal: bool,
    /// Where entries of Plimsoll's are left after this removal, in places that Plimsoll doesn't write.
    pub remains: Vec<String>,
    /// Plimsoll's paths and values, for the receipt.
    pub entries: Vec<Entry>,
    pub(crate) had_ours: bool,
    pub(crate) trace: Trace,
    /// Folders to remove after a deletion, outermost first.
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
            remains: Vec::new(),
            entries: Vec::new(),
            had_ours: false,
            trace: Trace::default(),
            folders: Vec::new(),
            original: None,
        }
    }

    /// A plan that leaves the file as it is.
    pub(crate) fn unchanged(path: &Path, seen: TargetState) -> FilePlan {
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

    /// Sets the change and the preview, given the new content.
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

/// Plans all edits of one file. If one edit can't be made, the whole file is refused.
pub fn plan(path: &Path, format: Format, edits: &[Edit]) -> FilePlan {
    let seen = match inspect(path) {
        Ok(seen) => seen,
        Err(refusal) => return FilePlan::refused(path, refusal),
    };
    let read_only = seen.read_only;
    let mut plan = FilePlan::unchanged(path, seen);
    plan.entries = entries(edits);
    let exists = plan.before.is_some();
    let mut draft = match Draft::open(plan.before.as_deref().unwrap_or_default()) {
        Ok(draft) => draft,
        Err(refusal) => return plan.refuse(refusal),
    };
    for edit in edits {
        match draft::apply_edit(&draft.text, exists, format, edit) {
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

/// The state of Plimsoll's entry in the file now, from the file alone.
pub fn entry_state(path: &Path, format: Format, edit: &Edit) -> EntryState {
    entry_states(path, format, &[edit]).pop().unwrap_or(EntryState::Absent)
}

/// The states of several entries in the file now, in their order. The file is read once: agents keep histories of many
/// megabytes in theirs.
pub fn entry_states(path: &Path, format: Format, edits: &[&Edit]) -> Vec<EntryState> {
    let unreadable = |refusal: &Refusal| EntryState::Unreadable(refusal.message());
    let opened = inspect(path).and_then(|seen| {
        let draft = Draft::open(seen.bytes.as_deref().unwrap_or_default())?;
        Ok((draft, seen.bytes.is_some()))
    });
    match opened {
        Ok((draft, exists)) => draft::entry_states(&draft.text, exists, format, edits)
            .into_iter()
            .map(|found| found.unwrap_or_else(|refusal| unreadable(&refusal)))
            .collect(),
        Err(refusal) => edits.iter().map(|_| unreadable(&refusal)).collect(),
    }
}

/// Where the file has an entry of Plimsoll's now, anywhere in it: what a removal must have left empty.
pub fn remains(path: &Path, format: Format, edits: &[Edit]) -> Vec<String> {
    let text = inspect(path).ok().and_then(|seen| Draft::open(&seen.bytes?).ok());
    text.map(|draft| draft::remains(&draft.text, format, edits)).unwrap_or_default()
}

/// What the user would put into an empty file by hand for these edits. Empty if they can't be written.
pub fn snippet(format: Format, edits: &[Edit]) -> String {
    let mut text = String::new();
    for edit in edits {
        match draft::apply_edit(&text, false, format, edit) {
            Ok(step) => text = step.text,
            Err(_) => return String::new(),
        }
    }
    text
}
