//! What a value becomes when ours is merged into it, how a present value is judged, and the comparison of
//! two value trees with one place left out. Shared by the dialects; knows no syntax.

use crate::step::Presence;
use crate::vocabulary::Ours;
use serde_json::Value;

/// `current` with every key of `wanted` set, keys that only `current` has kept. Anything but two objects:
/// `wanted`.
pub(crate) fn merged(current: &Value, wanted: &Value) -> Value {
    match (current, wanted) {
        (Value::Object(current), Value::Object(wanted)) => {
            let mut out = current.clone();
            for (key, value) in wanted {
                let value = current.get(key).map_or_else(|| value.clone(), |known| merged(known, value));
                out.insert(key.clone(), value);
            }
            Value::Object(out)
        }
        _ => wanted.clone(),
    }
}

/// How a value that stands at our place relates to the one that should.
pub(crate) fn judged(current: &Value, wanted: &Value, ours: &Ours) -> Presence {
    if current == wanted {
        Presence::Ours
    } else if !ours.is(current) {
        Presence::Foreign
    } else if merged(current, wanted) == *current {
        Presence::OursWithExtras
    } else {
        Presence::Differs
    }
}

/// How the elements of an array relate to the one element of ours that should be among them.
pub(crate) fn judged_elements(elements: &[Value], wanted: &Value, ours: &Ours) -> Presence {
    let mine: Vec<&Value> = elements.iter().filter(|e| *e == wanted || ours.is(e)).collect();
    match mine.as_slice() {
        [] => Presence::Absent,
        [only] if *only == wanted => Presence::Ours,
        [only] if merged(only, wanted) == **only => Presence::OursWithExtras,
        _ => Presence::Differs,
    }
}

/// What may differ at the end of the path.
pub(crate) enum Free<'o> {
    /// Whatever stands there.
    Value,
    /// Elements of ours in the array there.
    Elements(&'o Ours),
}

/// Whether two trees are equal but for what `free` allows at `path`. Missing tables along the path equal
/// empty ones.
pub(crate) fn equal_but(
    before: Option<&Value>,
    after: Option<&Value>,
    path: &[String],
    free: &Free<'_>,
) -> bool {
    let Some((key, rest)) = path.split_first() else {
        return match free {
            Free::Value => true,
            Free::Elements(ours) => {
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
    a == b && equal_but(sub_a.as_ref(), sub_b.as_ref(), rest, free)
}
