//! What somebody else put into one of Plimsoll's entries, and goes with it: keys, and comments. Says so; keeps nothing.

use contract::Sentence;
use serde_json::{Map, Value};

use crate::draft;
use crate::edit::{Dialect, Edit, Format, dotted};
use crate::messages;
use crate::receipt::FileReceipt;

/// How many keys a note names.
const NAMED: usize = 5;

/// The note about what leaves `before` along with Plimsoll's entries; `after` is the text without them.
pub(crate) fn note(
    before: &str,
    after: &str,
    format: Format,
    edits: &[Edit],
    receipt: Option<&FileReceipt>,
) -> Option<Sentence> {
    let keys = added_keys(before, format, edits, receipt);
    let more = keys.len().saturating_sub(NAMED);
    let mut parts: Vec<String> = keys.into_iter().take(NAMED).collect();
    if more > 0 {
        parts.push(contract::count(more as u64, "more key"));
    }
    let comments = comments(before, format.dialect).saturating_sub(comments(after, format.dialect));
    if comments > 0 {
        parts.push(contract::count(comments as u64, "comment"));
    }
    (!parts.is_empty()).then(|| messages::taken_along(parts.join(", ")))
}

/// The keys in Plimsoll's entries that it neither writes now nor wrote last.
fn added_keys(text: &str, format: Format, edits: &[Edit], receipt: Option<&FileReceipt>) -> Vec<String> {
    let mut keys = Vec::new();
    for edit in edits {
        let Edit::Set { path, value: Value::Object(wanted), ours, .. } = edit else { continue };
        let Some(Value::Object(current)) =
            draft::value_at(text, format, path).filter(|current| ours.is(current))
        else {
            continue;
        };
        let written = receipt.and_then(|receipt| receipt.entries.iter().find(|entry| entry.path == *path));
        let written = written.and_then(|entry| entry.value.as_object());
        collect(&current, wanted, written, path, &mut keys);
    }
    keys
}

fn collect(
    current: &Map<String, Value>,
    wanted: &Map<String, Value>,
    written: Option<&Map<String, Value>>,
    path: &[String],
    keys: &mut Vec<String>,
) {
    for (key, value) in current {
        let path: Vec<String> = path.iter().chain([key]).cloned().collect();
        let of_written = written.and_then(|written| written.get(key));
        match (value, wanted.get(key)) {
            (Value::Object(value), Some(Value::Object(wanted))) => {
                collect(value, wanted, of_written.and_then(Value::as_object), &path, keys);
            }
            (_, None) if of_written.is_none() => keys.push(dotted(&path)),
            _ => {}
        }
    }
}

/// How many comments a text has. Strings, which may contain their signs, are looked over.
fn comments(text: &str, dialect: Dialect) -> usize {
    let (line, block, quotes): (&str, Option<&str>, &[char]) = match dialect {
        Dialect::Toml => ("#", None, &['"', '\'']),
        Dialect::Jsonc | Dialect::JsonComments => ("//", Some("/*"), &['"']),
        Dialect::Json | Dialect::Markdown => return 0,
    };
    let mut count = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = if quotes.contains(&first) {
            1 + string_length(&rest[1..], first)
        } else if rest.starts_with(line) {
            count += 1;
            rest.find('\n').unwrap_or(rest.len())
        } else if block.is_some_and(|block| rest.starts_with(block)) {
            count += 1;
            rest[2..].find("*/").map_or(rest.len(), |end| end + 4)
        } else {
            first.len_utf8()
        };
        rest = &rest[taken..];
    }
    count
}

/// The length of a string up to its quote's end. A `'` has no escapes.
fn string_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        if c == quote && !is_escaped {
            return at + quote.len_utf8();
        }
        is_escaped = quote == '"' && c == '\\' && !is_escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_counted_outside_strings() {
        for (text, dialect, count) in [
            ("{ // a\n \"b\": \"// no\", /* c\n d */ \"e\\\"//\": 1 }", Dialect::Jsonc, 2),
            ("{ // a\n \"b\": \"/* no\" }", Dialect::JsonComments, 1),
            ("{ \"b\": \"// no\" }", Dialect::Json, 0),
            (
                "a = 1 # one\n# two\nb = \"# no\"\nc = 'no \\' # three\nd = \"\"\"\n# no\n\"\"\"",
                Dialect::Toml,
                3,
            ),
        ] {
            assert_eq!(comments(text, dialect), count, "{text}");
        }
    }
}
