//! What tells one agent's lines from another's: a row that the agent's own folder fills in, and what all of those readers
//! need. What a reader does not recognise is no error: it is a newer version's business. Knows no agent.

use std::path::Path;

use serde_json::Value;

use crate::calls::State;
use crate::record::Record;

/// The format of a file of lines, or of a document of messages.
#[derive(Debug)]
pub struct Format {
    /// Its name; no two have the same.
    pub name: &'static str,
    /// Whether a file is one JSON document, of which each message is read like a line.
    pub document: bool,
    /// Reads one line: one parsed line in, records out.
    pub read: fn(line: &Value, state: &mut State, out: &mut Vec<Record>),
    /// What the person typed, of one parsed line: nothing that a tool, a page, a hook or the agent itself put there.
    pub prompts: fn(line: &Value, out: &mut Vec<String>),
    /// The session's id as the file's path says it, for files whose first lines are lost.
    pub session: fn(path: &Path) -> String,
    /// How many characters of its session's id a file's path has, from the beginning on; `None` where a file may hold many sessions.
    pub named_by: Option<usize>,
}

impl Format {
    /// A file of lines that is named after its session.
    pub const fn lines(
        name: &'static str,
        read: fn(line: &Value, state: &mut State, out: &mut Vec<Record>),
    ) -> Self {
        Self { name, document: false, read, prompts: |_, _| {}, session: stem, named_by: Some(usize::MAX) }
    }
}

/// The name of a file without its ending.
pub fn stem(path: &Path) -> String {
    path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Longest id or name that is kept.
const NAME_BYTES: usize = 256;

/// An id or a name, cut.
pub fn name(text: &str) -> String {
    text[..text.floor_char_boundary(NAME_BYTES)].to_owned()
}

/// A command in any of the forms in which tools take it: text, or words of which `sh -c` is left out.
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
