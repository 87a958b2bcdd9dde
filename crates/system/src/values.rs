//! What one value of a tool call's arguments is, and what an error repeats. Doesn't know any argument.

use serde_json::Value;

/// The most of the caller's own text that an error repeats, in characters.
const MAX_REPEATED: usize = 80;

/// A number as a `usize`, saturating.
#[must_use]
pub fn clamp(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// JSON inside a string, if it is an array or an object.
#[must_use]
pub fn inner_json(text: &str) -> Option<Value> {
    let text = text.trim();
    (text.starts_with('[') && text.ends_with(']') || text.starts_with('{') && text.ends_with('}'))
        .then(|| serde_json::from_str(text).ok())
        .flatten()
}

/// The beginning of what an error repeats; `…` marks the cut.
pub(crate) fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_REPEATED).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// Whether a value can be stored as a text as it is.
pub(crate) fn is_text(value: &Value) -> bool {
    match value {
        Value::String(_) | Value::Number(_) => true,
        Value::Array(lines) => !lines.is_empty() && lines.iter().all(Value::is_string),
        Value::Null | Value::Bool(_) | Value::Object(_) => false,
    }
}

/// Whether an action without this argument still does what was asked when the value is ignored.
pub(crate) fn asks_for_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(all) => all.is_empty(),
        Value::Object(all) => all.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

/// A float with an integral value; models write `5.0`.
pub(crate) fn whole(number: f64) -> Option<u64> {
    // 2^53: beyond it, a float can't represent every integer.
    (number >= 0.0 && number.fract() == 0.0 && number <= 9_007_199_254_740_992.0).then_some(number as u64)
}
