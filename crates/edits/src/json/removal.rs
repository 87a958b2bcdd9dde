//! Taking out what is ours, and what only stood there for its sake.

use crate::Refusal;
use crate::receipt::{Entry, Trace};
use crate::splice::spliced;
use crate::vocabulary::{Dialect, Edit, Ours};
use jsonc_parser::ast::{Object, Value as Node};
use jsonc_parser::common::Ranged;
use serde_json::Value;

use super::compare::Free;
use super::locate::{Spot, array_container, object_container, plain, walk};
use super::{Job, with_job};

impl Job<'_, '_> {
    /// The text without member `index` of `parent`, which stands at `path`.
    fn without(
        &self,
        path: &[String],
        parent: &Object<'_>,
        index: usize,
        trace: &Trace,
    ) -> Result<String, Refusal> {
        let above = path.len().checked_sub(1).and_then(|end| path.get(..end)).unwrap_or_default();
        let splices = object_container(self.text, parent).remove(index, trace.interior(above));
        let next = spliced(self.text, splices);
        self.prove(&next, path, &Free::Value, None)?;
        Ok(next)
    }
}

/// The text without what `edit` put there, proved. What is not ours stays; a place that does not exist is
/// nothing to remove.
pub(crate) fn removed(text: &str, dialect: Dialect, edit: &Edit, trace: &Trace) -> Result<String, Refusal> {
    match edit {
        Edit::Set { path, value, ours, .. } => with_job(text, dialect, |job| match walk(job.root, path) {
            Ok(Spot::Found { parent, index, value: node }) => {
                let current = plain(node);
                if current == *value || ours.is(&current) {
                    job.without(path, parent, index, trace)
                } else {
                    Ok(text.to_owned())
                }
            }
            _ => Ok(text.to_owned()),
        })?,
        Edit::Put { path, value, ours } => {
            let mut text = text.to_owned();
            while let Some(next) =
                with_job(&text, dialect, |job| without_element(job, path, value, ours, trace))??
            {
                text = next;
            }
            Ok(text)
        }
        _ => Ok(text.to_owned()),
    }
}

fn without_element(
    job: &Job<'_, '_>,
    path: &[String],
    value: &Value,
    ours: &Ours,
    trace: &Trace,
) -> Result<Option<String>, Refusal> {
    let Ok(Spot::Found { value: Node::Array(array), .. }) = walk(job.root, path) else { return Ok(None) };
    let either = Ours::new({
        let (value, ours) = (value.clone(), ours.clone());
        move |element| *element == value || ours.is(element)
    });
    let Some(index) = array.elements.iter().rposition(|element| either.is(&plain(element))) else {
        return Ok(None);
    };
    let next = spliced(job.text, array_container(job.text, array).remove(index, trace.interior(path)));
    job.prove(&next, path, &Free::Elements(&either), None)?;
    Ok(Some(next))
}

/// The text without the empty containers that we created and the defaults that nobody else needs
/// (`all_defaults`: without any default of ours, because the file did well without it before).
pub(crate) fn tidied(
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
            let next = with_job(&text, dialect, |job| match walk(job.root, path) {
                Ok(Spot::Found { parent, index, value }) if is_empty(job.text, value) => {
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

/// Removes a default of ours when nothing but our defaults stands beside it: a schema version is needed as
/// long as the file has content.
fn without_defaults(mut text: String, dialect: Dialect, trace: &Trace, all: bool) -> Result<String, Refusal> {
    let is_default = |path: &[String], value: &Node<'_>| {
        trace.defaults.iter().any(|entry| entry.path == path && entry.value == plain(value))
    };
    let mut doomed: Vec<&Entry> = Vec::new();
    for entry in &trace.defaults {
        let alone = with_job(&text, dialect, |job| match walk(job.root, &entry.path) {
            Ok(Spot::Found { value, .. }) if all => is_default(&entry.path, value),
            Ok(Spot::Found { parent, .. }) => parent.properties.iter().all(|member| {
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
        let next = with_job(&text, dialect, |job| match walk(job.root, &entry.path) {
            Ok(Spot::Found { parent, index, .. }) => job.without(&entry.path, parent, index, trace),
            _ => Ok(text.clone()),
        })??;
        text = next;
    }
    Ok(text)
}

/// Whether a node is an object or array with nothing inside, comments included.
fn is_empty(text: &str, node: &Node<'_>) -> bool {
    matches!(node, Node::Object(_) | Node::Array(_))
        && text[node.start() + 1..node.end() - 1].trim().is_empty()
}
