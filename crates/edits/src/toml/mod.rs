//! Edits TOML as splices around the ranges that `toml_edit` reports, so that CRLF, mixed line ends, odd spacing and comments
//! stay in every line that isn't Plimsoll's. Each edit is verified by parsing the result and comparing the value trees.
//! Knows nothing of files.
//!
//! This file owns the parsed text and the verification; `set` writes values, `create` adds what is missing, `put` keeps
//! array elements, `inline` handles bracketed tables and arrays, `removal` removes things, `rename` renames keys.

mod create;
mod inline;
mod put;
mod read;
mod removal;
mod rename;
mod set;

use crate::Refusal;
use crate::edit::{Edit, dotted};
use crate::outcome::EditOutcome;
use crate::outcome::EntryState;
use crate::receipt::Entry;
use crate::splice::dominant_line_end;
use crate::values::{AllowedDifference, entry_state_of, entry_state_of_elements, equal_except};
use put::put;
use read::{Statement, item_at, kind_of, parse, statements, table_tree, tree};
pub(crate) use removal::{remove_edit, tidy};
use serde_json::Value;
use set::set;
use toml_edit::{Document, Item, Value as Node};

struct Job<'t> {
    text: &'t str,
    document: Document<&'t str>,
    statements: Vec<Statement>,
}

fn job(text: &str) -> Result<Job<'_>, Refusal> {
    let document = parse(text)?;
    let statements = statements(text, &document);
    Ok(Job { text, document, statements })
}

/// The text after `edit`, verified.
pub(crate) fn apply_edit(text: &str, edit: &Edit) -> Result<EditOutcome, Refusal> {
    match edit {
        Edit::Set { path, value, ours, keep_extra_keys } => set(text, path, value, ours, *keep_extra_keys),
        Edit::Put { path, value, ours } => put(text, path, value, ours),
        Edit::SetIfAbsent { path, value } => {
            let job = job(text)?;
            if job.item(path)?.is_some() {
                return Ok(EditOutcome { had_ours: false, ..EditOutcome::unchanged(text) });
            }
            let mut step = job.create(path, value)?;
            step.trace.defaults.push(Entry { path: path.clone(), value: value.clone() });
            Ok(step)
        }
        Edit::RenameOnRemoval { .. } | Edit::Block { .. } | Edit::Whole { .. } => {
            Ok(EditOutcome::unchanged(text))
        }
    }
}

impl Job<'_> {
    /// The item at `path`; a refusal if something on the way isn't a table.
    fn item(&self, path: &[String]) -> Result<Option<&Item>, Refusal> {
        for depth in 1..path.len() {
            let Some(item) = item_at(self.document.as_table(), &path[..depth]) else { return Ok(None) };
            if !item.is_table_like() {
                return Err(Refusal::WrongType {
                    at: dotted(&path[..depth]),
                    expected: "a table".to_owned(),
                    found: kind_of(item).to_owned(),
                });
            }
        }
        Ok(item_at(self.document.as_table(), path))
    }

    fn eol(&self) -> &'static str {
        dominant_line_end(self.text)
    }
}

/// Parses `next` and checks that it differs from `text` only at the edit's path.
fn verify(
    text: &str,
    next: &str,
    path: &[String],
    free: &AllowedDifference<'_>,
    expected: Option<&Value>,
) -> Result<(), Refusal> {
    let failed = |reason: String| Refusal::NotProven { at: dotted(path), reason };
    let before = parse(text)?;
    let after = parse(next).map_err(|refusal| failed(refusal.to_string()))?;
    let (a, b) = (table_tree(before.as_table()), table_tree(after.as_table()));
    if !equal_except(Some(&a), Some(&b), path, free) {
        return Err(failed("something else changed too".to_owned()));
    }
    if let Some(expected) = expected
        && item_at(after.as_table(), path).map(tree).as_ref() != Some(expected)
    {
        return Err(failed("the new value isn't where it should be".to_owned()));
    }
    Ok(())
}

/// The value at `path`.
pub(crate) fn value_at(text: &str, path: &[String]) -> Option<Value> {
    job(text).ok()?.item(path).ok().flatten().map(tree)
}

/// Whether two texts mean the same to the agent.
pub(crate) fn equal(a: &str, b: &str) -> bool {
    match (parse(a), parse(b)) {
        (Ok(a), Ok(b)) => table_tree(a.as_table()) == table_tree(b.as_table()),
        _ => false,
    }
}

/// The state of `edit`'s entry.
pub(crate) fn entry_state(text: &str, edit: &Edit) -> Result<EntryState, Refusal> {
    let job = job(text)?;
    Ok(match edit {
        Edit::Set { path, value, ours, .. } => match job.item(path) {
            Ok(None) => EntryState::Absent,
            Ok(Some(item)) => entry_state_of(&tree(item), value, ours),
            Err(_) => EntryState::Foreign,
        },
        Edit::Put { path, value, ours } => match job.item(path) {
            Ok(None) => EntryState::Absent,
            Ok(Some(Item::Value(Node::Array(array)))) => {
                let elements: Vec<Value> = array.iter().map(|v| tree(&Item::Value(v.clone()))).collect();
                entry_state_of_elements(&elements, value, ours)
            }
            _ => EntryState::Foreign,
        },
        Edit::SetIfAbsent { path, .. } => match job.item(path) {
            Ok(None) => EntryState::Absent,
            Ok(Some(_)) => EntryState::Ours,
            Err(_) => EntryState::Foreign,
        },
        Edit::RenameOnRemoval { .. } | Edit::Block { .. } | Edit::Whole { .. } => EntryState::Absent,
    })
}
