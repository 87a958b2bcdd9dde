//! A file's text while it is edited: strips the byte order mark, passes each edit to the dialect's module, restores the
//! mark.

use crate::edit::{Dialect, Edit, Format};
use crate::outcome::{EditOutcome, EntryState};
use crate::receipt::Trace;
use crate::{Refusal, block, json, owned_file, toml};
use serde_json::Value;

const BOM: &str = "\u{feff}";

/// The text of a file without its byte order mark.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) text: String,
    pub(crate) bom: bool,
}

impl Draft {
    pub(crate) fn open(bytes: &[u8]) -> Result<Draft, Refusal> {
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            return Err(Refusal::NotUtf8 { reason: "it looks like UTF-16".to_owned() });
        }
        let text = std::str::from_utf8(bytes).map_err(|error| Refusal::NotUtf8 {
            reason: format!("first odd byte at offset {}", error.valid_up_to()),
        })?;
        let (bom, text) = text.strip_prefix(BOM).map_or((false, text), |rest| (true, rest));
        Ok(Draft { text: text.to_owned(), bom })
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mark = if self.bom { BOM } else { "" };
        [mark.as_bytes(), self.text.as_bytes()].concat()
    }
}

/// The text after one edit.
pub(crate) fn apply_edit(
    text: &str,
    exists: bool,
    format: Format,
    edit: &Edit,
) -> Result<EditOutcome, Refusal> {
    match edit {
        Edit::Whole { text: wanted } => owned_file::apply_edit(text, exists, wanted),
        Edit::Block { id, text: body, comment } if !format.dialect.is_json() => {
            let step = block::apply_edit(text, id, body, *comment)?;
            if format.dialect == Dialect::Toml && !toml::equal(text, &step.text) {
                return Err(Refusal::NotProven {
                    at: edit.place(),
                    reason: "the block is read as settings".to_owned(),
                });
            }
            Ok(step)
        }
        _ if format.dialect.is_json() => json::apply_edit(text, format.dialect, edit),
        _ if format.dialect == Dialect::Toml => toml::apply_edit(text, edit),
        _ => Err(Refusal::Unsupported {
            reason: format!("{} can't be set in a text file; only marked blocks can", edit.place()),
        }),
    }
}

/// The text without what one edit put there.
pub(crate) fn remove_edit(text: &str, format: Format, edit: &Edit, trace: &Trace) -> Result<String, Refusal> {
    match edit {
        Edit::Whole { .. } => Ok(text.to_owned()),
        Edit::Block { id, text: body, comment } if !format.dialect.is_json() => {
            block::remove_edit(text, id, body, *comment)
        }
        _ if format.dialect.is_json() => json::remove_edit(text, format.dialect, edit, trace),
        _ if format.dialect == Dialect::Toml => toml::remove_edit(text, edit),
        _ => Ok(text.to_owned()),
    }
}

/// The text without the empty leftovers that Plimsoll created.
pub(crate) fn tidy(text: &str, format: Format, trace: &Trace, all_defaults: bool) -> Result<String, Refusal> {
    match format.dialect {
        Dialect::Json | Dialect::JsonComments | Dialect::Jsonc => {
            json::tidy(text, format.dialect, trace, all_defaults)
        }
        Dialect::Toml => toml::tidy(text, trace),
        Dialect::Markdown => Ok(text.to_owned()),
    }
}

/// Where the text has one of Plimsoll's entries, at any depth. An unreadable text has none that can be named.
pub(crate) fn remains(text: &str, format: Format, edits: &[Edit]) -> Vec<String> {
    if format.dialect.is_json() {
        return json::remains(text, format.dialect, edits).unwrap_or_default();
    }
    let left = |edit: &&Edit| {
        matches!(
            entry_state(text, true, format, edit),
            Ok(EntryState::Ours | EntryState::OursWithExtras | EntryState::Differs)
        )
    };
    // A key to rename and a default aren't entries; a whole file has its own answer.
    let entry = |edit: &&Edit| matches!(edit, Edit::Set { .. } | Edit::Put { .. } | Edit::Block { .. });
    edits.iter().filter(entry).filter(left).map(Edit::place).collect()
}

/// The value at `path`, in a dialect that has values.
pub(crate) fn value_at(text: &str, format: Format, path: &[String]) -> Option<Value> {
    match format.dialect {
        Dialect::Json | Dialect::JsonComments | Dialect::Jsonc => json::value_at(text, format.dialect, path),
        Dialect::Toml => toml::value_at(text, path),
        Dialect::Markdown => None,
    }
}

/// Whether a text has nothing left that is worth a file.
pub(crate) fn is_blank(text: &str, format: Format) -> bool {
    if format.dialect.is_json() { json::is_blank(text) } else { text.trim().is_empty() }
}

/// Whether two texts mean the same to the agent.
pub(crate) fn equal(a: &str, b: &str, format: Format) -> bool {
    match format.dialect {
        Dialect::Json | Dialect::JsonComments | Dialect::Jsonc => json::equal(a, b, format.dialect),
        Dialect::Toml => toml::equal(a, b),
        Dialect::Markdown => a.trim_end() == b.trim_end(),
    }
}

/// The states of several edits' entries.
pub(crate) fn entry_states(
    text: &str,
    exists: bool,
    format: Format,
    edits: &[&Edit],
) -> Vec<Result<EntryState, Refusal>> {
    let as_a_whole = |edit: &&Edit| matches!(edit, Edit::Whole { .. } | Edit::Block { .. });
    if format.dialect.is_json() && !edits.iter().any(as_a_whole) {
        return json::entry_states(text, format.dialect, edits);
    }
    edits.iter().map(|edit| entry_state(text, exists, format, edit)).collect()
}

/// The state of an edit's entry.
pub(crate) fn entry_state(
    text: &str,
    exists: bool,
    format: Format,
    edit: &Edit,
) -> Result<EntryState, Refusal> {
    match edit {
        Edit::Whole { text: wanted } => Ok(owned_file::entry_state(text, exists, wanted)),
        Edit::Block { id, text: body, comment } => block::entry_state(text, id, body, *comment),
        _ if format.dialect.is_json() => json::entry_state(text, format.dialect, edit),
        _ if format.dialect == Dialect::Toml => toml::entry_state(text, edit),
        _ => Ok(EntryState::Absent),
    }
}
