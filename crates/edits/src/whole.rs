//! Files that are wholly ours: a plugin, a skill. Knows how to tell such a file from a foreign one.

use crate::Refusal;
use crate::receipt::Trace;
use crate::step::Presence;
use crate::step::Step;

/// The words that mark a file as wholly ours, in a comment or field within its first lines. A file that
/// carries them may be replaced by a later version of ours and deleted when we leave.
pub const OWNED_MARK: &str = "plimsoll:owned";

/// How far down the mark is looked for, so that a text which merely talks about it is not taken for ours.
const MARK_LINES: usize = 10;

/// Whether a text carries the mark.
pub(crate) fn is_marked(text: &str) -> bool {
    text.lines().take(MARK_LINES).any(|line| line.contains(OWNED_MARK))
}

pub(crate) fn edited(text: &str, exists: bool, wanted: &str) -> Result<Step, Refusal> {
    if exists && text == wanted {
        return Ok(Step::unchanged(text));
    }
    let marked = is_marked(text) && is_marked(wanted);
    if exists && !text.trim().is_empty() && !marked {
        return Err(Refusal::Foreign { at: "the whole file".to_owned() });
    }
    Ok(Step { text: wanted.to_owned(), trace: Trace::default(), had_ours: marked })
}

pub(crate) fn presence(text: &str, exists: bool, wanted: &str) -> Presence {
    if !exists || text.trim().is_empty() && !wanted.trim().is_empty() {
        Presence::Absent
    } else if text == wanted {
        Presence::Ours
    } else if is_marked(text) && is_marked(wanted) {
        Presence::Differs
    } else {
        Presence::Foreign
    }
}
