//! Reads and writes a memory as Markdown with front matter: plain `key: value` lines that people can read and merge.
//! A subset of YAML: a value is a word, a quoted text or a list, in brackets or with one hyphen per line.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::domain::{Memory, iso};

/// The key with the ids of what a shared memory replaced.
pub(super) const SUPERSEDES: &str = "supersedes";

/// The keys and values before a text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct FrontMatter {
    values: BTreeMap<String, Vec<String>>,
}

impl FrontMatter {
    /// The value of a key; the first one of a list.
    pub(super) fn one(&self, key: &str) -> Option<&str> {
        self.values.get(key)?.first().map(String::as_str).filter(|value| !value.is_empty())
    }

    /// All values of a key; a value with commas is split.
    pub(super) fn all(&self, key: &str) -> Vec<String> {
        let Some(values) = self.values.get(key) else { return Vec::new() };
        match values.as_slice() {
            [one] => {
                one.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
            }
            many => many.to_vec(),
        }
    }
}

/// Splits a file into front matter and text. Without front matter the whole file is text.
pub(super) fn split_front_matter(text: &str) -> (FrontMatter, &str) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    head(text).map_or((FrontMatter::default(), text), |(front, rest)| {
        (front, rest.trim_start_matches(['\r', '\n']))
    })
}

/// The front matter at the beginning of a text and what comes after it, unchanged; `None` if there is none.
pub(super) fn head(text: &str) -> Option<(FrontMatter, &str)> {
    let rest = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let mut front = FrontMatter::default();
    let mut at = 0;
    let mut key = String::new();
    for line in rest.split_inclusive('\n') {
        at += line.len();
        let line = line.trim_end();
        if line == "---" || line == "..." {
            return Some((front, &rest[at..]));
        }
        if let Some(item) = line.trim_start().strip_prefix("- ") {
            front.values.entry(key.clone()).or_default().push(plain(item));
        } else if let Some((name, value)) =
            line.split_once(':').filter(|(name, _)| !name.starts_with([' ', '\t', '#']))
        {
            name.trim().clone_into(&mut key);
            let value = value.trim();
            let values = match value.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
                Some(_) if serde_json::from_str::<Vec<String>>(value).is_ok() => {
                    serde_json::from_str(value).unwrap_or_default()
                }
                Some(inner) => inner.split(',').map(plain).filter(|value| !value.is_empty()).collect(),
                None if value.is_empty() => Vec::new(),
                None => vec![plain(value)],
            };
            front.values.insert(key.clone(), values);
        }
    }
    // An unclosed block isn't front matter: the hyphens are part of the text.
    None
}

fn plain(value: &str) -> String {
    let value = value.trim();
    if let Ok(Value::String(text)) = serde_json::from_str(value) {
        return text;
    }
    let quoted = value.len() > 1 && value.starts_with('\'') && value.ends_with('\'');
    if quoted { value[1..value.len() - 1].replace("''", "'") } else { value.to_owned() }
}

/// A value, quoted where needed so that it reads back unchanged.
pub(super) fn quoted_value(value: &str) -> String {
    let simple =
        value.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '.' | '@' | ' ' | ':'))
            && !value.starts_with(['-', ' ', '@'])
            && !value.ends_with(' ');
    if simple && !value.is_empty() { value.to_owned() } else { Value::from(value).to_string() }
}

/// Renders a memory as a file, with the ids of the shared memories that it replaced.
pub(super) fn markdown(memory: &Memory, replaced: &[String]) -> String {
    let ids = (!replaced.is_empty()).then(|| (SUPERSEDES, Value::from(replaced).to_string()));
    let mut out = front_matter(memory, ids.as_slice());
    out.push('\n');
    out.push_str(&memory.content);
    if !memory.content.ends_with('\n') {
        out.push('\n');
    }
    out
}

/// A memory's front matter, with further keys and their values as they should be written.
pub(super) fn front_matter(memory: &Memory, more: &[(&str, String)]) -> String {
    let mut out = String::from("---\n");
    let mut put = |key: &str, value: &str| {
        let _ = writeln!(out, "{key}: {value}");
    };
    put("id", &memory.id);
    put("namespace", memory.namespace.as_str());
    put("domain", memory.domain.as_str());
    if !memory.tags.is_empty() {
        put("tags", &Value::from(memory.tags.clone()).to_string());
    }
    for (key, value) in [("source", &memory.source), ("file", &memory.file), ("author", &memory.author)] {
        if let Some(value) = value {
            put(key, &quoted_value(value));
        }
    }
    for (key, value) in more {
        put(key, value);
    }
    put("created", &iso(memory.created_ms));
    if let Some(at) = memory.expires_ms {
        put("expires", &iso(at));
    }
    out.push_str("---\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_of_many_hands_is_read() {
        let text = "---\r\ntitle: \"A: b\"\ntags: [one, 'two three']\naliases:\n  - x\n  - 'it''s'\n# no\nempty:\n---\n\n# Body\n---\n";
        let (front, body) = split_front_matter(text);
        assert_eq!(body, "# Body\n---\n");
        assert_eq!(
            (front.one("title"), front.all("tags")),
            (Some("A: b"), vec!["one".into(), "two three".into()])
        );
        assert_eq!((front.all("aliases"), front.one("empty")), (vec!["x".to_owned(), "it's".into()], None));
        for plain in ["", "no front", "---\nnever: closed\n", "--- \nx: y\n---\n"] {
            assert_eq!(split_front_matter(plain), (FrontMatter::default(), plain));
        }
        assert_eq!(split_front_matter("---\ntags: a, b\n---\n").0.all("tags"), ["a", "b"]);
    }
}
