//! The lines of two texts beside each other: what stayed, went and came, in hunks. One comparison for everybody who shows a diff.
//!
//! Lines are compared as numbers, by one algorithm and for one kind of list: `similar`'s own door to texts builds each of its
//! algorithms for each kind of list, a megabyte of the program.

use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{DiffOp, DiffableStr, group_diff_ops};

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is in both texts.
    Stayed,
    /// It is in the old text only.
    Went,
    /// It is in the new text only.
    Came,
}

/// Some lines that stayed, or some that went and what came in their place.
pub struct Run<'a> {
    /// The lines in their order, with their ends.
    pub lines: Vec<(Fate, &'a str)>,
    /// Whether lines went and others came.
    pub replaced: bool,
}

/// Changes that are close together, with the lines around them.
pub struct Hunk<'a> {
    /// Where it is among the old lines, counted from 0.
    pub old: Range<usize>,
    /// Where it is among the new lines.
    pub new: Range<usize>,
    /// What it holds.
    pub runs: Vec<Run<'a>>,
}

/// The hunks of a diff with `context` lines around each change. After `patience` it gives up looking for the smallest; what it says
/// stays right.
pub fn hunks<'a>(old: &'a str, new: &'a str, context: usize, patience: Duration) -> Vec<Hunk<'a>> {
    let (old, new) = (old.tokenize_lines(), new.tokenize_lines());
    let mut numbers = HashMap::new();
    let mut numbered = |lines: &[&'a str]| -> Vec<usize> {
        lines
            .iter()
            .map(|line| {
                let next = numbers.len();
                *numbers.entry(*line).or_insert(next)
            })
            .collect()
    };
    let (before, after) = (numbered(&old), numbered(&new));
    group_diff_ops(compared(&before, &after, Instant::now() + patience), context)
        .into_iter()
        .filter_map(|group| {
            let (first, last) = (group.first()?, group.last()?);
            Some(Hunk {
                old: first.old_range().start..last.old_range().end,
                new: first.new_range().start..last.new_range().end,
                runs: group.iter().map(|op| run(op, &old, &new)).collect(),
            })
        })
        .collect()
}

fn compared(old: &[usize], new: &[usize], until: Instant) -> Vec<DiffOp> {
    let mut found = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff_deadline(&mut found, old, 0..old.len(), new, 0..new.len(), Some(until));
    found.into_inner().into_inner().into_ops()
}

fn run<'a>(op: &DiffOp, old: &[&'a str], new: &[&'a str]) -> Run<'a> {
    let side = |lines: &[&'a str], range: Range<usize>, fate: Fate| -> Vec<(Fate, &'a str)> {
        lines.get(range).unwrap_or_default().iter().map(|line| (fate, *line)).collect()
    };
    let lines = if matches!(op, DiffOp::Equal { .. }) {
        side(old, op.old_range(), Fate::Stayed)
    } else {
        let mut lines = side(old, op.old_range(), Fate::Went);
        lines.extend(side(new, op.new_range(), Fate::Came));
        lines
    };
    Run { lines, replaced: matches!(op, DiffOp::Replace { .. }) }
}
