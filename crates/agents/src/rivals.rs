//! Products that do the same job. Two of them filter the same output and answer the same event twice, which the user should
//! know. Removes nothing.

use serde_json::Value;

use crate::{Finding, Level, messages};

/// The names of known ones in commands, packages and server keys.
const NAMES: [&str; 2] = ["context-mode", "context_mode"];

/// A finding for each of `places` (the file's name, its part that lists servers or hooks) that registers a rival.
pub(crate) fn findings<'a>(places: impl IntoIterator<Item = (String, Option<&'a Value>)>) -> Vec<Finding> {
    places
        .into_iter()
        .filter_map(|(place, value)| Some((place, rival_in(value?)?)))
        .map(|(place, name)| Finding {
            level: Level::NeedsYou,
            what: messages::rival(name, place),
            remedy: messages::one_of_the_two(name),
        })
        .collect()
}

/// The rival's name in any key or string below `value`.
pub(crate) fn rival_in(value: &Value) -> Option<&'static str> {
    let known = |text: &str| NAMES.iter().any(|name| text.contains(name)).then_some(NAMES[0]);
    match value {
        Value::String(text) => known(text),
        Value::Array(items) => items.iter().find_map(rival_in),
        Value::Object(object) => {
            object.iter().find_map(|(key, value)| known(key).or_else(|| rival_in(value)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rivals_are_seen_in_keys_and_commands() {
        for value in [
            json!({"context-mode":{"command":"npx"}}),
            json!({"PreToolUse":[{"hooks":[{"command":"node /x/context-mode/hook.mjs"}]}]}),
            json!({"ctx":{"command":"npx","args":["-y","context-mode@1"]}}),
        ] {
            assert_eq!(rival_in(&value), Some("context-mode"), "{value}");
        }
        assert_eq!(rival_in(&json!({"context7":{"command":"npx"}})), None);
        assert!(findings([("f".to_owned(), None)]).is_empty());
    }
}
