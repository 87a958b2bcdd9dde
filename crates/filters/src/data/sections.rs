//! Lists under headings, under a limit: every heading with how much is below it, and the first lines of each, from
//! all sections in turn. Owns what is dropped first.
//!
//! Each section has one place, so that no line is ever read under another heading.

use std::fmt::Write as _;

use crate::clip::clipped;
use crate::counted::counted;

/// Longest line that is shown when not all fit, in bytes.
const LONG: usize = 200;
/// Share of the room that headings may take before some are left out, in percent.
const HEADINGS: usize = 60;

/// A heading with its lines.
#[derive(Debug, Default)]
pub(crate) struct Section<'t> {
    pub(crate) heading: &'t str,
    pub(crate) lines: Vec<String>,
}

/// Writes `sections` in about `room` bytes; `what` names a line of them.
pub(crate) fn part(sections: &[Section<'_>], what: &str, room: usize, out: &mut String) {
    let headings: usize = sections.iter().map(|section| section.heading.len() + 32).sum();
    // Where there are too many headings, some from all parts are shown, evenly.
    let most = room * HEADINGS / 100;
    let every = if headings <= most { 1 } else { headings.div_ceil(most.max(1)) };
    let chosen: Vec<&Section<'_>> = sections.iter().step_by(every).collect();
    let used: usize = chosen.iter().map(|section| section.heading.len() + 32).sum();
    let mut left = room.saturating_sub(used + 64);
    let mut shown = vec![0_usize; chosen.len()];
    let mut open: Vec<usize> = (0..chosen.len()).collect();
    while !open.is_empty() {
        open.retain(|at| {
            let Some(line) = chosen[*at].lines.get(shown[*at]) else { return false };
            let cost = line.len().min(LONG + 20) + 3;
            if cost > left {
                return false;
            }
            left -= cost;
            shown[*at] += 1;
            true
        });
    }
    for (section, shown) in chosen.iter().zip(&shown) {
        if !section.heading.is_empty() {
            let _ = writeln!(out, "{} ({})", section.heading, section.lines.len());
        }
        for line in section.lines.iter().take(*shown) {
            let _ = writeln!(out, "  {}", clipped(line, LONG));
        }
        if section.lines.len() > *shown {
            let _ = writeln!(out, "  … {}", counted(section.lines.len() - shown, &format!("more {what}")));
        }
    }
    if chosen.len() < sections.len() {
        let unseen: usize = sections
            .iter()
            .enumerate()
            .filter(|(at, _)| at % every != 0)
            .map(|(_, section)| section.lines.len())
            .sum();
        let _ = writeln!(
            out,
            "… {} with {}",
            counted(sections.len() - chosen.len(), "more sections"),
            counted(unseen, what)
        );
    }
}
