//! Shows more lines of a text that isn't a log, if there is room: failures first, names after them. Owns which lines
//! these are; `log` decides which ones are always shown.

use std::collections::HashSet;

use crate::data::template;
use crate::guard::must_stay;

use super::super::rare::{Entry, LONG};
use super::hash_without_times;

/// Lines with no more words than this are names or values rather than messages.
const NAMES: usize = 2;

/// Shows more lines from all parts, as many as fit: failures that all differ, and then lines of the kinds with hardly
/// a word beside their values, because a reader may look for any of them.
pub(super) fn samples(
    entries: &[Entry<'_>],
    kinds: &[(bool, template::Kind<'_>)],
    room: usize,
    shown: &mut [bool],
) {
    let used: usize = (0..entries.len()).filter(|at| shown[*at]).map(|at| entries[at].bytes(LONG)).sum();
    let Some(mut left) = room.checked_sub(used) else { return };
    let shown_lines = (0..entries.len()).filter(|at| shown[*at]);
    let mut seen: HashSet<u64> = shown_lines.map(|at| hash_without_times(entries[at].line)).collect();
    let failures: Vec<usize> = kinds
        .iter()
        .filter(|(loud, _)| *loud)
        .flat_map(|(_, kind)| kind.lines.iter().copied())
        .filter(|at| must_stay(entries[*at].line) && seen.insert(hash_without_times(entries[*at].line)))
        .collect();
    let names: Vec<usize> = kinds
        .iter()
        .filter(|(_, kind)| kind.words() <= NAMES)
        .flat_map(|(_, kind)| kind.lines.iter().copied())
        .collect();
    for mut more in [failures, names] {
        more.retain(|at| !shown[*at]);
        more.sort_unstable();
        let bytes: usize = more.iter().map(|at| entries[*at].bytes(LONG)).sum();
        let wanted = (more.len() * left).checked_div(bytes).unwrap_or(0).min(more.len());
        for nth in 0..wanted {
            let at = more[(2 * nth + 1) * more.len() / (2 * wanted)];
            left = left.saturating_sub(entries[at].bytes(LONG));
            shown[at] = true;
        }
    }
}
