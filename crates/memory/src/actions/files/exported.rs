//! A memory as it is written into a file, whatever the format.

use serde_json::Value;

use crate::actions::reply_json::full_memory;
use crate::domain::{LinkKind, Memory};

/// A memory to write, with the memories that it links to.
pub(super) struct Exported {
    pub(super) memory: Memory,
    pub(super) links: Vec<(LinkKind, String)>,
}

impl Exported {
    /// Its links as words: `supersedes 1a2b3c`.
    pub(super) fn link_words(&self) -> Vec<String> {
        self.links.iter().map(|(kind, to)| format!("{} {to}", kind.as_str())).collect()
    }

    /// As in a JSON file.
    pub(super) fn json(&self) -> Value {
        let mut out = full_memory(&self.memory);
        if !self.links.is_empty() {
            out.insert("links".into(), self.link_words().into());
        }
        Value::Object(out)
    }
}
