//! Renders a reply as terminal text, where agents and scripts get JSON. Works on any JSON and knows no action; a text
//! goes below an item's other fields.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// The text of a reply without anything in it, until a next step takes its place.
pub(super) const NOTHING: &str = "Nothing was found.";

/// The first line for a page that begins behind the last entry.
const PAST_THE_END: &str = "Nothing is left to show: the offset is past the last.";

/// Lists that have pages.
const PAGED: &[&str] =
    &["results", "pending", "entities", "relationships", "neighbors", "prompts", "templates", "history"];
/// Fields shown without their names.
const PLAIN: &[&str] = &["id", "name", "namespace", "entity_type", "relationship_type", "action"];
/// Fields shown on lines of their own.
const TEXTS: &[&str] = &["content", "description"];
/// Redundant fields, left out.
const REPEATED: &[&str] = &["uri", "urn"];
/// Fields for programs, which `--json` shows.
const FOR_PROGRAMS: &[&str] = &["components"];

/// The reply as text.
pub(super) fn render(data: &Value) -> String {
    let mut text = String::new();
    match data {
        Value::Object(map) if is_empty_list(map) => {
            text.push_str(NOTHING);
            text.push('\n');
            // Such as that a server wasn't asked.
            let is_note = |(_, value): &(&String, &Value)| value.is_string();
            let notes: Map<String, Value> =
                map.iter().filter(is_note).map(|(key, value)| (key.clone(), value.clone())).collect();
            block(&notes, 0, &mut text);
        }
        Value::Object(map) => {
            if is_past_the_end(map) {
                text.push_str(PAST_THE_END);
                text.push('\n');
            }
            block(map, 0, &mut text);
        }
        other => text.push_str(&word(other)),
    }
    text.trim_end().to_owned()
}

/// Whether a reply has nothing of what was looked for.
pub(super) fn is_nothing(data: &Value) -> bool {
    data.as_object().is_some_and(is_empty_list) || data["found"] == false
}

/// A list without entries: its total and notes are all there is to read, or there is nothing else. What the list belongs to, such
/// as the entity of neighbours, is something.
fn is_empty_list(map: &Map<String, Value>) -> bool {
    let total = map.get("total").or_else(|| map.get("total_count"));
    let has_no_entries = total.and_then(Value::as_u64) == Some(0);
    let is_empty = |value: &Value| match value {
        Value::Array(all) => all.is_empty(),
        Value::Object(inner) => inner.is_empty(),
        other => has_no_entries || other.is_null(),
    };
    map.values().any(|value| value.as_array().is_some_and(Vec::is_empty)) && map.values().all(is_empty)
}

/// Whether a page begins behind the last entry of its list.
fn is_past_the_end(map: &Map<String, Value>) -> bool {
    let has_entries = map.get("total").and_then(Value::as_u64).is_some_and(|total| total > 0);
    let is_empty = |list: &&str| map.get(*list).and_then(Value::as_array).is_some_and(Vec::is_empty);
    has_entries && PAGED.iter().any(is_empty)
}

fn block(map: &Map<String, Value>, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let alone = !map.contains_key("id");
    for (key, value) in map {
        let name = key.replace('_', " ");
        match value {
            Value::Object(inner) if inner.is_empty() => {}
            Value::Object(inner) => {
                let _ = writeln!(out, "{indent}{name}:");
                block(inner, depth + 1, out);
            }
            Value::Array(all) if all.iter().any(Value::is_object) => {
                for one in all {
                    match one {
                        Value::Object(inner) => item(inner, depth, out),
                        other => {
                            let _ = writeln!(out, "{indent}{}", word(other));
                        }
                    }
                }
            }
            Value::Array(all) if all.is_empty() => {}
            Value::Null => {}
            Value::String(text) if TEXTS.contains(&key.as_str()) => below(text, &indent, out),
            _ if !alone && REPEATED.contains(&key.as_str()) => {}
            _ => {
                let _ = writeln!(out, "{indent}{name}: {}", word(value));
            }
        }
    }
}

/// A list item: its short fields on one line, its text below.
fn item(map: &Map<String, Value>, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let (mut words, mut texts, mut blocks) = (Vec::new(), Vec::new(), Map::new());
    for (key, value) in map {
        match value {
            Value::Null => {}
            Value::Array(all) if all.is_empty() => {}
            _ if FOR_PROGRAMS.contains(&key.as_str()) => {}
            Value::String(text) if TEXTS.contains(&key.as_str()) => texts.push(text),
            _ if REPEATED.contains(&key.as_str()) && map.contains_key("id") => {}
            Value::Object(_) => {
                blocks.insert(key.clone(), value.clone());
            }
            Value::Array(all) if all.iter().any(Value::is_object) => {
                blocks.insert(key.clone(), value.clone());
            }
            _ if PLAIN.contains(&key.as_str()) => words.push(word(value)),
            _ => words.push(format!("{} {}", key.replace('_', " "), word(value))),
        }
    }
    let _ = writeln!(out, "{indent}{}", words.join("  "));
    for text in texts {
        below(text, &format!("{indent}  "), out);
    }
    block(&blocks, depth + 1, out);
}

fn below(text: &str, indent: &str, out: &mut String) {
    for line in text.lines() {
        let _ = writeln!(out, "{indent}{line}");
    }
}

/// A value as a word, or as words separated by commas; always in one line, which is Plimsoll's.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text::one_line(text).into_owned(),
        Value::Array(all) => all.iter().map(word).collect::<Vec<_>>().join(", "),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Object(_) => value.to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reply_reads_as_lines() {
        let found = json!({"results": [
            {"id": "1a2b", "namespace": "decisions", "tags": ["db", "api"], "content": "Use SQLite\nbecause", "score": 0.8,
             "components": {"bm25": 1.0}, "uri": "plimsoll://memory/project/decisions/1a2b"},
            {"id": "3c4d", "namespace": "patterns", "tags": [], "content": "Tests first"},
        ], "total": 2});
        assert_eq!(
            render(&found),
            "1a2b  decisions  tags db, api  score 0.8\n  Use SQLite\n  because\n3c4d  patterns\n  Tests first\ntotal: 2"
        );
        let status = json!({"repository": {"path": "/shop", "branch": null}, "statistics": {"total_count": 3, "top_tags": []}});
        assert_eq!(render(&status), "repository:\n  path: /shop\nstatistics:\n  total count: 3");
        assert_eq!(
            render(&json!({"id": "1a", "urn": "plimsoll://x", "duplicate": true})),
            "id: 1a\nduplicate: yes"
        );
        assert_eq!(render(&json!("text")), "text");
        assert_eq!(render(&json!({"results": [], "total": 0})), NOTHING);
        assert_eq!(render(&json!({"sources": []})), NOTHING);
        assert_eq!(render(&json!({"keys": [], "kept_in": {}})), NOTHING);
        assert_eq!(render(&json!({"memories": 0, "also": []})), "memories: 0");
        // Who wasn't asked belongs to the answer.
        let unasked = json!({"results": [], "total": 0, "org": "not asked: it is gone"});
        assert_eq!(render(&unasked), format!("{NOTHING}\norg: not asked: it is gone"));
        // An entity without neighbours exists all the same, and so do its memories.
        let lonely =
            json!({"entity": {"name": "Quay"}, "neighbors": [], "total": 0, "memories": [{"id": "1a"}]});
        let text = render(&lonely);
        assert!(text.contains("name: Quay") && text.contains("1a") && !text.contains(NOTHING), "{text}");
        // A number without a name could be anything.
        let history = json!({"versions": [{"version": 2, "action": "updated", "at": "2026-01-31T10:00:00Z"}], "total": 1});
        assert_eq!(render(&history), "version 2  updated  at 2026-01-31T10:00:00Z\ntotal: 1");
        // Tags, branches and authors of others stay in their line.
        let forged = json!({"results": [{"id": "1a", "tags": ["db\n2b  decisions"], "author": "eve\u{1b}[2J\rbob"}], "total": 1});
        assert_eq!(render(&forged), "1a  tags db 2b  decisions  author eve bob\ntotal: 1");
        // A page behind the last says so, and how many there are.
        let beyond = json!({"results": [], "total": 131, "offset": 500});
        assert_eq!(render(&beyond), format!("{PAST_THE_END}\ntotal: 131\noffset: 500"));
        let beyond = json!({"entity": {"name": "Quay"}, "neighbors": [], "total": 2, "memories": []});
        assert!(render(&beyond).starts_with(PAST_THE_END));
        let all =
            json!({"entity": {"name": "Quay"}, "neighbors": [{"id": "1a"}], "total": 1, "memories": []});
        assert!(!render(&all).contains(PAST_THE_END));
        // A total of zero without results isn't a list.
        assert_eq!(render(&json!({"total": 0})), "total: 0");
    }
}
