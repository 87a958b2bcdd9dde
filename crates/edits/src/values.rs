//! Merging an entry's value into an existing one, judging an existing value, and comparing two value trees with one place
//! left out. Shared by the dialects; knows no syntax.

use crate::edit::EntryMatcher;
use crate::outcome::EntryState;
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

/// Matches Plimsoll's value: what `ours` recognises, and `wanted` itself. An edit that only removes has no value: its null
/// is nobody's entry, least of all a null that the user wrote.
pub(crate) fn either(wanted: &Value, ours: &EntryMatcher) -> EntryMatcher {
    let (wanted, ours) = (wanted.clone(), ours.clone());
    EntryMatcher::new(move |value| !wanted.is_null() && *value == wanted || ours.is(value))
}

/// Whether an array somewhere in `value` has one of Plimsoll's elements: a group of the user's, with Plimsoll's hook
/// among others.
pub(crate) fn has_nested(value: &Value, ours: &EntryMatcher) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| ours.is(item) || has_nested(item, ours)),
        Value::Object(members) => members.values().any(|member| has_nested(member, ours)),
        _ => false,
    }
}

/// Whether `current` has everything that `wanted` has, elements in any order and among others.
pub(crate) fn covers(current: &Value, wanted: &Value) -> bool {
    match (current, wanted) {
        (Value::Object(current), Value::Object(wanted)) => {
            wanted.iter().all(|(key, wanted)| current.get(key).is_some_and(|current| covers(current, wanted)))
        }
        (Value::Array(current), Value::Array(wanted)) => {
            wanted.iter().all(|wanted| current.iter().any(|current| covers(current, wanted)))
        }
        _ => current == wanted,
    }
}

/// How an existing value relates to the wanted one.
pub(crate) fn entry_state_of(current: &Value, wanted: &Value, ours: &EntryMatcher) -> EntryState {
    if current == wanted && !wanted.is_null() {
        EntryState::Ours
    } else if !ours.is(current) {
        match has_nested(current, ours) {
            true if covers(current, wanted) => EntryState::OursWithExtras,
            true => EntryState::Differs,
            false => EntryState::Foreign,
        }
    } else if merge(current, wanted) == *current {
        EntryState::OursWithExtras
    } else {
        EntryState::Differs
    }
}

/// How an array's elements relate to the one that Plimsoll should have among them, alone or in a group that others
/// joined.
pub(crate) fn entry_state_of_elements(elements: &[Value], wanted: &Value, ours: &EntryMatcher) -> EntryState {
    let either = either(wanted, ours);
    let (mine, others): (Vec<&Value>, Vec<&Value>) = elements.iter().partition(|element| either.is(element));
    let mixed: Vec<&Value> = others.into_iter().filter(|other| has_nested(other, ours)).collect();
    match (mine.as_slice(), mixed.as_slice()) {
        ([], []) => EntryState::Absent,
        ([only], []) if *only == wanted => EntryState::Ours,
        ([only], []) if merge(only, wanted) == **only => EntryState::OursWithExtras,
        ([], [only]) if covers(only, wanted) => EntryState::OursWithExtras,
        _ => EntryState::Differs,
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
