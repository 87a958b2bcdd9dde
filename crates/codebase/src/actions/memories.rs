//! Memories about what a search found, beside its answers.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use system::{Remembered, Subject};

use super::ActionReply;
use super::retrieval::SearchResults;

/// Asks for the memories about a subject.
pub(crate) type Recall<'a> = &'a dyn Fn(&Subject) -> Vec<Remembered>;

/// The number that is shown.
pub(crate) const SHOWN: usize = 3;
/// A line has no more of a memory's text.
const MAX_LINE_CHARS: usize = 200;

/// Adds the memories about these topics to a reply, each asked for separately.
pub(crate) fn add(reply: &mut ActionReply, topics: &[&str], remember: Recall<'_>) {
    let mut memories: Vec<Remembered> = Vec::new();
    for words in topics {
        let found = remember(&Subject { words: (*words).to_owned(), ..Subject::default() });
        let new = found.into_iter().filter(|one| !memories.iter().any(|known| known.address == one.address));
        let new: Vec<Remembered> = new.collect();
        memories.extend(new);
        if memories.len() >= SHOWN {
            break;
        }
    }
    memories.truncate(SHOWN);
    if !memories.is_empty() {
        reply.data["relatedMemories"] = memories.iter().map(shown).collect();
        reply.lines.extend(memories.iter().map(|memory| format!("remembered: {}", line(memory))));
    }
}

/// The memories of these answers, failures first.
pub(super) fn of(found: &SearchResults, remember: Recall<'_>) -> Vec<Remembered> {
    let mut seen = BTreeSet::new();
    let files = found.answers.iter().map(|answer| answer.path.clone());
    let files: Vec<String> = files.filter(|file| seen.insert(file.clone())).collect();
    let mut memories = remember(&Subject { words: found.asked.clone(), files, ..Subject::default() });
    memories.sort_by_key(|memory| !memory.is_failure());
    memories.truncate(SHOWN);
    memories
}

/// As a field of a reply.
pub(super) fn shown(memory: &Remembered) -> Value {
    let mut out = json!({
        "type": memory.kind,
        "memory": memory.text,
        "uri": memory.address,
        "date": memory.day,
        "confidence": super::round(memory.confidence),
    });
    if memory.stale {
        out["stale"] = true.into();
    }
    out
}

/// In one line, as a record and not as something to do.
pub(super) fn line(memory: &Remembered) -> String {
    let text = memory.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = text.chars().take(MAX_LINE_CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("{} of {}: \"{short}\" ({})", memory.kind, memory.day, memory.address)
}
