//! Several memories in one Markdown file, as an export writes them: each with its own front matter, whose first keys are
//! always the same, which is how the beginning of a memory is told from a rule or from front matter in a text. A line of a
//! text that looks like such a beginning is written with a backslash, which Markdown shows as the line itself.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::exported::Exported;
use super::front_matter::{FrontMatter, front_matter, head, quoted_value};
use crate::domain::Status;

/// The keys that a memory of an export begins with, in this order.
const FIRST_KEYS: [&str; 3] = ["id: ", "namespace: ", "domain: "];
/// The line around front matter.
const RULE: &str = "---";

/// Writes memories as one text.
pub(super) fn write(memories: &[Exported]) -> String {
    let mut out = String::new();
    for one in memories {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&front_matter(&one.memory, &more(one)));
        out.push('\n');
        out.push_str(&marked(&one.memory.content));
        // Always added, so that an import knows that it isn't part of the text.
        out.push('\n');
    }
    out
}

/// A memory's properties beyond those of a shared file, without default values.
fn more(one: &Exported) -> Vec<(&'static str, String)> {
    let memory = &one.memory;
    let mut out = Vec::new();
    for (key, value) in [("project", &memory.project), ("branch", &memory.branch)] {
        out.extend(value.as_deref().map(|value| (key, quoted_value(value))));
    }
    if memory.status != Status::Active {
        out.push(("status", memory.status.as_str().to_owned()));
    }
    out.push(("trust", memory.trust.as_str().to_owned()));
    if !one.links.is_empty() {
        out.push(("links", Value::from(one.link_words()).to_string()));
    }
    out
}

/// The memories of an exported text as the values that a JSON export has; `None` if it isn't an export.
pub(super) fn read(text: &str) -> Option<Vec<Value>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut begins = beginnings(text).filter(|(_, marks)| *marks == 0).map(|(at, _)| at).peekable();
    begins.next_if_eq(&0)?;
    let mut out = Vec::new();
    let mut from = 0;
    loop {
        let next = begins.next();
        let part = &text[from..next.unwrap_or(text.len())];
        // The line between two memories.
        let part = if next.is_some() { without_line_end(part, part) } else { part };
        out.push(value(part));
        match next {
            Some(at) => from = at,
            None => return Some(out),
        }
    }
}

fn value(part: &str) -> Value {
    let (front, text) = head(part).unwrap_or((FrontMatter::default(), part));
    let text = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text);
    let mut out = Map::new();
    for key in
        ["id", "namespace", "domain", "status", "trust", "project", "branch", "source", "file", "author"]
    {
        if let Some(value) = front.one(key) {
            out.insert(key.into(), value.into());
        }
    }
    for (key, name) in [("created", "created_at"), ("expires", "expires_at")] {
        if let Some(value) = front.one(key) {
            out.insert(name.into(), value.into());
        }
    }
    for key in ["tags", "links"] {
        out.insert(key.into(), front.all(key).into());
    }
    out.insert("content".into(), unmarked(without_line_end(text, part)).into());
    Value::Object(out)
}

/// A text without its last line end, which is as those of the memory's front matter are.
fn without_line_end<'a>(text: &'a str, front: &str) -> &'a str {
    let end = if front.starts_with("---\r") { "\r\n" } else { "\n" };
    text.strip_suffix(end).unwrap_or(text)
}

/// The text with one more backslash before each line that looks like the beginning of a memory.
fn marked(text: &str) -> Cow<'_, str> {
    edited(text, |_| true, |line| format!("\\{line}"))
}

/// The text as it was before it was marked.
fn unmarked(text: &str) -> Cow<'_, str> {
    edited(text, |marks| marks > 0, |line| line[1..].to_owned())
}

/// The text with the lines changed that look like the beginning of a memory.
fn edited(text: &str, which: impl Fn(usize) -> bool, edit: impl Fn(&str) -> String) -> Cow<'_, str> {
    let mut out = String::new();
    let mut done = 0;
    for (at, _) in beginnings(text).filter(|(_, marks)| which(*marks)) {
        let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
        out.push_str(&text[done..at]);
        out.push_str(&edit(&text[at..end]));
        done = end;
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

/// Where lines begin that look like the beginning of a memory, each with the number of its backslashes.
fn beginnings(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let begin = at;
        at += line.len();
        let rule = line.trim_start_matches('\\');
        let keys = || text[at..].lines().chain(std::iter::repeat("")).zip(FIRST_KEYS);
        (rule.trim_end() == RULE && keys().all(|(line, key)| line.starts_with(key)))
            .then_some((begin, line.len() - rule.len()))
    })
}
