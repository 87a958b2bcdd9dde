//! Removes Plimsoll's entries, and what was only created for them.

use crate::Refusal;
use crate::edit::Edit;
use crate::receipt::Trace;
use crate::splice::{Splice, after_line, apply_splices, line_end_before, without_paragraph};
use crate::values::{AllowedDifference, either};
use serde_json::Value;
use toml_edit::{Item, Value as Node};

use super::read::{Kind, Statement, inline_items, item_at, tree};
use super::rename::rename_key;
use super::{Job, job, verify};

impl Job<'_> {
    /// The statements at or below `path`.
    pub(super) fn below(&self, path: &[String]) -> Vec<&Statement> {
        self.statements.iter().filter(|statement| statement.path.starts_with(path)).collect()
    }

    /// The text without the entry at `path`, sub-tables included.
    pub(super) fn without(&self, path: &[String]) -> Result<String, Refusal> {
        let doomed = self.below(path);
        if !doomed.is_empty() {
            return Ok(apply_splices(self.text, self.cuts(&doomed, true)));
        }
        let Some((name, parent)) = path.split_last() else { return Ok(self.text.to_owned()) };
        match item_at(self.document.as_table(), parent) {
            Some(Item::Value(Node::InlineTable(table))) => {
                let container = self.inline_container(table)?;
                let items = inline_items(table).unwrap_or_default();
                let index = items.iter().position(|(key, _)| key == name);
                Ok(index.map_or_else(
                    || self.text.to_owned(),
                    |index| apply_splices(self.text, container.remove(index, "")),
                ))
            }
            _ => Ok(self.text.to_owned()),
        }
    }

    /// Cuts whole statements with the blank lines between them; comments on lines of their own are the user's and
    /// stay.
    pub(super) fn cuts(&self, doomed: &[&Statement], paragraph: bool) -> Vec<Splice> {
        let mut ranges: Vec<(std::ops::Range<usize>, bool)> = Vec::new();
        for statement in doomed {
            let range = statement.start..after_line(self.text, statement.end);
            match ranges.last_mut() {
                Some((last, _))
                    if self.text.get(last.end..range.start).is_some_and(|gap| gap.trim().is_empty()) =>
                {
                    last.end = range.end;
                }
                _ => ranges.push((range, statement.kind == Kind::Header)),
            }
        }
        let cut = |(range, header): (std::ops::Range<usize>, bool)| {
            if paragraph && header {
                return Splice::delete(without_paragraph(self.text, range));
            }
            let open_end = range.end == self.text.len() && !self.text.ends_with('\n');
            let start = if open_end && paragraph {
                line_end_before(self.text, range.start).unwrap_or(range.start)
            } else {
                range.start
            };
            Splice::delete(start..range.end)
        };
        ranges.into_iter().map(cut).collect()
    }
}

/// The text without what `edit` put there, verified.
pub(crate) fn remove_edit(text: &str, edit: &Edit) -> Result<String, Refusal> {
    match edit {
        Edit::Set { path, value, ours, .. } => {
            let job = job(text)?;
            let Ok(Some(item)) = job.item(path) else { return Ok(text.to_owned()) };
            if !either(value, ours).is(&tree(item)) {
                return Ok(text.to_owned());
            }
            let next = job.without(path)?;
            verify(text, &next, path, &AllowedDifference::Value, None)?;
            Ok(next)
        }
        Edit::Put { path, value, ours } => {
            let either = either(value, ours);
            let mut text = text.to_owned();
            loop {
                let next = {
                    let job = job(&text)?;
                    let Ok(Some(Item::Value(Node::Array(array)))) = job.item(path) else { return Ok(text) };
                    let found = array.iter().position(|node| either.is(&tree(&Item::Value(node.clone()))));
                    let Some(index) = found else { return Ok(text) };
                    apply_splices(&text, job.array_container(array).remove(index, ""))
                };
                verify(&text, &next, path, &AllowedDifference::Elements(&either), None)?;
                text = next;
            }
        }
        Edit::RenameOnRemoval { from, to } => rename_key(text, from, to),
        _ => Ok(text.to_owned()),
    }
}

/// The text without the empty tables and arrays that Plimsoll created, and without its defaults.
pub(crate) fn tidy(text: &str, trace: &Trace) -> Result<String, Refusal> {
    let mut text = text.to_owned();
    for default in trace.defaults.iter().rev() {
        let next = {
            let job = job(&text)?;
            match job.item(&default.path) {
                Ok(Some(item)) if tree(item) == default.value => job.without(&default.path)?,
                _ => continue,
            }
        };
        verify(&text, &next, &default.path, &AllowedDifference::Value, None)?;
        text = next;
    }
    let mut places: Vec<&Vec<String>> = trace.created_parents.iter().collect();
    places.sort_by_key(|path| std::cmp::Reverse(path.len()));
    for path in places {
        let next = {
            let job = job(&text)?;
            match job.item(path) {
                Ok(Some(item)) if matches!(tree(item), Value::Object(map) if map.is_empty()) => {
                    job.without(path)?
                }
                Ok(Some(item)) if matches!(tree(item), Value::Array(items) if items.is_empty()) => {
                    job.without(path)?
                }
                _ => continue,
            }
        };
        verify(&text, &next, path, &AllowedDifference::Value, None)?;
        text = next;
    }
    Ok(text)
}
