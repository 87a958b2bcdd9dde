//! Shows which files aren't in the index: how many for each reason, and the names of the first that the caller may read.

use serde_json::{Map, Value};
use system::Readable;

use crate::index::git::is_sparse;
use crate::index::{Index, IndexLocation};

/// The same without the names that the caller may not read. Without rules that can be seen, none are named.
pub(crate) fn readable_part(mut left: Value, place: &IndexLocation, readable: Option<&Readable>) -> Value {
    let is_shown = |path: &Value| {
        let path = path.as_str().unwrap_or_default();
        readable.is_some_and(|readable| readable.allows(&place.file(path)))
    };
    for one in left.as_object_mut().into_iter().flat_map(Map::values_mut) {
        if let Some(first) = one.get_mut("first").and_then(Value::as_array_mut) {
            first.retain(is_shown);
        }
    }
    left
}

/// What of the repository an answer that found nothing didn't look at: projects of their own, and what isn't checked out.
pub(super) fn not_looked_at(index: &Index<'_>) -> Option<String> {
    let left = index.store.fact("left_out").ok().flatten();
    let left: Value = left.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let first = left["nested"]["first"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let named: Vec<&str> = first.filter(|path| index.shows(path)).take(3).collect();
    let count = left["nested"]["count"].as_u64().unwrap_or(0);
    let projects = (!named.is_empty()).then(|| projects_of_their_own(&named, count));
    let sparse = is_sparse(&index.place.root).then(|| "what isn't checked out isn't known".to_owned());
    let all: Vec<String> = projects.into_iter().chain(sparse).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

fn projects_of_their_own(named: &[&str], count: u64) -> String {
    let list = named.join(", ");
    match count.saturating_sub(named.len() as u64) {
        0 if named.len() == 1 => format!("{list} is a project of its own"),
        0 => format!("{list} are projects of their own"),
        more => format!("{list} and {more} more are projects of their own"),
    }
}

/// A line for each reason.
pub(super) fn lines(left: &Value) -> Vec<String> {
    let line = |(why, one): (&String, &Value)| {
        let first = one["first"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let named: Vec<&str> = first.collect();
        let named = if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
        format!("  left out, {}: {}{named}", why.replace('_', " "), one["count"])
    };
    left.as_object().into_iter().flatten().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::projects_of_their_own;

    #[test]
    fn projects_in_a_project_are_named_and_counted() {
        for (named, count, expected) in [
            (&["lib/sub"][..], 1, "lib/sub is a project of its own"),
            (&["a", "b"][..], 2, "a, b are projects of their own"),
            (&["a", "b", "c"][..], 9, "a, b, c and 6 more are projects of their own"),
        ] {
            assert_eq!(projects_of_their_own(named, count), expected);
        }
    }
}
