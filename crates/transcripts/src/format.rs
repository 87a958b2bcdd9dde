//! What distinguishes agents' lines: a row that the agent's own folder fills in, and helpers that all of those parsers need.
//! Unknown content isn't an error: it belongs to a newer version. Knows no agent.

use std::path::Path;

use serde_json::Value;

use crate::record::Record;
use crate::state::State;

/// The format of a file of lines, or of a document of messages.
#[derive(Debug)]
pub struct Format {
    /// Its unique name.
    pub name: &'static str,
    /// Whether a file is one JSON document whose messages are read like lines.
    pub document: bool,
    /// Reads one parsed line and adds its records.
    pub read: fn(line: &Value, state: &mut State, out: &mut Vec<Record>),
    /// Adds what the user typed from one parsed line: nothing from tools, pages, hooks or the agent itself.
    pub prompts: fn(line: &Value, out: &mut Vec<String>),
    /// The session's id from the file's path, for files whose first lines are lost.
    pub session: fn(path: &Path) -> String,
    /// How many leading characters of the session's id the path contains; `None` if a file may contain many sessions.
    pub named_by: Option<usize>,
}

impl Format {
    /// A file of lines, named after its session.
    pub const fn lines(
        name: &'static str,
        read: fn(line: &Value, state: &mut State, out: &mut Vec<Record>),
    ) -> Self {
        Self { name, document: false, read, prompts: |_, _| {}, session: stem, named_by: Some(usize::MAX) }
    }
}

/// A file's name without its extension.
pub fn stem(path: &Path) -> String {
    path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The longest id or name.
const NAME_BYTES: usize = 256;

/// An id or a name, cut to the limit.
pub fn name(text: &str) -> String {
    text[..text.floor_char_boundary(NAME_BYTES)].to_owned()
}

/// A command in any form that tools take: text, or words, without a leading `sh -c`.
pub fn command(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            Some(match words.as_slice() {
                [shell, flag, script] if is_shell(shell) && flag.starts_with('-') && flag.contains('c') => {
                    (*script).to_owned()
                }
                words => words.join(" "),
            })
        }
        _ => None,
    }
}

fn is_shell(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    matches!(name, "bash" | "sh" | "zsh" | "dash" | "fish" | "ksh")
}
