//! Merging an entry's value into an existing one, judging an existing value, and comparing two value trees with one place
//! left out. Shared by the dialects; knows no syntax.

use crate::edit::EntryMatcher;
use crate::outcome::Presence;
use serde_json::Value;

/// `current` with every key of `wanted` set and its own other keys kept. `wanted`, unless both are objects.
pub(crate) fn merge(current: &Value, wanted: &Value) -> Value {
    match (current, wanted) {
        (Value::Object(current), Value::Object(wanted)) => {
            let mut out = current.clone();
            for (key, value) in wanted {
                let value = current.get(key).map_or_else(|| value.clone(), |known| merge(known, value));
                out.insert(key.clone(), value);
            }
            Value::Object(out)
        }
        _ => wanted.clone(),
    }
}

/// How an existing value relates to the wanted one.
pub(crate) fn presence_of(current: &Value, wanted: &Value, ours: &EntryMatcher) -> Presence {
    if current == wanted {
        Presence::Ours
    } else if !ours.is(current) {
        Presence::Foreign
    } else if merge(current, wanted) == *current {
        Presence::OursWithExtras
    } else {
        Presence::Differs
    }
}

/// How an array's elements relate to the one element of Plimsoll's that should be among them.
pub(crate) fn presence_of_elements(elements: &[Value], wanted: &Value, ours: &EntryMatcher) -> Presence {
    let mine: Vec<&Value> = elements.iter().filter(|e| *e == wanted || ours.is(e)).collect();
    match mine.as_slice() {
        [] => Presence::Absent,
        [only] if *only == wanted => Presence::Ours,
        [only] if merge(only, wanted) == **only => Presence::OursWithExtras,
        _ => Presence::Differs,
    }
}

/// What may differ at the end of the path.
pub(crate) enum AllowedDifference<'o> {
    /// Anything there.
    Value,
    /// Plimsoll's elements of the array there.
    Elements(&'o EntryMatcher),
}

/// Whether two trees are equal except for what `free` allows at `path`. Missing tables along the path equal empty ones.
pub(crate) fn equal_except(
    before: Option<&Value>,
    after: Option<&Value>,
    path: &[String],
    free: &AllowedDifference<'_>,
) -> bool {
    let Some((key, rest)) = path.split_first() else {
        return match free {
            AllowedDifference::Value => true,
            AllowedDifference::Elements(ours) => {
                let foreign = |node: Option<&Value>| match node {
                    None => Some(Vec::new()),
                    Some(Value::Array(items)) => {
                        Some(items.iter().filter(|item| !ours.is(item)).cloned().collect())
                    }
                    Some(_) => None,
                };
                matches!((foreign(before), foreign(after)), (Some(a), Some(b)) if a == b)
            }
        };
    };
    let empty = serde_json::Map::new();
    let table = |node: Option<&Value>| match node {
        None => Some(empty.clone()),
        Some(Value::Object(map)) => Some(map.clone()),
        Some(_) => None,
    };
    let (Some(mut a), Some(mut b)) = (table(before), table(after)) else { return false };
    let (sub_a, sub_b) = (a.shift_remove(key), b.shift_remove(key));
    a == b && equal_except(sub_a.as_ref(), sub_b.as_ref(), rest, free)
}
