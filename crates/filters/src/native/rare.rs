//! Lines of a log that are shown one by one: each with what stands below it, and of too many the loud and the rare ones.
//! Owns which of them have room; which are worth showing at all is `log`'s affair.

use crate::data::rows::clipped;
use crate::data::template;

/// Lines of a trace that are shown.
const TRACE: usize = 60;
/// Longest line that is shown, in bytes.
const LONG: usize = 1_000;
/// Room for a line that counts what is missing.
pub(super) const MORE: usize = 40;

/// A line with what stands below it.
pub(super) struct Entry<'t> {
    pub(super) line: &'t str,
    pub(super) below: Vec<&'t str>,
    pub(super) loud: bool,
}

/// For each line, how many are of its kind.
pub(super) fn sizes(kinds: &[(bool, template::Kind<'_>)], lines: usize) -> Vec<usize> {
    let mut sizes = vec![0; lines];
    for (_, kind) in kinds {
        for at in &kind.lines {
            if let Some(size) = sizes.get_mut(*at) {
                *size = kind.lines.len();
            }
        }
    }
    sizes
}

/// Writes the lines `chosen`, in their order, in about `room` bytes: loud ones before others, rare kinds before frequent
/// ones, and of equals some from all parts. What does not fit is counted.
pub(super) fn rarest(
    entries: &[Entry<'_>],
    chosen: &[usize],
    sizes: &[usize],
    room: usize,
    out: &mut String,
) {
    let whole: usize = chosen.iter().map(|at| entries[*at].bytes()).sum();
    let mut fits = vec![whole <= room; entries.len()];
    if whole > room {
        let mut order = chosen.to_vec();
        // A walk over all of them that begins nowhere in particular.
        let step = |at: usize| at.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as usize);
        order.sort_by_key(|at| (!entries[*at].loud, sizes[*at], step(*at)));
        let mut left = room.saturating_sub(MORE);
        for at in order {
            let cost = entries[at].bytes();
            if cost <= left {
                left -= cost;
                fits[at] = true;
            }
        }
    }
    let mut missing = 0;
    for entry in chosen.iter().map(|at| (&entries[*at], fits[*at])) {
        match entry {
            (entry, true) => entry.write(out),
            (entry, false) => missing += 1 + entry.below.len(),
        }
    }
    if missing > 0 {
        out.push_str(&format!("… {missing} lines left out …\n"));
    }
}

impl Entry<'_> {
    /// What it takes at most.
    pub(super) fn bytes(&self) -> usize {
        let line = |line: &&str| line.len().min(LONG + 32) + 1;
        line(&self.line) + self.below.iter().take(TRACE).map(line).sum::<usize>() + MORE
            - if self.below.len() > TRACE { 0 } else { MORE }
    }

    fn write(&self, out: &mut String) {
        for line in std::iter::once(&self.line).chain(self.below.iter().take(TRACE)) {
            out.push_str(&clipped(line, LONG));
            out.push('\n');
        }
        if self.below.len() > TRACE {
            out.push_str(&format!("… {} more lines below\n", self.below.len() - TRACE));
        }
    }
}
