//! Array elements: exactly one of Plimsoll's among the others.

use crate::Refusal;
use crate::edit::{EntryMatcher, dotted};
use crate::outcome::EditOutcome;
use crate::receipt::Trace;
use crate::splice::{Splice, apply_splices};
use crate::values::{AllowedDifference, either};
use serde_json::Value;
use toml_edit::{Item, Value as Node};

use super::read::{kind_of, to_toml, tree};
use super::{job, verify};

pub(super) fn put(
    text: &str,
    path: &[String],
    value: &Value,
    ours: &EntryMatcher,
) -> Result<EditOutcome, Refusal> {
    let job = job(text)?;
    let Some(item) = job.item(path)? else {
        let mut step = job.create(path, &Value::Array(vec![value.clone()]))?;
        step.trace.created_parents.push(path.to_vec());
        return Ok(step);
    };
    let Item::Value(Node::Array(array)) = item else {
        return Err(Refusal::WrongType {
            at: dotted(path),
            expected: "an array".to_owned(),
            found: kind_of(item).to_owned(),
        });
    };
    let either = either(value, ours);
    let elements: Vec<Value> = array.iter().map(|node| tree(&Item::Value(node.clone()))).collect();
    let mine: Vec<usize> = (0..elements.len()).filter(|index| either.is(&elements[*index])).collect();
    let container = job.array_container(array);
    let next = match mine.as_slice() {
        [only] if elements[*only] == *value => return Ok(EditOutcome::unchanged(text)),
        [] => job.insert_item(&container, &to_toml(value)?),
        [only] => {
            let range = container.items.get(*only).cloned().unwrap_or_default();
            apply_splices(text, vec![Splice::replace(range, to_toml(value)?)])
        }
        [.., last] => {
            let fewer = apply_splices(text, container.remove(*last, ""));
            verify(text, &fewer, path, &AllowedDifference::Elements(&either), None)?;
            return put(&fewer, path, value, ours).map(|step| EditOutcome { had_ours: true, ..step });
        }
    };
    verify(text, &next, path, &AllowedDifference::Elements(&either), None)?;
    Ok(EditOutcome { text: next, trace: Trace::default(), had_ours: !mine.is_empty() })
}
