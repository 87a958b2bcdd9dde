//! Renames a key in its table; every byte of its value stays.

use crate::Refusal;
use crate::edit::dotted;
use crate::splice::{Splice, apply_splices};
use serde_json::Value;

use super::read::{Kind, key, parse, table_tree, tree};
use super::{Job, job};

/// The text with `from` renamed to `to`, verified; unchanged if `from` is missing or `to` exists.
pub(super) fn rename_key(text: &str, from: &[String], to: &[String]) -> Result<String, Refusal> {
    let job = job(text)?;
    let (Ok(Some(item)), Ok(None)) = (job.item(from), job.item(to)) else { return Ok(text.to_owned()) };
    let value = tree(item);
    let mut wanted = table_tree(job.document.as_table());
    if take(&mut wanted, from).is_none() || !put(&mut wanted, to, value.clone()) {
        return Ok(text.to_owned());
    }
    let holds = |next: &String| parse(next).is_ok_and(|next| table_tree(next.as_table()) == wanted);
    if let Some(next) = job.in_place(from, to).filter(holds) {
        return Ok(next);
    }
    let without = job.without(from)?;
    let next = super::job(&without)?.create(to, &value)?.text;
    if !holds(&next) {
        let reason = "something else changed too".to_owned();
        return Err(Refusal::NotProven { at: dotted(from), reason });
    }
    Ok(next)
}

impl Job<'_> {
    /// The key replaced wherever a header or a dotted key names it.
    fn in_place(&self, from: &[String], to: &[String]) -> Option<String> {
        let (old, new) = (key(from.last()?), key(to.last()?));
        let named = self.below(from).into_iter().filter_map(|statement| {
            let end = match &statement.kind {
                Kind::Pair(value) => value.start,
                Kind::Header | Kind::ArrayHeader => statement.end,
            };
            let at = statement.start + self.text.get(statement.start..end)?.find(&old)?;
            Some(Splice::replace(at..at + old.len(), new.clone()))
        });
        let splices: Vec<Splice> = named.collect();
        (!splices.is_empty()).then(|| apply_splices(self.text, splices))
    }
}

fn take(tree: &mut Value, path: &[String]) -> Option<Value> {
    let (last, parents) = path.split_last()?;
    let parent = parents.iter().try_fold(tree, |node, name| node.get_mut(name))?;
    parent.as_object_mut()?.shift_remove(last)
}

fn put(tree: &mut Value, path: &[String], value: Value) -> bool {
    let Some((last, parents)) = path.split_last() else { return false };
    let parent = parents.iter().try_fold(tree, |node, name| node.get_mut(name));
    let Some(parent) = parent.and_then(Value::as_object_mut) else { return false };
    parent.insert(last.clone(), value);
    true
}
