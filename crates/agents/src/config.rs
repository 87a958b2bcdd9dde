//! Reading agents' own configuration files for what they say: rules, switches, servers. Read-only and
//! forgiving in size, strict in syntax; writing is `edits`' business. It does not know any agent's keys.

use std::io::ErrorKind;
use std::path::Path;

use contract::Sentence;
use rules::{BrokenLayer, Effect, RuleSet};
use serde_json::Value;

use crate::{Finding, Level, messages};

/// Configuration files larger than this are not read: agents keep histories in theirs, but parsed they take ten times as
/// much memory.
pub(crate) const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// What the host's own parser accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// JSON and nothing else.
    Strict,
    /// JSON with comments.
    Comments,
    /// JSON with comments and trailing commas.
    Jsonc,
    /// TOML, handed back as the equal JSON value.
    Toml,
}

/// The content of a file: `Ok(None)` when it is not there or has nothing in it.
///
/// # Errors
/// A sentence part saying why the file cannot be used, without its name.
pub(crate) fn read(path: &Path, syntax: Syntax) -> Result<Option<Value>, Sentence> {
    match bytes(path)? {
        Some(bytes) => parse(&bytes, syntax),
        None => Ok(None),
    }
}

/// The bytes of a regular file of a size that such files have: `Ok(None)` when it is not there.
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

/// Whether a file starts with a byte order mark.
pub(crate) fn starts_with_mark(path: &Path) -> bool {
    bytes(path).is_ok_and(|bytes| bytes.is_some_and(|bytes| bytes.starts_with(b"\xef\xbb\xbf")))
}

/// The content of a file, or nothing where it cannot be read; for findings, not for rules.
pub(crate) fn read_or_nothing(path: &Path, syntax: Syntax) -> Value {
    read(path, syntax).ok().flatten().unwrap_or_default()
}

/// The value at a path of keys.
pub(crate) fn at<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a Value> {
    keys.iter().try_fold(value, |value, key| value.get(key))
}

/// The strings of an array at a path of keys; anything else is no strings.
pub(crate) fn strings<'a>(value: &'a Value, keys: &[&str]) -> Vec<&'a str> {
    at(value, keys).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The rules that a file lists at a path of keys. A list that forbids or asks and is none, or has something else than a
/// text in it, breaks its file: what a person wanted to keep from happening is not known.
pub(crate) fn listed<'a>(
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
            broken(set, file, place.as_deref().unwrap_or("the file"), "an object", node);
        }
        match node.get(key) {
            None | Some(Value::Null) => return Vec::new(),
            Some(found) => node = found,
        }
    }
    let key = keys.join(".");
    let Some(list) = node.as_array() else {
        if effect != Effect::Allow {
            broken(set, file, &key, "a list of texts", node);
        }
        return Vec::new();
    };
    if let (true, Some((at, odd))) =
        (effect != Effect::Allow, list.iter().enumerate().find(|(_, entry)| !entry.is_string()))
    {
        broken(set, file, &format!("{key}[{at}]"), "a text", odd);
    }
    list.iter().filter_map(Value::as_str).collect()
}

/// Notes that `file` has something else at `key` than rules can be read from. Once for each key.
pub(crate) fn broken(set: &mut RuleSet, file: &Path, key: &str, expected: &str, found: &Value) {
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

/// A finding for a file that the host itself cannot read.
pub(crate) fn unreadable(path: &Path, reason: Sentence, consequence: Sentence) -> Finding {
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
            assert!(parse(b"\xff\xfe", syntax).is_err());
        }
        assert_eq!(parse(b"[a]\nb = [1]", Syntax::Toml), Ok(Some(json!({"a":{"b":[1]}}))));
        assert!(parse(b"a = ", Syntax::Toml).is_err());
    }
}
