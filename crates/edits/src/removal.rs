//! Plans a removal: Plimsoll's entries out, the containers it created cleaned up, everything else as it is.
//!
//! Entries are removed by meaning first. Only if the file still is exactly what Plimsoll last wrote, and the original means
//! the same as the file without the entries, the original bytes are used instead. A file that Plimsoll created is deleted with
//! the last of its entries, whichever agent's, unless somebody else wrote something into it, even a blank line, or gave it
//! another name.

use crate::backup::hash;
use crate::draft::{self, Draft};
use crate::edit::{Dialect, Edit, Format};
use crate::outcome::EntryState;
use crate::plan::{Change, FilePlan, entries};
use crate::receipt::{FileReceipt, Trace};
use crate::target::inspect;
use crate::{Refusal, messages, owned_file, taken_along};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Plans the removal of `edits` from the file. `receipt` is what [`crate::apply`] returned for them, or what
/// [`crate::Store::receipt_for_removal`] finds; without it the entries are removed too, but empty containers and an empty
/// file stay.
pub fn plan_removal(path: &Path, format: Format, edits: &[Edit], receipt: Option<&FileReceipt>) -> FilePlan {
    let seen = match inspect(path) {
        Ok(seen) => seen,
        Err(refusal @ Refusal::DanglingLink { .. }) => {
            let mut plan = FilePlan::refused(path, refusal);
            plan.notes.extend(plan.refusal.take().map(|refusal| refusal.message()));
            plan.change = Change::Unchanged;
            plan.removal = true;
            return plan;
        }
        Err(refusal) => return FilePlan { removal: true, ..FilePlan::refused(path, refusal) },
    };
    let read_only = seen.read_only;
    let mut plan = FilePlan { removal: true, entries: entries(edits), ..FilePlan::unchanged(path, seen) };
    let Some(before) = plan.before.clone() else { return plan };
    let written = receipt.filter(|receipt| receipt.hash_after.as_deref() == Some(&hash(&before)));
    plan.folders = receipt.map(|receipt| receipt.created_folders.clone()).unwrap_or_default();
    plan.original = written.map(|receipt| receipt.original.clone());
    if let Some(text) =
        edits.iter().find_map(|edit| if let Edit::Whole { text } = edit { Some(text) } else { None })
    {
        return owned_file_removal(plan, text, receipt, written.is_some(), read_only);
    }
    let draft = match Draft::open(&before) {
        Ok(draft) => draft,
        Err(refusal) => return plan.refuse(refusal),
    };
    // A receipt tells of the file that Plimsoll wrote. Without an entry, what is there now is somebody else's, even if it is
    // only an empty container of the same name.
    let has_none =
        || without(&draft.text, format, edits, &Trace::default(), false).is_ok_and(|text| text == draft.text);
    if written.is_none() && has_none() {
        plan.remains = draft::remains(&draft.text, format, edits);
        return plan.finished(before, read_only);
    }
    let trace = receipt.map(|receipt| receipt.trace.clone()).unwrap_or_default();
    // A default (a schema version) is removed if the file had content and worked without it before. If Plimsoll created
    // the file, others may have added entries that need it.
    let original = receipt.and_then(original_bytes);
    let had_content = match &original {
        Some(bytes) => bytes.iter().any(|byte| !byte.is_ascii_whitespace()),
        None => receipt.is_some_and(|receipt| !receipt.created_file),
    };
    let rest = match written.filter(|receipt| receipt.shared) {
        Some(receipt) => without_shared(&draft.text, format, edits, receipt, original.as_deref()),
        None => {
            let shared = receipt.is_some_and(|receipt| receipt.shared);
            let trace = if shared { without_defaults(&trace) } else { trace };
            without(&draft.text, format, edits, &trace, written.is_some() || had_content)
        }
    };
    let rest = match rest {
        Ok(rest) => rest,
        Err(refusal) => return plan.refuse(refusal),
    };
    plan.remains = draft::remains(&rest, format, edits);
    if written.is_none() {
        plan.notes.extend(taken_along::note(&draft.text, &rest, format, edits, receipt));
    }
    if let Some(receipt) = receipt {
        let blank = draft::is_blank(&rest, format);
        let untouched = written.is_some() || is_as_programs_write(&draft.text, format);
        // Deleted under one name, the entry would stay under the others.
        let is_alone = plan.names < 2;
        if blank && is_alone && receipt.created_file && receipt.original.hash.is_none() && untouched {
            return deletion(plan, read_only);
        }
        if let Some(bytes) = original
            && let Ok(old) = Draft::open(&bytes)
        {
            let clean = without(&old.text, format, edits, &Trace::default(), false)
                .is_ok_and(|text| text == old.text);
            let blank_again = blank && old.text.trim().is_empty();
            let same = written.is_some_and(|receipt| is_original(&rest, &old.text, format, receipt.shared));
            if clean && (same || blank_again) {
                return plan.finished(bytes, read_only);
            }
        }
    }
    plan.finished(Draft { text: rest, ..draft }.bytes(), read_only)
}

fn without(
    text: &str,
    format: Format,
    edits: &[Edit],
    trace: &Trace,
    all_defaults: bool,
) -> Result<String, Refusal> {
    let mut text = text.to_owned();
    // Edits that write nothing go last and take what is left: a complete entry is removed as a whole, and its place
    // with it. In TOML, keys move up into places that such an edit clears.
    let only_removes =
        |edit: &&Edit| format.dialect.is_json() && matches!(edit, Edit::Set { value: Value::Null, .. });
    let (last, first): (Vec<&Edit>, Vec<&Edit>) = edits.iter().rev().partition(only_removes);
    for edit in first.into_iter().chain(last) {
        text = draft::remove_edit(&text, format, edit, trace)?;
    }
    draft::tidy(&text, format, trace, all_defaults)
}

/// The text without `edits`, where another agent may have entries too. Defaults stay until nothing but them is left of
/// Plimsoll: the other agent needs them.
fn without_shared(
    text: &str,
    format: Format,
    edits: &[Edit],
    receipt: &FileReceipt,
    original: Option<&[u8]>,
) -> Result<String, Refusal> {
    let all_out = |bare: &String| match original {
        Some(bytes) => Draft::open(bytes).is_ok_and(|old| is_original(bare, &old.text, format, true)),
        None => receipt.created_file && receipt.original.hash.is_none() && draft::is_blank(bare, format),
    };
    match without(text, format, edits, &receipt.trace, true).ok().filter(all_out) {
        Some(bare) => Ok(bare),
        None => without(text, format, edits, &without_defaults(&receipt.trace), false),
    }
}

fn without_defaults(trace: &Trace) -> Trace {
    Trace { defaults: Vec::new(), ..trace.clone() }
}

/// Whether a text that only Plimsoll wrote in since is the original again. In TOML another agent's block is a comment, which
/// has no meaning there, so those of a shared text are compared too.
fn is_original(rest: &str, old: &str, format: Format, shared: bool) -> bool {
    fn comments(text: &str) -> impl Iterator<Item = &str> {
        text.lines().map(str::trim).filter(|line| line.contains('#'))
    }
    let has_its_comments = !shared || format.dialect != Dialect::Toml || comments(rest).eq(comments(old));
    has_its_comments && draft::equal(rest, old, format)
}

/// Whether a text that somebody else wrote can still be Plimsoll's: an agent may write its JSON again in its own layout. A
/// blank line and a comment are somebody's, and in any other text every byte may be.
fn is_as_programs_write(text: &str, format: Format) -> bool {
    format.dialect.is_json()
        && !text.contains("//")
        && !text.contains("/*")
        && text.lines().all(|line| !line.trim().is_empty())
}

/// The bytes before Plimsoll's first write, if they are still stored and intact.
fn original_bytes(receipt: &FileReceipt) -> Option<Vec<u8>> {
    let bytes = fs::read(receipt.original.backup.as_ref()?).ok()?;
    (receipt.original.hash.as_deref() == Some(&hash(&bytes))).then_some(bytes)
}

fn owned_file_removal(
    mut plan: FilePlan,
    text: &str,
    receipt: Option<&FileReceipt>,
    written: bool,
    read_only: bool,
) -> FilePlan {
    let now = plan.before.clone().unwrap_or_default();
    let as_written = written || now == text.as_bytes();
    if !as_written {
        let entry_state = Draft::open(&now).map(|draft| owned_file::entry_state(&draft.text, true, text));
        if !matches!(entry_state, Ok(EntryState::Differs)) {
            plan.notes.push(messages::no_longer_ours());
            return plan;
        }
        // Somebody's work may be in it, which the backups don't keep for longer than Plimsoll's folder.
        if receipt.is_some() {
            return plan.refuse(Refusal::Edited);
        }
        plan.notes.push(messages::changed_since());
    }
    match receipt.and_then(original_bytes) {
        // The file existed before (empty, or one that an older Plimsoll wrote).
        Some(bytes) if !Draft::open(&bytes).is_ok_and(|draft| owned_file::is_marked(&draft.text)) => {
            plan.finished(bytes, read_only)
        }
        _ => deletion(plan, read_only),
    }
}

fn deletion(mut plan: FilePlan, read_only: bool) -> FilePlan {
    if read_only {
        return plan.refuse(Refusal::ReadOnly);
    }
    plan.preview(&[]);
    plan.after = Vec::new();
    plan.change = Change::Delete;
    plan
}
