//! Elements of arrays: exactly one of ours among those of others.

use crate::Refusal;
use crate::prove::Free;
use crate::receipt::Trace;
use crate::splice::{Splice, spliced};
use crate::step::Step;
use crate::vocabulary::{Ours, dotted};
use serde_json::Value;
use toml_edit::{Item, Value as Node};

use super::read::{kind_of, tree, written};
use super::{either, job, prove};

pub(super) fn put(text: &str, path: &[String], value: &Value, ours: &Ours) -> Result<Step, Refusal> {
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
        [only] if elements[*only] == *value => return Ok(Step::unchanged(text)),
        [] => job.inserted(&container, &written(value)?),
        [only] => {
            let range = container.items.get(*only).cloned().unwrap_or_default();
            spliced(text, vec![Splice::replace(range, written(value)?)])
        }
        [.., last] => {
            let fewer = spliced(text, container.remove(*last, ""));
            prove(text, &fewer, path, &Free::Elements(&either), None)?;
            return put(&fewer, path, value, ours).map(|step| Step { had_ours: true, ..step });
        }
    };
    prove(text, &next, path, &Free::Elements(&either), None)?;
    Ok(Step { text: next, trace: Trace::default(), had_ours: !mine.is_empty() })
}
