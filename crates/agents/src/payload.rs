//! Reads foreign JSON payloads without failing: a field that is missing, empty or of another type counts as absent. Knows
//! only field names that several agents share.

use std::path::PathBuf;

use serde_json::Value;

use crate::event::{Event, EventKind};
use crate::local_path::local_path;

/// A non-empty string field.
pub(crate) fn text<'a>(payload: &'a Value, key: &str) -> Option<&'a str> {
    payload.get(key)?.as_str().filter(|text| !text.is_empty())
}

/// The first of several spellings of a string field.
pub(crate) fn text_of<'a>(payload: &'a Value, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| text(payload, key))
}

/// A string field, owned.
pub(crate) fn string(payload: &Value, key: &str) -> Option<String> {
    text(payload, key).map(str::to_owned)
}

/// A path field.
pub(crate) fn path(payload: &Value, key: &str) -> Option<PathBuf> {
    text(payload, key).map(local_path)
}

/// The first of several spellings of a path field.
pub(crate) fn path_of(payload: &Value, keys: &[&str]) -> Option<PathBuf> {
    text_of(payload, keys).map(local_path)
}

/// The first path of a list.
pub(crate) fn first_path(payload: &Value, key: &str) -> Option<PathBuf> {
    let first = payload.get(key)?.get(0)?.as_str()?;
    (!first.is_empty()).then(|| local_path(first))
}

/// Whether a field has a value.
pub(crate) fn has(payload: &Value, key: &str) -> bool {
    payload.get(key).is_some_and(|value| !value.is_null())
}

/// An object or array, either as itself or, as some agents send it, as JSON in a string. What only a strict parser refuses, such as
/// half a surrogate where JavaScript cut a text inside an emoji, is read all the same, as it is in the payload around it: the user's
/// rules must be asked about its command.
pub(crate) fn unwrapped(value: &Value) -> Value {
    let Value::String(inner) = value else { return value.clone() };
    let parsed = serde_json::from_str(inner).ok().or_else(|| {
        let may_be = inner.trim_start().starts_with(['{', '[']);
        let repaired = may_be.then(|| ::text::json::repair(inner.as_bytes()))?;
        serde_json::from_str(&repaired).ok()
    });
    parsed.unwrap_or_else(|| value.clone())
}

/// A command: text, or its words, as some versions send it.
pub(crate) fn command(input: &Value, keys: &[&str]) -> Option<String> {
    match keys.iter().find_map(|key| input.get(*key))? {
        Value::String(command) if !command.is_empty() => Some(command.clone()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words.as_slice() {
                [] => None,
                // A shell with a script as its last word: the script is the command.
                [shell, flag, script] if is_shell(shell) && flag.starts_with('-') && flag.ends_with('c') => {
                    Some((*script).to_owned())
                }
                words => Some(words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")),
            }
        }
        _ => None,
    }
}

fn is_shell(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    ["sh", "bash", "dash", "zsh", "ksh", "fish"].contains(&name.strip_suffix(".exe").unwrap_or(name))
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@,+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Texts of MCP content (`[{"type":"text","text":…}]`, one such block, `{"content":[…]}` or a plain
/// string), joined by newlines.
pub(crate) fn content_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(blocks) => {
            let texts: Vec<&str> = blocks
                .iter()
                .filter_map(|block| block.as_str().or_else(|| block.get("text")?.as_str()))
                .collect();
            (!texts.is_empty()).then(|| texts.join("\n"))
        }
        Value::Object(object) => match (object.get("content"), object.get("text")) {
            (Some(content), _) => content_text(content),
            (None, Some(Value::String(text))) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// An event with the fields that Claude Code, Codex, Gemini CLI, Kiro and VS Code name alike (`session_id`, `cwd`,
/// `transcript_path`, `model`, `permission_mode`); the caller adds the tool.
pub(crate) fn snake_case_event(
    agent: &'static str,
    raw_name: &str,
    kind: EventKind,
    payload: &Value,
) -> Event {
    Event {
        agent,
        raw_name: raw_name.to_owned(),
        kind,
        session: string(payload, "session_id"),
        cwd: path(payload, "cwd"),
        project: None,
        tool: None,
        prompt: None,
        subagent: false,
        transcript: path(payload, "transcript_path"),
        model: string(payload, "model"),
        permission_mode: string(payload, "permission_mode"),
    }
}

/// At most `limit` characters, cut at a character boundary and marked.
pub(crate) fn capped(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some(_) => {
            let end = text.char_indices().nth(limit.saturating_sub(1)).map_or(0, |(at, _)| at);
            format!("{}…", &text[..end])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_of_every_content_shape() {
        for (value, wanted) in [
            (json!("a"), Some("a")),
            (json!([{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]), Some("a\nb")),
            (json!({"content":[{"type":"text","text":"a"}],"isError":false}), Some("a")),
            (json!({"type":"text","text":"a"}), Some("a")),
            (json!([]), None),
            (json!(7), None),
        ] {
            assert_eq!(content_text(&value).as_deref(), wanted, "{value}");
        }
    }

    #[test]
    fn an_object_in_a_string_is_read_though_a_strict_parser_refuses_it() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let deep = unwrapped(&json!(format!("{{\"command\":\"rm a\",\"deep\":{deep}}}")));
        assert_eq!(deep["command"], "rm a");
        for (value, wanted) in [
            (json!({"command": "ls"}), json!({"command": "ls"})),
            (json!(r#"{"command":"ls"}"#), json!({"command": "ls"})),
            (
                json!(r#"{"command":"rm a","description":"cut \ud83d"}"#),
                json!({"command": "rm a", "description": "cut \u{fffd}"}),
            ),
            (json!(r#"{"command":"rm a","n":1e999}"#), json!({"command": "rm a", "n": null})),
            (json!("{\"command\":\"rm\ta\"}"), json!({"command": "rm\ta"})),
            (json!(r#"[{"text":"cut \ud83d"}]"#), json!([{"text": "cut \u{fffd}"}])),
            (json!("1e999"), json!("1e999")),
            (json!("{ ls; }"), json!("{ ls; }")),
            (json!("ls -la"), json!("ls -la")),
            (json!("\\ud83d"), json!("\\ud83d")),
        ] {
            assert_eq!(unwrapped(&value), wanted);
        }
    }

    #[test]
    fn a_command_is_text_or_words() {
        for (value, wanted) in [
            (json!("cargo test"), Some("cargo test")),
            (json!(["bash", "-lc", "cargo test && git push"]), Some("cargo test && git push")),
            (json!(["/bin/sh", "-c", "a; b"]), Some("a; b")),
            (json!(["git", "commit", "-m", "a; it's b"]), Some("git commit -m 'a; it'\\''s b'")),
            (json!(["python3", "-c", "import os; x"]), Some("python3 -c 'import os; x'")),
            (json!(["ls", ""]), Some("ls ''")),
            (json!([]), None),
            (json!(""), None),
            (json!({ "value": "ls" }), None),
        ] {
            let input = json!({ "cmd": value });
            assert_eq!(command(&input, &["command", "cmd"]).as_deref(), wanted, "{input}");
        }
    }

    #[test]
    fn capping_keeps_whole_characters() {
        assert_eq!(capped("äöü", 3), "äöü");
        assert_eq!(capped("äöüß", 3), "äö…");
        assert_eq!(capped("", 0), "");
    }
}
