//! Values at a path that is there: replaced where they stand, or brought up to date key by key.

use crate::Refusal;
use crate::prove::{Free, merged};
use crate::receipt::Trace;
use crate::splice::{Splice, spliced};
use crate::step::Step;
use crate::vocabulary::{Ours, dotted};
use serde_json::Value;
use toml_edit::Item;

use super::read::{Kind, item_at, key, keys, tree, written};
use super::{Job, job, prove};

pub(super) fn set(
    text: &str,
    path: &[String],
    value: &Value,
    ours: &Ours,
    keep: bool,
) -> Result<Step, Refusal> {
    let job = job(text)?;
    let Some(item) = job.item(path)? else { return job.create(path, value) };
    let current = tree(item);
    let wanted = if keep { merged(&current, value) } else { value.clone() };
    if current == wanted && (current == *value || ours.is(&current)) {
        return Ok(Step::unchanged(text));
    }
    if !ours.is(&current) {
        return Err(Refusal::Foreign { at: dotted(path) });
    }
    let next =
        if keep { update(text.to_owned(), path, &current, value)? } else { job.replaced(path, value)? };
    prove(text, &next, path, &Free::Value, Some(&wanted))?;
    Ok(Step { text: next, trace: Trace::default(), had_ours: true })
}

/// Sets every key of `wanted` at `path`, one after another; keys that only the file has stay.
fn update(mut text: String, path: &[String], current: &Value, wanted: &Value) -> Result<String, Refusal> {
    if let (Value::Object(known), Value::Object(map)) = (current, wanted) {
        for (name, value) in map {
            let mut place = path.to_vec();
            place.push(name.clone());
            text = match known.get(name) {
                Some(old) if old == value => text,
                Some(old) => update(text, &place, old, value)?,
                None => job(&text)?.create(&place, value)?.text,
            };
        }
        return Ok(text);
    }
    job(&text)?.replaced(path, wanted)
}

impl Job<'_> {
    /// The entry at `path` written anew, where it stands.
    fn replaced(&self, path: &[String], value: &Value) -> Result<String, Refusal> {
        if let Some(Item::Value(node)) = item_at(self.document.as_table(), path)
            && let Some(range) = node.span()
        {
            return Ok(spliced(self.text, vec![Splice::replace(range, written(value)?)]));
        }
        let doomed = self.below(path);
        let Some(first) = doomed.first() else {
            return Err(Refusal::Unsupported { reason: format!("{} cannot be replaced here", dotted(path)) });
        };
        let at = first.start;
        let block = match value {
            Value::Object(map) if first.kind == Kind::Header => {
                let mut lines = vec![format!("[{}]", keys(path))];
                for (name, value) in map {
                    lines.push(format!("{} = {}", key(name), written(value)?));
                }
                lines.join(self.eol())
            }
            _ => {
                // Dotted keys: take them out and let the entry go where a new one goes.
                let text = self.without(path)?;
                return Ok(job(&text)?.create(path, value)?.text);
            }
        };
        let mut splices = self.cuts(&doomed, false);
        let open_end =
            splices.last().is_some_and(|s| s.range.end == self.text.len()) && !self.text.ends_with('\n');
        let tail = if open_end { "" } else { self.eol() };
        splices.insert(0, Splice::insert(at, format!("{block}{tail}")));
        Ok(spliced(self.text, splices))
    }
}
