//! Files that a session has read whole: when one is read again unchanged, a line says so instead of the text.
//!
//! Owns one small file per session with hashes only. It is forgotten when the conversation is compacted or cleared,
//! since the text is then no longer in it, and never used for subagents, whose conversation is another.

use std::path::{Path, PathBuf};

use agents::{Event, Output, Verdict};
use home::Home;
use serde_json::{Value, json};

use crate::decide::{Decided, Saved};
use crate::facts::Facts;

/// The name under which this is listed in figures and switched off.
const UNCHANGED: &str = "unchanged-file";
/// Texts up to this size, in bytes, are shown again: the line would save nothing.
const SMALL: usize = 1_000;
/// Files remembered per session.
const MAX_FILES: usize = 2_000;

/// The verdict for the reading of `path`, if this session has its text already.
pub(crate) fn again(
    home: &Home,
    event: &Event,
    path: &Path,
    partial: bool,
    output: &Output,
    facts: &Facts,
) -> Option<Decided> {
    if partial || event.subagent || output.failed || output.text.len() < SMALL || output.full_in.is_some() {
        return None;
    }
    if facts.saving.as_ref().is_none_or(|saving| saving.filters.is_off(UNCHANGED)) {
        return None;
    }
    let file = file_of(home, event)?;
    let key = facts.cwd.join(path).to_string_lossy().into_owned();
    let hash = blake3::hash(output.text.as_bytes()).to_hex().to_string();
    let mut known: Value =
        std::fs::read(&file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or(json!({}));
    let files = known.as_object_mut()?;
    if files.get(&key).and_then(Value::as_str) == Some(&hash) {
        let lines = output.text.lines().count();
        let text = format!(
            "{} is unchanged since it was read in this conversation ({lines} lines).",
            path.display()
        );
        return Some(Decided {
            verdict: Verdict::Replace { text },
            because: Some(format!("filter {UNCHANGED}")),
            once: None,
            saved: Some(Saved { filter: UNCHANGED.into(), raw_bytes: output.text.len() as u64 }),
        });
    }
    if files.len() < MAX_FILES || files.contains_key(&key) {
        files.insert(key, json!(hash));
        let _ = home::private_dir(file.parent()?);
        let _ = home::write_private(&file, known.to_string().as_bytes());
    }
    None
}

/// Forgets what the session has read.
pub(crate) fn forget(home: &Home, event: &Event) {
    if let Some(file) = file_of(home, event) {
        let _ = std::fs::remove_file(file);
    }
}

fn file_of(home: &Home, event: &Event) -> Option<PathBuf> {
    let session = event.session.as_deref().filter(|session| !session.is_empty())?;
    let name = blake3::hash(format!("{}\n{session}", event.agent).as_bytes()).to_hex();
    Some(home.cache_dir().join("reads").join(format!("{}.json", &name.as_str()[..24])))
}
