//! Removes Plimsoll's entries, and what was only created for them.

use crate::Refusal;
use crate::edit::{Dialect, Edit, EntryMatcher};
use crate::receipt::{Entry, Trace};
use crate::splice::apply_splices;
use crate::values::either;
use jsonc_parser::ast::{Object, ObjectProp, Value as Node};
use jsonc_parser::common::Ranged;
use serde_json::Value;

use super::compare::AllowedDifference;
use super::locate::{Location, array_container, locate, object_container, to_value};
use super::{Job, with_job};

impl Job<'_, '_> {
    /// The text without member `index` of `parent`, whose path is `path`.
    fn without(
        &self,
        path: &[String],
        parent: &Object<'_>,
        index: usize,
        trace: &Trace,
    ) -> Result<String, Refusal> {
        let above = path.len().checked_sub(1).and_then(|end| path.get(..end)).unwrap_or_default();
        let splices = object_container(self.text, parent).remove(index, trace.interior(above));
        let next = apply_splices(self.text, splices);
        self.verify(&next, path, &AllowedDifference::Value, None)?;
        Ok(next)
    }
}

/// The text without what `edit` put there, verified. Other content stays; a missing location has nothing to remove.
pub(crate) fn remove_edit(
    text: &str,
    dialect: Dialect,
    edit: &Edit,
    trace: &Trace,
) -> Result<String, Refusal> {
    match edit {
        Edit::Set { path, value, ours, .. } => {
            let either = either(value, ours);
            let mut rest = text.to_owned();
            // A merge of two branches may have left the entry twice under one name.
            while let Some(next) = with_job(&rest, dialect, |job| match locate(job.root, path) {
                Ok(Location::Found { parent, index, value: node }) if either.is(&to_value(node)) => {
                    job.without(path, parent, index, trace).map(Some)
                }
                _ => Ok(None),
            })?? {
                rest = next;
            }
            if rest != text {
                return Ok(rest);
            }
            let next = without_nested(text, dialect, path, ours, trace)?;
            if next == text { Ok(next) } else { without_emptied(next, dialect, path, value, trace) }
        }
        Edit::Put { path, value, ours } => {
            let either = either(value, ours);
            let mut text = text.to_owned();
            while let Some(next) =
                with_job(&text, dialect, |job| without_element(job, path, &either, trace))??
            {
                text = next;
            }
            without_nested(&text, dialect, path, ours, trace)
        }
        _ => Ok(text.to_owned()),
    }
}

fn without_element(
    job: &Job<'_, '_>,
    path: &[String],
    ours: &EntryMatcher,
    trace: &Trace,
) -> Result<Option<String>, Refusal> {
    let Ok(Location::Found { value: Node::Array(array), .. }) = locate(job.root, path) else {
        return Ok(None);
    };
    let Some(index) = array.elements.iter().rposition(|element| ours.is(&to_value(element))) else {
        return Ok(None);
    };
    let next = apply_splices(job.text, array_container(job.text, array).remove(index, trace.interior(path)));
    job.verify(&next, path, &AllowedDifference::Elements(ours), None)?;
    Ok(Some(next))
}

/// The text without Plimsoll's elements in the values at and below `path`, which others share.
pub(super) fn without_nested(
    text: &str,
    dialect: Dialect,
    path: &[String],
    ours: &EntryMatcher,
    trace: &Trace,
) -> Result<String, Refusal> {
    let mut text = text.to_owned();
    while let Some(next) = with_job(&text, dialect, |job| job.without_nested(path, ours, trace))?? {
        text = next;
    }
    Ok(text)
}

/// The text without the lists of Plimsoll's entry that are empty now that its elements are out.
fn without_emptied(
    mut text: String,
    dialect: Dialect,
    path: &[String],
    entry: &Value,
    trace: &Trace,
) -> Result<String, Refusal> {
    for key in entry.as_object().into_iter().flat_map(serde_json::Map::keys) {
        let place: Vec<String> = path.iter().chain([key]).cloned().collect();
        text = with_job(&text, dialect, |job| match locate(job.root, &place) {
            Ok(Location::Found { parent, index, .. }) if is_empty(job.text, parent, index) => {
                job.without(&place, parent, index, trace)
            }
            _ => Ok(text.clone()),
        })??;
    }
    Ok(text)
}

/// Where the text still has one of Plimsoll's entries, as far as `edits` recognise one.
pub(crate) fn remains(text: &str, dialect: Dialect, edits: &[Edit]) -> Result<Vec<String>, Refusal> {
    let matchers: Vec<EntryMatcher> = edits
        .iter()
        .filter_map(|edit| match edit {
            Edit::Set { ours, .. } | Edit::Put { ours, .. } => Some(ours.clone()),
            _ => None,
        })
        .collect();
    let any = EntryMatcher::new(move |value| matchers.iter().any(|ours| ours.is(value)));
    with_job(text, dialect, |job| job.places(&any))
}

/// The text without the empty containers that Plimsoll created and the defaults that nothing else needs (`all_defaults`:
/// without any default, because the file worked without it before).
pub(crate) fn tidy(
    text: &str,
    dialect: Dialect,
    trace: &Trace,
    all_defaults: bool,
) -> Result<String, Refusal> {
    let mut text = text.to_owned();
    let mut places: Vec<&Vec<String>> = trace.created_parents.iter().collect();
    places.sort_by_key(|path| std::cmp::Reverse(path.len()));
    for round in 0..2 {
        for path in &places {
            let next = with_job(&text, dialect, |job| match locate(job.root, path) {
                Ok(Location::Found { parent, index, .. }) if is_empty(job.text, parent, index) => {
                    job.without(path, parent, index, trace)
                }
                _ => Ok(text.clone()),
            })??;
            text = next;
        }
        if round == 0 {
            text = without_defaults(text, dialect, trace, all_defaults)?;
        }
    }
    Ok(text)
}

/// Removes a default if only Plimsoll's defaults are beside it: a schema version is needed as long as the file has
/// content.
fn without_defaults(mut text: String, dialect: Dialect, trace: &Trace, all: bool) -> Result<String, Refusal> {
    let is_default = |path: &[String], value: &Node<'_>| {
        trace.defaults.iter().any(|entry| entry.path == path && entry.value == to_value(value))
    };
    let mut doomed: Vec<&Entry> = Vec::new();
    for entry in &trace.defaults {
        let alone = with_job(&text, dialect, |job| match locate(job.root, &entry.path) {
            Ok(Location::Found { value, .. }) if all => is_default(&entry.path, value),
            Ok(Location::Found { parent, .. }) => parent.properties.iter().all(|member| {
                let mut path = entry.path.clone();
                path.pop();
                path.push(member.name.as_str().to_owned());
                is_default(&path, &member.value)
            }),
            _ => false,
        })?;
        if alone {
            doomed.push(entry);
        }
    }
    for entry in doomed {
        let next = with_job(&text, dialect, |job| match locate(job.root, &entry.path) {
            Ok(Location::Found { parent, index, .. }) => job.without(&entry.path, parent, index, trace),
            _ => Ok(text.clone()),
        })??;
        text = next;
    }
    Ok(text)
}

/// Whether a member is an object or array with nothing inside, not even comments, and none between its key and itself. One that
/// hides another of its name isn't: without it, that one would be in effect.
fn is_empty(text: &str, parent: &Object<'_>, index: usize) -> bool {
    let member = &parent.properties[index];
    let node = &member.value;
    let is_named_alike = |other: &&ObjectProp<'_>| other.name.as_str() == member.name.as_str();
    matches!(node, Node::Object(_) | Node::Array(_))
        && text[node.start() + 1..node.end() - 1].trim().is_empty()
        && text[member.name.end()..node.start()].trim() == ":"
        && parent.properties.iter().filter(is_named_alike).count() == 1
}
