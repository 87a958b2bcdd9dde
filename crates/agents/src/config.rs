//! Reads agents' configuration files: rules, switches, servers. Bounded in size, strict in syntax. Writing is `edits`'
//! job. Knows no agent's keys.

use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::Path;

use contract::Sentence;
use rules::{BrokenLayer, Effect, RuleSet};
use serde_json::Value;

use crate::{Finding, Level, messages};

/// The largest file that is read: agents keep histories in theirs, but parsed they take ten times as much memory.
pub(crate) const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// What the agent's own parser accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// JSON and nothing else.
    Strict,
    /// JSON with comments.
    Comments,
    /// JSON with comments and trailing commas.
    Jsonc,
    /// TOML, returned as the equivalent JSON value.
    Toml,
}

/// A file's content; `Ok(None)` if it is missing or empty.
///
/// # Errors
/// Part of a sentence that says why the file can't be used, without its name.
pub(crate) fn read(path: &Path, syntax: Syntax) -> Result<Option<Value>, Sentence> {
    match bytes(path)? {
        Some(bytes) => parse(&bytes, syntax),
        None => Ok(None),
    }
}

/// The bytes of a regular file within the size limit; `Ok(None)` if it is missing.
///
/// # Errors
/// As [`read`].
pub(crate) fn bytes(path: &Path) -> Result<Option<Vec<u8>>, Sentence> {
    match home::read_regular(path, MAX_BYTES) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) if error.kind() == ErrorKind::FileTooLarge => {
            Err(messages::too_large(path.metadata().map_or(MAX_BYTES, |meta| meta.len())))
        }
        Err(error) => Err(error.to_string().into()),
    }
}

/// See [`read`].
///
/// # Errors
/// As [`read`].
pub(crate) fn parse(bytes: &[u8], syntax: Syntax) -> Result<Option<Value>, Sentence> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|_| messages::not_utf8())?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    // JavaScript writes half a surrogate where it cuts a text inside an emoji, and reads it again.
    let text = match syntax {
        Syntax::Toml => Cow::Borrowed(text),
        Syntax::Strict | Syntax::Comments | Syntax::Jsonc => edits::mask_surrogates(text),
    };
    parsed(&text, syntax).or_else(|error| match syntax {
        Syntax::Toml => Err(error),
        // To JavaScript, a number beyond all measure is infinite, and the file is read.
        _ => parsed(&within_range(&text), syntax).map_err(|_| error),
    })
}

fn parsed(text: &str, syntax: Syntax) -> Result<Option<Value>, Sentence> {
    let options = jsonc_parser::ParseOptions {
        allow_comments: true,
        allow_trailing_commas: syntax == Syntax::Jsonc,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    match syntax {
        Syntax::Strict => serde_json::from_str(text).map(Some).map_err(|error| error.to_string().into()),
        Syntax::Comments | Syntax::Jsonc => {
            jsonc_parser::parse_to_serde_value::<Option<Value>>(text, &options)
                .map_err(|error| error.to_string().into())
        }
        Syntax::Toml => toml_edit::de::from_str(text).map(Some).map_err(|error| error.message().into()),
    }
}

/// The same JSON with a very large number for each one that is too large for a number; what is in texts and comments stays.
fn within_range(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' => Some(string_end(rest)),
            '/' if rest.starts_with("//") => rest.find(['\n', '\r']),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map(|end| end + 4),
            '-' | '0'..='9' => rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c)),
            _ => Some(first.len_utf8()),
        };
        let (token, after) = rest.split_at(end.unwrap_or(rest.len()));
        // Rust reads more as numbers than JSON has.
        let is_json = || serde_json::from_str::<serde::de::IgnoredAny>(token).is_ok();
        out.push_str(match token.parse::<f64>() {
            Ok(number) if number.is_infinite() && is_json() => {
                if number > 0.0 {
                    "1e308"
                } else {
                    "-1e308"
                }
            }
            _ => token,
        });
        rest = after;
    }
    out
}

/// Where the string ends that begins `text`.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Whether a file starts with a byte order mark.
pub(crate) fn starts_with_bom(path: &Path) -> bool {
    bytes(path).is_ok_and(|bytes| bytes.is_some_and(|bytes| bytes.starts_with(b"\xef\xbb\xbf")))
}

/// A file's content, or `Null` if it can't be read; for findings, not for rules.
pub(crate) fn read_or_nothing(path: &Path, syntax: Syntax) -> Value {
    read(path, syntax).ok().flatten().unwrap_or_default()
}

/// The value at a path of keys.
pub(crate) fn at<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a Value> {
    keys.iter().try_fold(value, |value, key| value.get(key))
}

/// The strings in an array at a path of keys; without an array, none.
pub(crate) fn strings<'a>(value: &'a Value, keys: &[&str]) -> Vec<&'a str> {
    at(value, keys).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The rules in a list at a path of keys. If a list that forbids or asks isn't a list of strings, its file is broken:
/// what the user meant to prevent is unknown.
pub(crate) fn rule_list<'a>(
    set: &mut RuleSet,
    file: &Path,
    value: &'a Value,
    keys: &[&str],
    effect: Effect,
) -> Vec<&'a str> {
    let mut node = value;
    for (depth, key) in keys.iter().enumerate() {
        if !node.is_object() && effect != Effect::Allow {
            let place = keys.get(..depth).filter(|keys| !keys.is_empty()).map(|keys| keys.join("."));
            mark_broken(set, file, place.as_deref().unwrap_or("the file"), "an object", node);
        }
        match node.get(key) {
            None | Some(Value::Null) => return Vec::new(),
            Some(found) => node = found,
        }
    }
    let key = keys.join(".");
    let Some(list) = node.as_array() else {
        if effect != Effect::Allow {
            mark_broken(set, file, &key, "a list of texts", node);
        }
        return Vec::new();
    };
    if let (true, Some((at, odd))) =
        (effect != Effect::Allow, list.iter().enumerate().find(|(_, entry)| !entry.is_string()))
    {
        mark_broken(set, file, &format!("{key}[{at}]"), "a text", odd);
    }
    list.iter().filter_map(Value::as_str).collect()
}

/// Marks `file` as broken because of an unexpected value at `key`. Once per key.
pub(crate) fn mark_broken(set: &mut RuleSet, file: &Path, key: &str, expected: &str, found: &Value) {
    let found = match found {
        Value::Null => "null",
        Value::Bool(_) => "a yes or no",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    let reason = format!("`{key}` must be {expected} and is {found}");
    let layer = BrokenLayer { path: file.to_path_buf(), reason };
    if !set.broken.contains(&layer) {
        set.broken.push(layer);
    }
}

/// A finding for a file that the agent itself can't read.
pub(crate) fn unreadable_finding(path: &Path, reason: Sentence, consequence: Sentence) -> Finding {
    Finding {
        level: Level::Broken,
        what: messages::unreadable(path, reason, consequence),
        remedy: messages::repair_by_hand(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_syntax_accepts_what_its_hosts_accept() {
        let comment = b"{\"a\":1 // x\n}".as_slice();
        let comma = b"{\"a\":1,}".as_slice();
        for (syntax, comment_ok, comma_ok) in
            [(Syntax::Strict, false, false), (Syntax::Comments, true, false), (Syntax::Jsonc, true, true)]
        {
            assert_eq!(parse(comment, syntax).is_ok(), comment_ok, "{syntax:?}");
            assert_eq!(parse(comma, syntax).is_ok(), comma_ok, "{syntax:?}");
            assert_eq!(parse(b"\xef\xbb\xbf{}", syntax), Ok(Some(json!({}))));
            assert_eq!(parse(b" \n", syntax), Ok(None));
            assert!(parse(b"{'a':1}", syntax).is_err());
            let cut = br#"{"history":"cut \ud83d","deny":["\ud83d\ude00"]}"#;
            let read = json!({"history": "cut \u{fffd}", "deny": ["\u{1f600}"]});
            assert_eq!(parse(cut, syntax), Ok(Some(read)), "{syntax:?}");
            let large = br#"{"n":[1e999,-1e999,2],"deny":["a \" 1e999","1e999"]}"#;
            let read = json!({"n": [1e308, -1e308, 2], "deny": ["a \" 1e999", "1e999"]});
            assert_eq!(parse(large, syntax), Ok(Some(read)), "{syntax:?}");
            for bad in ["{\"n\":1e999", "[-inf]", "[-Infinity]", "[01e999]", "[1.e999]"] {
                assert!(parse(bad.as_bytes(), syntax).is_err(), "{syntax:?}: {bad}");
            }
            assert!(parse(b"\xff\xfe", syntax).is_err());
        }
        assert_eq!(parse(b"[a]\nb = [1]", Syntax::Toml), Ok(Some(json!({"a":{"b":[1]}}))));
        assert!(parse(b"a = ", Syntax::Toml).is_err());
    }
}
