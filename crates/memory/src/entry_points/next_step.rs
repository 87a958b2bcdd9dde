//! The terminal's text for an empty list: what would appear there, and the command that adds it. Knows the names of the
//! actions and no data.

use contract::Reply;
use serde_json::{Map, Value};

use super::terminal_text::{NOTHING, is_nothing};

/// Arguments that say how much is shown and how; all others narrow down what is looked for.
const NOT_NARROWING: &[&str] = &["action", "limit", "offset", "detail", "mode", "kind", "dry_run"];

/// What to say if an action with these arguments finds nothing.
pub(super) fn next_step(tool: &str, action: &str, given: &Map<String, Value>) -> &'static str {
    let is_narrowed = given.keys().any(|name| !NOT_NARROWING.contains(&name.as_str()));
    let is_template = given.get("kind").and_then(Value::as_str) == Some("template");
    match (tool, action, is_narrowed) {
        ("memory", "recall" | "list", true) => {
            "Nothing was found; `plimsoll memory list` shows everything that is remembered here."
        }
        ("memory", "recall" | "list", false) => {
            "Nothing is remembered here yet; `plimsoll memory add TEXT --namespace decisions` remembers something."
        }
        ("memory", "review", _) => {
            "Nothing waits for a review; what Plimsoll captures automatically appears here."
        }
        ("memory", "sources", _) => {
            "Nothing new to import was found; `plimsoll memory import PATH` reads a file or folder that you name."
        }
        ("memory", "key", _) => {
            "No key is stored; `plimsoll memory key set PROVIDER` reads one from standard input."
        }
        ("prompt", "list", true) if is_template => {
            "Nothing was found; `plimsoll prompt list --kind template` shows every template."
        }
        ("prompt", "list", true) => "Nothing was found; `plimsoll prompt list` shows every prompt.",
        ("prompt", "list", false) if is_template => {
            "No template is saved yet; `plimsoll prompt save NAME TEXT --kind template` saves one."
        }
        ("prompt", "list", false) => "No prompt is saved yet; `plimsoll prompt save NAME TEXT` saves one.",
        ("graph", "entities", true) => "Nothing was found; `plimsoll graph entities` shows every entity.",
        ("graph", "entities", false) => {
            "No entity is known yet; `plimsoll graph add_entity NAME --type Technology` adds one."
        }
        ("graph", "relationships", true) => {
            "Nothing was found; `plimsoll graph relationships` shows every relationship."
        }
        ("graph", "relationships", false) => {
            "No relationship is known yet; `plimsoll graph relate NAME NAME --type Uses` adds one."
        }
        _ => NOTHING,
    }
}

/// The reply, with the next step where nothing was found. A text that only reads like that is something.
pub(super) fn with_next_step(mut reply: Reply, next_step: &str) -> Reply {
    reply.nothing_found = is_nothing(&reply.data);
    if reply.nothing_found
        && let Some(notes) = reply.text.strip_prefix(NOTHING)
    {
        reply.text = format!("{next_step}{notes}");
    }
    reply
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::reply_text::{ReplyFormat, reply};
    use super::*;

    #[test]
    fn nothing_found_names_the_command_that_changes_it() {
        let asked = |tool, action, given: Value| next_step(tool, action, given.as_object().unwrap());
        for (tool, action, given, command) in [
            ("memory", "list", json!({"action": "list", "limit": 3}), "`plimsoll memory add "),
            ("memory", "recall", json!({"query": "x"}), "`plimsoll memory list`"),
            ("memory", "list", json!({"filter": "ns:config"}), "`plimsoll memory list`"),
            ("memory", "review", json!({}), "what Plimsoll captures automatically"),
            ("memory", "sources", json!({}), "`plimsoll memory import "),
            ("memory", "key", json!({}), "`plimsoll memory key set "),
            ("prompt", "list", json!({"kind": "prompt"}), "`plimsoll prompt save NAME TEXT`"),
            ("prompt", "list", json!({"kind": "template"}), "--kind template`"),
            ("prompt", "list", json!({"tags": ["x"]}), "`plimsoll prompt list`"),
            (
                "prompt",
                "list",
                json!({"tags": ["x"], "kind": "template"}),
                "`plimsoll prompt list --kind template`",
            ),
            ("graph", "entities", json!({}), "`plimsoll graph add_entity "),
            ("graph", "entities", json!({"type": "File"}), "`plimsoll graph entities` shows every"),
            ("graph", "relationships", json!({}), "`plimsoll graph relate "),
            ("graph", "relationships", json!({"entity": "Go"}), "`plimsoll graph relationships` shows every"),
        ] {
            let told = asked(tool, action, given);
            assert!(told.contains(command) && told.ends_with('.'), "{tool} {action}: {told}");
        }
        assert_eq!(asked("memory", "history", json!({})), NOTHING);
    }

    #[test]
    fn only_an_empty_reply_gets_a_next_step() {
        for (data, expected, is_empty) in [
            (json!({"results": [], "total": 0}), "Add one.", true),
            (json!({"results": [], "total": 0, "org": "not asked"}), "Add one.\norg: not asked", true),
            (
                json!({"results": [], "total": 1}),
                "Nothing is left to show: the offset is past the last.\ntotal: 1",
                false,
            ),
            (json!({"found": false, "hops": 0}), "found: no\nhops: 0", true),
            (json!(NOTHING), NOTHING, false),
        ] {
            let reply = with_next_step(reply(data, ReplyFormat::Json, true), "Add one.");
            assert_eq!((reply.text.as_str(), reply.nothing_found), (expected, is_empty));
        }
    }
}
