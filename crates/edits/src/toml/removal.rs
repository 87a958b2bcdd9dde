//! Taking out what is ours, and what only stood there for its sake.

use crate::Refusal;
use crate::prove::Free;
use crate::receipt::Trace;
use crate::splice::{Splice, line_close, line_end_before, spliced, without_paragraph};
use crate::vocabulary::Edit;
use serde_json::Value;
use toml_edit::{Item, Value as Node};

use super::read::{Kind, Statement, inline_items, item_at, tree};
use super::rename::renamed;
use super::{Job, either, job, prove};

impl Job<'_> {
    /// The statements at or below `path`.
    pub(super) fn below(&self, path: &[String]) -> Vec<&Statement> {
        self.statements.iter().filter(|statement| statement.path.starts_with(path)).collect()
    }

    /// The text without the entry at `path`, sub-tables included.
    pub(super) fn without(&self, path: &[String]) -> Result<String, Refusal> {
        let doomed = self.below(path);
        if !doomed.is_empty() {
            return Ok(spliced(self.text, self.cuts(&doomed, true)));
        }
        let Some((name, parent)) = path.split_last() else { return Ok(self.text.to_owned()) };
        match item_at(self.document.as_table(), parent) {
            Some(Item::Value(Node::InlineTable(table))) => {
                let container = self.inline_container(table)?;
                let items = inline_items(table).unwrap_or_default();
                let index = items.iter().position(|(key, _)| key == name);
                Ok(index.map_or_else(
                    || self.text.to_owned(),
                    |index| spliced(self.text, container.remove(index, "")),
                ))
            }
            _ => Ok(self.text.to_owned()),
        }
    }

    /// Cuts whole statements. Blank lines between two of them go along; comments on lines of their own are
    /// the user's and stay.
    pub(super) fn cuts(&self, doomed: &[&Statement], paragraph: bool) -> Vec<Splice> {
        let mut ranges: Vec<(std::ops::Range<usize>, bool)> = Vec::new();
        for statement in doomed {
            let range = statement.start..line_close(self.text, statement.end);
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

/// The text without what `edit` put there, proved.
pub(crate) fn removed(text: &str, edit: &Edit) -> Result<String, Refusal> {
    match edit {
        Edit::Set { path, value, ours, .. } => {
            let job = job(text)?;
            let Ok(Some(item)) = job.item(path) else { return Ok(text.to_owned()) };
            if !either(value, ours).is(&tree(item)) {
                return Ok(text.to_owned());
            }
            let next = job.without(path)?;
            prove(text, &next, path, &Free::Value, None)?;
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
                    spliced(&text, job.array_container(array).remove(index, ""))
                };
                prove(&text, &next, path, &Free::Elements(&either), None)?;
                text = next;
            }
        }
        Edit::RenameOnRemoval { from, to } => renamed(text, from, to),
        _ => Ok(text.to_owned()),
    }
}

/// The text without tables and arrays that we created and that are empty now, and without our defaults.
pub(crate) fn tidied(text: &str, trace: &Trace) -> Result<String, Refusal> {
    let mut text = text.to_owned();
    for default in trace.defaults.iter().rev() {
        let next = {
            let job = job(&text)?;
            match job.item(&default.path) {
                Ok(Some(item)) if tree(item) == default.value => job.without(&default.path)?,
                _ => continue,
            }
        };
        prove(&text, &next, &default.path, &Free::Value, None)?;
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
        prove(&text, &next, path, &Free::Value, None)?;
        text = next;
    }
    Ok(text)
}
