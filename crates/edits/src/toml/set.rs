//! Values at an existing path: replaced in place, or updated key by key.

use crate::Refusal;
use crate::edit::{EntryMatcher, dotted};
use crate::outcome::EditOutcome;
use crate::receipt::Trace;
use crate::splice::{Splice, apply_splices};
use crate::values::{AllowedDifference, merge};
use serde_json::Value;
use toml_edit::Item;

use super::read::{Kind, item_at, key, keys, to_toml, tree};
use super::{Job, job, verify};

pub(super) fn set(
    text: &str,
    path: &[String],
    value: &Value,
    ours: &EntryMatcher,
    keep: bool,
) -> Result<EditOutcome, Refusal> {
    let job = job(text)?;
    let Some(item) = job.item(path)? else { return job.create(path, value) };
    let current = tree(item);
    let wanted = if keep { merge(&current, value) } else { value.clone() };
    if current == wanted && (current == *value || ours.is(&current)) {
        return Ok(EditOutcome::unchanged(text));
    }
    if !ours.is(&current) {
        return Err(Refusal::Foreign { at: dotted(path) });
    }
    let next = if keep {
        // All are written again where a key can't be added beside the others, such as beside dotted ones.
        update(text.to_owned(), path, &current, value).or_else(|_| job.replace_value(path, &wanted))?
    } else {
        job.replace_value(path, value)?
    };
    verify(text, &next, path, &AllowedDifference::Value, Some(&wanted))?;
    Ok(EditOutcome { text: next, trace: Trace::default(), had_ours: true })
}

/// Sets every key of `wanted` at `path`, one after another; the file's own other keys stay.
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
    job(&text)?.replace_value(path, wanted)
}

impl Job<'_> {
    /// The entry at `path` replaced in place.
    fn replace_value(&self, path: &[String], value: &Value) -> Result<String, Refusal> {
        if let Some(Item::Value(node)) = item_at(self.document.as_table(), path)
            && let Some(range) = node.span()
        {
            return Ok(apply_splices(self.text, vec![Splice::replace(range, to_toml(value)?)]));
        }
        let doomed = self.below(path);
        let Some(first) = doomed.first() else {
            return Err(Refusal::Unsupported { reason: format!("{} can't be replaced here", dotted(path)) });
        };
        let at = first.start;
        let block = match value {
            Value::Object(map) if first.kind == Kind::Header => {
                let mut lines = vec![format!("[{}]", keys(path))];
                for (name, value) in map {
                    lines.push(format!("{} = {}", key(name), to_toml(value)?));
                }
                lines.join(self.eol())
            }
            _ => {
                // Dotted keys: remove them and add the entry like a new one.
                let text = self.without(path)?;
                return Ok(job(&text)?.create(path, value)?.text);
            }
        };
        let mut splices = self.cuts(&doomed, false);
        let open_end =
            splices.last().is_some_and(|s| s.range.end == self.text.len()) && !self.text.ends_with('\n');
        let tail = if open_end { "" } else { self.eol() };
        splices.insert(0, Splice::insert(at, format!("{block}{tail}")));
        Ok(apply_splices(self.text, splices))
    }
}
