//! Lines of a log that are shown one by one: each with the lines below it, and if there are too many, the loud and
//! the rare ones. Owns which of them fit; `log` decides which are worth showing.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::counted::counted;
use crate::data::rows::clipped;
use crate::data::template;

/// Lines of a trace that are shown.
const TRACE: usize = 60;
/// Longest line that is shown, in bytes.
pub(super) const LONG: usize = 1_000;
/// If not all fit, the part shown of a line whose kind another line already shows, in bytes.
const AGAIN: usize = 200;
/// Room for a line that counts what is missing.
pub(super) const MORE: usize = 40;

/// The shortest line that is a ruler, in bytes.
const RULER: usize = 10;
/// The maximum number of different ones in a text.
const RULERS: usize = 4;

/// Lines that only separate the lines above from those below: `──────────`, `==========`. Empty if there are more
/// than a few different ones: those are bars, whose length is a value.
pub(super) fn rulers(text: &str) -> HashSet<&str> {
    let is_ruler = |line: &&str| line.len() >= RULER && line.chars().all(|c| "─═━—=-_*~#".contains(c));
    let found: HashSet<&str> = text.lines().map(str::trim).filter(is_ruler).collect();
    if found.len() > RULERS { HashSet::new() } else { found }
}

/// A line with the lines below it.
pub(super) struct Entry<'t> {
    pub(super) line: &'t str,
    /// The shown part of the lines below it, and their number.
    pub(super) below: Vec<Cow<'t, str>>,
    pub(super) lines_below: usize,
    pub(super) loud: bool,
}

/// A line's kind: how many lines it has, and which one it is.
pub(super) type OfKind = (usize, usize);

/// Each line's kind.
pub(super) fn of_kinds(kinds: &[(bool, template::Kind<'_>)], lines: usize) -> Vec<OfKind> {
    let mut all = vec![(0, usize::MAX); lines];
    for (nth, (_, kind)) in kinds.iter().enumerate() {
        for at in &kind.lines {
            if let Some(of) = all.get_mut(*at) {
                *of = (kind.lines.len(), nth);
            }
        }
    }
    all
}

/// Writes the lines `chosen`, in their order, in about `room` bytes: loud ones before others, rare kinds before frequent
/// ones, and of equals some from all parts. What does not fit is counted.
pub(super) fn rarest(
    entries: &[Entry<'_>],
    chosen: &[usize],
    kinds: &[OfKind],
    room: usize,
    out: &mut String,
) {
    let whole: usize = chosen.iter().map(|at| entries[*at].bytes(LONG)).sum();
    // How much of each line is shown; zero for one that doesn't fit.
    let mut limits = vec![if whole <= room { LONG } else { 0 }; entries.len()];
    if whole > room {
        let mut order = chosen.to_vec();
        // A walk over all of them in a scattered order.
        let step = |at: usize| at.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as usize);
        order.sort_by_key(|at| (!entries[*at].loud, kinds[*at].0, step(*at)));
        let mut left = room.saturating_sub(MORE);
        let mut seen = HashSet::new();
        for at in order {
            let limit = if seen.contains(&kinds[at].1) { AGAIN } else { LONG };
            let cost = entries[at].bytes(limit);
            if cost <= left {
                left -= cost;
                limits[at] = limit;
                seen.insert(kinds[at].1);
            }
        }
    }
    let mut missing = 0;
    for entry in chosen.iter().map(|at| (&entries[*at], limits[*at])) {
        match entry {
            (entry, 0) => missing += 1 + entry.lines_below,
            (entry, limit) => entry.write(limit, out),
        }
    }
    if missing > 0 {
        out.push_str(&format!("… {} left out …\n", counted(missing, "lines")));
    }
}

impl Entry<'_> {
    /// Its maximum size, if none of its lines is shown longer than `limit` bytes.
    pub(super) fn bytes(&self, limit: usize) -> usize {
        let line = |line: &str| line.len().min(limit + 32) + 1;
        line(self.line) + self.below.iter().take(TRACE).map(|below| line(below)).sum::<usize>() + MORE
            - if self.below.len() > TRACE { 0 } else { MORE }
    }

    fn write(&self, limit: usize, out: &mut String) {
        let below = self.below.iter().take(TRACE).map(|line| &**line);
        for line in std::iter::once(self.line).chain(below) {
            out.push_str(&clipped(line, limit));
            out.push('\n');
        }
        if self.below.len() > TRACE {
            out.push_str(&format!("… {} below\n", counted(self.below.len() - TRACE, "more lines")));
        }
    }
}
