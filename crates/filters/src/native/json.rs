//! Large JSON: records of one kind become a table of values under one line of keys (nothing is lost by that); when it is
//! still large, the middle records go with a count, those that state an error stay, and long texts are cut. Numbers are
//! shown with the figures that they were written with.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::numbers::{as_written, keep_numbers};
use crate::guard::must_stay;

/// JSON up to this size, in bytes, is left alone.
const SMALL: usize = 2_000;
/// What the table of one list may take, in bytes, before records are left out.
const LIST_BYTES: usize = 6_000;
/// Records that are shown of a list that is too long: from its beginning and from its end.
const ENDS: (usize, usize) = (12, 3);
/// Records that state an error and are shown from the middle.
const MAX_STATED: usize = 60;
/// Longest text value when something has to go, in bytes.
const LONG_TEXT: usize = 400;
/// How deep a value may nest before it is written on one line.
const MAX_DEPTH: usize = 24;

pub(crate) fn json(text: &str) -> Option<String> {
    if text.len() <= SMALL {
        return None;
    }
    let trimmed = text.trim();
    if !trimmed.starts_with(['{', '[']) {
        return None;
    }
    let kept = keep_numbers(trimmed)?;
    let mut out = String::with_capacity(text.len() / 2);
    match serde_json::from_str::<Value>(&kept) {
        Ok(value) => write(&mut out, &value, 0),
        // One value per line, as many tools stream it.
        Err(_) => {
            let records: Vec<Value> =
                kept.lines().map(serde_json::from_str).collect::<Result<_, _>>().ok()?;
            list(&mut out, &records, 0);
        }
    }
    out.push('\n');
    Some(out)
}

fn write(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Array(items) if items.len() > 1 && depth < MAX_DEPTH => list(out, items, depth),
        Value::Object(fields) if !fields.is_empty() && depth < MAX_DEPTH && compact(value).len() > 100 => {
            object(out, fields, depth);
        }
        _ => out.push_str(&clipped(value)),
    }
}

fn object(out: &mut String, fields: &Map<String, Value>, depth: usize) {
    out.push('{');
    for (key, value) in fields {
        let _ = write!(out, "\n{}{key}: ", indent(depth + 1));
        write(out, value, depth + 1);
    }
    let _ = write!(out, "\n{}}}", indent(depth));
}

fn list(out: &mut String, items: &[Value], depth: usize) {
    let keys = common_keys(items);
    let _ = write!(out, "[{}]", items.len());
    if let Some(keys) = &keys {
        let _ = write!(out, " {{{}}}", keys.join(","));
    }
    out.push(':');
    let rows: Vec<String> = items.iter().map(|item| row(item, keys.as_deref(), depth)).collect();
    let whole: usize = rows.iter().map(String::len).sum();
    let cut = whole > LIST_BYTES && rows.len() > ENDS.0 + ENDS.1 + 1;
    let (mut skipped, mut stated) = (0_usize, 0_usize);
    for (at, (row, item)) in rows.iter().zip(items).enumerate() {
        let in_the_middle = cut && at >= ENDS.0 && at < rows.len() - ENDS.1;
        if in_the_middle {
            if stated < MAX_STATED && states_error(item) {
                stated += 1;
            } else {
                skipped += 1;
                continue;
            }
        }
        note(out, &mut skipped, depth);
        let _ = write!(out, "\n{}{row}", indent(depth + 1));
    }
    note(out, &mut skipped, depth);
}

fn note(out: &mut String, skipped: &mut usize, depth: usize) {
    if *skipped > 0 {
        let _ = write!(out, "\n{}… {skipped} more", indent(depth + 1));
        *skipped = 0;
    }
}

/// The keys that all records have, in the first one's order, when they are records of one kind.
fn common_keys(items: &[Value]) -> Option<Vec<String>> {
    let first = items.first()?.as_object()?;
    let same = items.iter().all(|item| {
        item.as_object().is_some_and(|fields| {
            fields.len() == first.len() && fields.keys().all(|key| first.contains_key(key))
        })
    });
    (same && items.len() > 2 && !first.is_empty()).then(|| first.keys().cloned().collect())
}

fn row(item: &Value, keys: Option<&[String]>, depth: usize) -> String {
    match (item, keys) {
        (Value::Object(fields), Some(keys)) => keys
            .iter()
            .map(|key| fields.get(key).map_or_else(String::new, clipped))
            .collect::<Vec<_>>()
            .join(","),
        _ => {
            let mut out = String::new();
            write(&mut out, item, depth + 1);
            out
        }
    }
}

/// Whether a record says that something went wrong: by a text in it, or by a key of that name that is set.
fn states_error(value: &Value) -> bool {
    match value {
        Value::String(text) => must_stay(text),
        Value::Array(items) => items.iter().any(states_error),
        Value::Object(fields) => fields.iter().any(|(key, value)| {
            let key = key.to_ascii_lowercase();
            let named = ["error", "fail", "exception", "stderr"].iter().any(|word| key.contains(word));
            let set = match value {
                Value::Null | Value::Bool(false) => false,
                Value::String(text) => !text.is_empty(),
                Value::Number(number) => number.as_f64() != Some(0.0),
                Value::Array(items) => !items.is_empty(),
                Value::Object(fields) => !fields.is_empty(),
                Value::Bool(true) => true,
            };
            let status = matches!(key.as_str(), "status" | "statuscode" | "status_code" | "code")
                && value.as_u64().is_some_and(|code| (400..600).contains(&code));
            named && set || status || states_error(value)
        }),
        _ => false,
    }
}

fn compact(value: &Value) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The value on one line, its long texts cut.
fn clipped(value: &Value) -> String {
    if let Some(number) = as_written(value) {
        return number.to_owned();
    }
    match value {
        Value::String(text) if text.len() > LONG_TEXT => {
            let cut = text.floor_char_boundary(LONG_TEXT);
            let stated: String = text[cut..]
                .lines()
                .filter(|line| must_stay(line))
                .take(20)
                .map(|line| format!("\n{line}"))
                .collect();
            format!(
                "{}… {} bytes more{stated}",
                compact(&Value::String(text[..cut].to_owned())),
                text.len() - cut
            )
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(clipped).collect::<Vec<_>>().join(","))
        }
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(key, value)| format!("{key}:{}", clipped(value))).collect();
            format!("{{{}}}", fields.join(","))
        }
        _ => compact(value),
    }
}

fn indent(depth: usize) -> String {
    " ".repeat(depth.min(MAX_DEPTH))
}

#[cfg(test)]
mod tests {
    use super::json;
    use serde_json::json as value;

    #[test]
    fn records_become_a_table_and_errors_stay() {
        let items: Vec<_> = (0..500)
            .map(|n| value!({"id": n, "name": format!("order {n}"), "error": if n == 333 { "card refused" } else { "" }}))
            .collect();
        let short = json(&serde_json::to_string_pretty(&items).unwrap()).unwrap();
        assert!(short.starts_with("[500] {id,name,error}:\n 0,\"order 0\",\"\""), "{short}");
        assert!(short.contains("333,\"order 333\",\"card refused\"") && short.contains("… "), "{short}");
        assert!(short.len() < 2_000);
    }

    #[test]
    fn numbers_stay_as_they_were_written() {
        let record = r#"{"id": 1000000000000000000001, "price": 1.10, "rate": 1E-7, "far": [1e400, -0], "n": 17, "of": "1.10"}"#;
        let rows = vec![record; 60];
        for text in [format!("[{}]", rows.join(",\n")), rows.join("\n")] {
            let short = json(&text).unwrap();
            assert!(short.contains("1000000000000000000001,1.10,1E-7,[1e400,-0],17,\"1.10\""), "{short}");
        }
        let field = format!(r#"{{"price": 1.10, "name": "{}"}}"#, "x".repeat(2_000));
        assert!(json(&field).unwrap().contains("price: 1.10\n"));
    }

    #[test]
    fn small_and_broken_ones_are_left_alone() {
        assert_eq!(json("{\"a\":1}"), None);
        assert_eq!(json(&format!("[{}", "1,".repeat(4_000))), None);
        assert_eq!(json(&"[".repeat(100_000)), None);
    }
}
