//! Shows which files aren't in the index: how many for each reason, and the names of the first that the caller may read.

use serde_json::{Map, Value};
use system::Readable;

use crate::index::IndexLocation;

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
