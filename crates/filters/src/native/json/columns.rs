//! The columns that records of JSON have in common.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::Value;

use super::clipped;

/// How deep objects in records become columns of their own.
const FLAT: usize = 9;
/// Columns of a table at most; beyond, objects stay in one.
const MAX_COLUMNS: usize = 400;

/// The keys of records of one kind, in order, objects in them flattened as deep as the number says: `None` if there
/// are none, or if the records have little in common. If nested keys are values (languages, ids), only the levels
/// above them are columns.
pub(super) fn columns(items: &[&Value], least: usize) -> Option<(Vec<String>, usize)> {
    if items.len() < least
        || !items.iter().all(|item| item.as_object().is_some_and(|fields| !fields.is_empty()))
    {
        return None;
    }
    [FLAT, 2, 1].into_iter().find_map(|deep| {
        let mut names = Vec::new();
        let mut known = HashSet::new();
        let mut filled = 0;
        for item in items {
            flat(item, "", (0, deep), &mut |name, _| {
                filled += 1;
                if !known.contains(name) {
                    known.insert(name.to_owned());
                    names.push(name.to_owned());
                }
            });
        }
        (names.len() <= MAX_COLUMNS && filled * 2 >= names.len() * items.len()).then_some((names, deep))
    })
}

/// Hands over each value of a record with its name, `user.login` for a deeper one.
fn flat<'v>(
    value: &'v Value,
    prefix: &str,
    (depth, deep): (usize, usize),
    take: &mut impl FnMut(&str, &'v Value),
) {
    match value {
        Value::Object(fields) if depth < deep && (depth == 0 || !fields.is_empty()) => {
            for (key, value) in fields {
                let name = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                flat(value, &name, (depth + 1, deep), take);
            }
        }
        // A list of one counts as its element.
        Value::Array(items)
            if depth > 0 && depth < deep && matches!(items.as_slice(), [Value::Object(_)]) =>
        {
            items.iter().for_each(|item| flat(item, &format!("{prefix}[]"), (depth + 1, deep), take));
        }
        _ => take(prefix, value),
    }
}

/// A record's value in each column.
pub(super) fn cells<'v>(item: &'v Value, names: &[String], deep: usize) -> Vec<Cow<'v, str>> {
    let mut cells = vec![Cow::Borrowed(""); names.len()];
    let mut next = 0;
    flat(item, "", (0, deep), &mut |name, value| {
        // Records mostly have their keys in the same order.
        let found = match names.get(next) {
            Some(known) if known == name => Some(next),
            _ => names.iter().position(|known| known == name),
        };
        if let Some(cell) = found.and_then(|at| cells.get_mut(at)) {
            next = found.unwrap_or(next) + 1;
            *cell = Cow::Owned(clipped(value));
        }
    });
    cells
}
