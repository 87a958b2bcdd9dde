//! Lines of a log that are shown one by one: each with the lines below it, and if there are too many, the loud and
//! the rare ones. Owns which of them fit; `log` decides which are worth showing.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::clip::clipped;
use crate::counted::counted;
use crate::data::template;

/// Lines of a trace that are shown.
const TRACE: usize = 60;
/// The minimum number of lines that a trace has in common with the one above for these to be shown once.
const SAME: usize = 4;
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
    let mut above: &[Cow<'_, str>] = &[];
    for (entry, limit) in chosen.iter().map(|at| (&entries[*at], limits[*at])) {
        if limit == 0 {
            missing += 1 + entry.lines_below;
            continue;
        }
        entry.write(limit, if limit == LONG { same_calls(above, &entry.below) } else { 0 }, out);
        if !entry.below.is_empty() {
            above = if limit == LONG { &entry.below } else { &[] };
        }
    }
    if missing > 0 {
        out.push_str(&format!("… {} left out …\n", counted(missing, "lines")));
    }
}

/// With how many of its lines the trace `below` begins like the one `above`, up to a frame; zero if these are few. Python prints
/// the outermost call first, and errors of one server have come the same way through it.
fn same_calls(above: &[Cow<'_, str>], below: &[Cow<'_, str>]) -> usize {
    let is_frame = |line: &Cow<'_, str>| line.trim_start().starts_with("File \"");
    let mut same = above.iter().zip(below).take(TRACE).take_while(|(one, other)| one == other).count();
    while same > 0 && !below.get(same).is_some_and(is_frame) {
        same -= 1;
    }
    if same > SAME && below.get(1).is_some_and(is_frame) { same } else { 0 }
}

impl Entry<'_> {
    /// Its maximum size, if none of its lines is shown longer than `limit` bytes.
    pub(super) fn bytes(&self, limit: usize) -> usize {
        let line = |line: &str| line.len().min(limit + 32) + 1;
        line(self.line) + self.below.iter().take(TRACE).map(|below| line(below)).sum::<usize>() + MORE
            - if self.below.len() > TRACE { 0 } else { MORE }
    }

    /// Writes its lines, none longer than `limit` bytes. Of those below it, `same` are shown above: only the first is repeated.
    fn write(&self, limit: usize, same: usize, out: &mut String) {
        let mut push = |line: &str| {
            out.push_str(&clipped(line, limit));
            out.push('\n');
        };
        push(self.line);
        if same > 0 {
            push(&self.below[0]);
            push(&format!("  … {} as in the trace above", counted(same - 1, "lines")));
        }
        for line in &self.below[same..self.below.len().min(TRACE)] {
            push(line);
        }
        if self.below.len() > TRACE {
            out.push_str(&format!("… {} below\n", counted(self.below.len() - TRACE, "more lines")));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::same_calls;
    use crate::native::log::log;

    /// As uvicorn logged two requests that failed in the same view.
    #[test]
    fn the_way_that_two_errors_have_in_common_is_shown_once() {
        let text = include_str!("../../tests/fixtures/runs/uvicorn-two-errors.txt");
        let short = log(text, 24_000).unwrap();
        let shown = "app.css HTTP/1.1\" 200 OK\nTraceback (most recent call last):\n  … 15 lines as in the trace above\n  \
                     File \"/home/ana/src/datasette/datasette/views/table.py\", line 2045, in table_view_data\n";
        assert!(short.contains(shown), "{short}");
        for once in ["line 2927, in route_path", "line 1770, in table_view_traced"] {
            assert_eq!(short.matches(once).count(), 1, "{once}: {short}");
        }
        for error in [
            "sqlite3.ProgrammingError: Error binding parameter 1: type 'tuple' is not supported\n",
            "line 255, in split_value\n    low, high = value.split(\",\")\n",
            "ValueError: not enough values to unpack (expected 2, got 1)\n",
        ] {
            assert!(short.contains(error), "{error}: {short}");
        }
    }

    #[test]
    fn only_frames_of_python_from_the_first_on_are_the_same_way() {
        let same = |above: &[&'static str], below: &[&'static str]| {
            let lines =
                |all: &[&'static str]| all.iter().map(|line| Cow::Borrowed(*line)).collect::<Vec<_>>();
            same_calls(&lines(above), &lines(below))
        };
        let (one, two) = ("  File \"a.py\", line 1, in one", "  File \"b.py\", line 2, in two");
        let above = ["Traceback", one, "    two()", two, "    three()", "    ^^^^^^^", "KeyError: 1"];
        let end = "  File \"c.py\", line 3, in other";
        assert_eq!(same(&above, &["Traceback", one, "    two()", two, "    three()", "    ^^^^^^^", end]), 6);
        // The same trace again: its last frame stays. Here too little would go.
        assert_eq!(same(&above, &above), 0);
        // Another line of the same function.
        assert_eq!(same(&above, &["Traceback", one, "    two()", two, "    four()", "    ^^^^^^", end]), 0);
        assert_eq!(
            same(&["Error", "a", "b", "c", "d", "e", end], &["Error", "a", "b", "c", "d", "e", end]),
            0
        );
        assert_eq!(same(&[], &above), 0);
    }
}
