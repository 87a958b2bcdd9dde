//! Files that are Plimsoll's as a whole: a plugin, a skill. Owns how such a file is told from someone else's.

use crate::Refusal;
use crate::outcome::EditOutcome;
use crate::outcome::EntryState;
use crate::receipt::Trace;
use std::collections::HashSet;

/// Marks a file as Plimsoll's own, in a comment or field within its first lines. A later version may replace such a file,
/// and disconnecting deletes it.
pub const OWNED_MARK: &str = "plimsoll:owned";

/// How many lines are searched for the mark, so that a text that merely mentions it doesn't count.
const MARK_LINES: usize = 10;

/// Whether a text has the mark.
pub(crate) fn is_marked(text: &str) -> bool {
    text.lines().take(MARK_LINES).any(|line| line.contains(OWNED_MARK))
}

/// Whether most lines of `wanted` are in the text: one of Plimsoll's files that somebody wrote into, mark or no mark.
fn has_most_of(text: &str, wanted: &str) -> bool {
    let here: HashSet<&str> = text.lines().map(str::trim).collect();
    let wanted = wanted.lines().map(str::trim).filter(|line| line.len() > 3);
    let (kept, gone): (Vec<&str>, Vec<&str>) = wanted.partition(|line| here.contains(line));
    kept.len() > gone.len()
}

pub(crate) fn apply_edit(text: &str, exists: bool, wanted: &str) -> Result<EditOutcome, Refusal> {
    if exists && text == wanted {
        return Ok(EditOutcome::unchanged(text));
    }
    let marked = is_marked(text) && is_marked(wanted);
    if exists && !marked && has_most_of(text, wanted) {
        return Err(Refusal::Edited);
    }
    if exists && !text.trim().is_empty() && !marked {
        return Err(Refusal::Foreign { at: "the whole file".to_owned() });
    }
    Ok(EditOutcome { text: wanted.to_owned(), trace: Trace::default(), had_ours: marked })
}

pub(crate) fn entry_state(text: &str, exists: bool, wanted: &str) -> EntryState {
    if !exists || text.trim().is_empty() && !wanted.trim().is_empty() {
        EntryState::Absent
    } else if text == wanted {
        EntryState::Ours
    } else if is_marked(text) && is_marked(wanted) || has_most_of(text, wanted) {
        EntryState::Differs
    } else {
        EntryState::Foreign
    }
}
