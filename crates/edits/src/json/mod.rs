//! Edits JSON in its three strictnesses, as splices into the text at the ranges that the parser reports.
//!
//! Every operation parses, cuts, parses again and verifies the result; the caller gets either a verified text or a
//! [`Refusal`]. Bytes outside the splices are never rewritten, which keeps comments, mixed line ends, duplicate keys, huge
//! integers and odd escapes as they are. Knows nothing of files.
//!
//! This file owns the parsed text and the verification; `locate` finds a path, `set` writes values, `put` keeps array
//! elements, `removal` removes both, `nested` finds what is inside values that others share.

mod compare;
mod locate;
mod nested;
mod parse;
mod put;
mod removal;
mod set;
mod style;

use crate::Refusal;
use crate::edit::{Dialect, Edit, dotted};
use crate::outcome::{EditOutcome, EntryState};
use crate::values::{entry_state_of, entry_state_of_elements};
use compare::{AllowedDifference, equal_except};
use jsonc_parser::ast::Value as Node;
use locate::{Location, locate, to_value, wrong_type};
pub use parse::mask_surrogates;
use parse::{kind, parse};
pub(crate) use removal::{remains, remove_edit, tidy};
use serde_json::Value;
use style::Style;

/// The text after `edit`, verified.
pub(crate) fn apply_edit(text: &str, dialect: Dialect, edit: &Edit) -> Result<EditOutcome, Refusal> {
    let seen = mask_surrogates(text);
    let root = parse(&seen, dialect)?;
    if let Some(node) = &root
        && node.as_object().is_none()
    {
        return Err(wrong_type(&[], "an object", kind(node)));
    }
    let job = Job { text, root: root.as_ref(), dialect, style: Style::of(text, root.as_ref()) };
    match edit {
        Edit::Set { path, value, ours, keep_extra_keys } => job.set(path, value, ours, *keep_extra_keys),
        Edit::Put { path, value, ours } => job.put(path, value, ours),
        Edit::SetIfAbsent { path, value } => job.set_if_absent(path, value),
        Edit::RenameOnRemoval { .. } | Edit::Block { .. } | Edit::Whole { .. } => {
            Err(Refusal::Unsupported { reason: format!("{} can't be placed in JSON", edit.place()) })
        }
    }
}

struct Job<'j, 't> {
    text: &'j str,
    root: Option<&'j Node<'t>>,
    dialect: Dialect,
    style: Style,
}

fn with_job<T>(text: &str, dialect: Dialect, run: impl FnOnce(&Job<'_, '_>) -> T) -> Result<T, Refusal> {
    let seen = mask_surrogates(text);
    let root = parse(&seen, dialect)?;
    Ok(run(&Job { text, root: root.as_ref(), dialect, style: Style::of(text, root.as_ref()) }))
}

impl Job<'_, '_> {
    /// Parses `next` in the agent's dialect and checks that it differs from the text only at the edit's path.
    fn verify(
        &self,
        next: &str,
        path: &[String],
        free: &AllowedDifference<'_>,
        expected: Option<&Value>,
    ) -> Result<(), Refusal> {
        let failed = |reason: String| Refusal::NotProven { at: dotted(path), reason };
        let seen = mask_surrogates(next);
        let root = parse(&seen, self.dialect).map_err(|refusal| failed(refusal.to_string()))?;
        if !equal_except(self.root, root.as_ref(), path, free) {
            return Err(failed("something else changed too".to_owned()));
        }
        if let Some(expected) = expected {
            match locate(root.as_ref(), path)? {
                Location::Found { value, .. } if to_value(value) == *expected => {}
                _ => return Err(failed("the new value isn't where it should be".to_owned())),
            }
        }
        Ok(())
    }
}

/// Whether the text is empty: blank, or an empty object without comments.
pub(crate) fn is_blank(text: &str) -> bool {
    let body = text.trim();
    body.is_empty()
        || body
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'))
            .is_some_and(|inner| inner.trim().is_empty())
}

/// The value at `path`.
pub(crate) fn value_at(text: &str, dialect: Dialect, path: &[String]) -> Option<Value> {
    with_job(text, dialect, |job| match locate(job.root, path) {
        Ok(Location::Found { value, .. }) => Some(to_value(value)),
        _ => None,
    })
    .ok()
    .flatten()
}

/// Whether two texts mean the same to the agent.
pub(crate) fn equal(a: &str, b: &str, dialect: Dialect) -> bool {
    let (a, b) = (mask_surrogates(a), mask_surrogates(b));
    match (parse(&a, dialect), parse(&b, dialect)) {
        (Ok(a), Ok(b)) => compare::equal(a.as_ref(), b.as_ref()),
        _ => false,
    }
}

/// The states of the edits' entries. The text is parsed once.
pub(crate) fn entry_states(
    text: &str,
    dialect: Dialect,
    edits: &[&Edit],
) -> Vec<Result<EntryState, Refusal>> {
    let found = with_job(text, dialect, |job| {
        edits.iter().map(|edit| Ok(state_in(job.root, edit))).collect::<Vec<Result<EntryState, Refusal>>>()
    });
    found.unwrap_or_else(|refusal| edits.iter().map(|_| Err(refusal.clone())).collect())
}

/// The state of `edit`'s entry.
pub(crate) fn entry_state(text: &str, dialect: Dialect, edit: &Edit) -> Result<EntryState, Refusal> {
    with_job(text, dialect, |job| state_in(job.root, edit))
}

fn state_in(root: Option<&Node<'_>>, edit: &Edit) -> EntryState {
    match edit {
        Edit::Set { path, value, ours, .. } => match locate(root, path) {
            Ok(Location::Missing { .. }) => EntryState::Absent,
            Ok(Location::Found { value: node, .. }) => entry_state_of(&to_value(node), value, ours),
            Err(_) => EntryState::Foreign,
        },
        Edit::Put { path, value, ours } => match locate(root, path) {
            Ok(Location::Missing { .. }) => EntryState::Absent,
            Ok(Location::Found { value: Node::Array(array), .. }) => {
                let elements: Vec<Value> = array.elements.iter().map(to_value).collect();
                entry_state_of_elements(&elements, value, ours)
            }
            _ => EntryState::Foreign,
        },
        Edit::SetIfAbsent { path, .. } => match locate(root, path) {
            Ok(Location::Missing { .. }) => EntryState::Absent,
            Ok(Location::Found { .. }) => EntryState::Ours,
            Err(_) => EntryState::Foreign,
        },
        Edit::RenameOnRemoval { .. } | Edit::Block { .. } | Edit::Whole { .. } => EntryState::Absent,
    }
}
