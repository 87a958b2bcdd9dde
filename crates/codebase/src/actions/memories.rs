//! Memories about what a search found, beside its answers.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use system::{Remembered, Subject};

use super::ActionReply;
use super::retrieval::SearchResults;
use crate::index::Index;

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
    // Whether the asker may read the files isn't known here.
    memories.iter_mut().for_each(hide_place);
    if !memories.is_empty() {
        reply.data["relatedMemories"] = memories.iter().map(as_json).collect();
        reply.lines.extend(memories.iter().map(|memory| format!("remembered: {}", line(memory))));
    }
}

/// The memories of these answers, failures first. One that is about something that is gone says so.
pub(super) fn of(index: &Index<'_>, found: &SearchResults, remember: Recall<'_>) -> Vec<Remembered> {
    let mut seen = BTreeSet::new();
    let files = found.answers.iter().map(|answer| answer.path.clone());
    let files: Vec<String> = files.filter(|file| seen.insert(file.clone())).collect();
    let mut symbols: Vec<String> = found.answers.iter().filter_map(|answer| answer.symbol.clone()).collect();
    symbols.push(found.asked.trim().to_owned());
    let mut memories =
        remember(&Subject { words: found.asked.clone(), files, symbols, ..Subject::default() });
    for memory in &mut memories {
        memory.gone = missing_subject(index, memory);
        memory.stale |= memory.gone.is_some();
        if memory.file.as_ref().is_some_and(|path| !index.shows(path)) {
            hide_place(memory);
        }
    }
    memories.sort_by_key(|memory| !memory.is_failure());
    memories.truncate(SHOWN);
    memories
}

fn hide_place(memory: &mut Remembered) {
    (memory.file, memory.symbol) = (None, None);
}

/// The file or the definition of a memory, if it is no longer there.
fn missing_subject(index: &Index<'_>, memory: &Remembered) -> Option<String> {
    let path = memory.file.as_deref().filter(|path| index.status.is_fresh() && index.shows(path))?;
    if !index.place.file(path).exists() {
        return Some(format!("{path} is gone"));
    }
    let symbol = memory.symbol.as_deref()?;
    // What a file defines is known if a grammar reads it.
    code::language::by_name(&index.file(path)?.language)?.grammar()?;
    let all = code::refs::definitions_named(index.store, index.reader, symbol).ok()?;
    (!all.iter().any(|one| one.path == path)).then(|| format!("{path} no longer defines {symbol}"))
}

/// As a field of a reply.
pub(super) fn as_json(memory: &Remembered) -> Value {
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
    if let Some(gone) = &memory.gone {
        out["staleReason"] = gone.clone().into();
    }
    if let Some(file) = &memory.file {
        out["scope"] = if memory.symbol.is_some() { "symbol" } else { "file" }.into();
        out["file"] = file.clone().into();
    }
    if let Some(symbol) = &memory.symbol {
        out["symbol"] = symbol.clone().into();
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
    let gone = memory.gone.as_ref().map(|gone| format!("; {gone}")).unwrap_or_default();
    format!("{} of {}: \"{short}\" ({}{gone})", memory.kind, memory.day, memory.address)
}
