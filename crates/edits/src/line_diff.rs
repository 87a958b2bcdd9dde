//! A line diff of two texts in hunks: kept, removed and added lines. The only comparison behind every diff that is shown.
//!
//! Lines are compared as numbers, by one algorithm and for one kind of list: `similar`'s own text API builds each of its
//! algorithms for each kind of list, a megabyte of the program.

use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{DiffOp, DiffableStr, group_diff_ops};

/// A line's fate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFate {
    /// In both texts.
    Stayed,
    /// In the old text only.
    Went,
    /// In the new text only.
    Came,
}

/// A run of kept lines, or of removed lines and their replacement.
pub struct Run<'a> {
    /// The lines in order, with their line ends.
    pub lines: Vec<(LineFate, &'a str)>,
    /// Whether lines were both removed and added.
    pub replaced: bool,
}

/// Changes close together, with the lines around them.
pub struct Hunk<'a> {
    /// Its range of old lines, counted from 0.
    pub old: Range<usize>,
    /// Its range of new lines.
    pub new: Range<usize>,
    /// Its content.
    pub runs: Vec<Run<'a>>,
}

/// A diff's hunks with `context` lines around each change. After `patience` it stops looking for the smallest diff; the
/// result stays correct.
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
    group_diff_ops(diff_ops(&before, &after, Instant::now() + patience), context)
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

fn diff_ops(old: &[usize], new: &[usize], until: Instant) -> Vec<DiffOp> {
    let mut found = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff_deadline(&mut found, old, 0..old.len(), new, 0..new.len(), Some(until));
    found.into_inner().into_inner().into_ops()
}

fn run<'a>(op: &DiffOp, old: &[&'a str], new: &[&'a str]) -> Run<'a> {
    let side = |lines: &[&'a str], range: Range<usize>, fate: LineFate| -> Vec<(LineFate, &'a str)> {
        lines.get(range).unwrap_or_default().iter().map(|line| (fate, *line)).collect()
    };
    let lines = if matches!(op, DiffOp::Equal { .. }) {
        side(old, op.old_range(), LineFate::Stayed)
    } else {
        let mut lines = side(old, op.old_range(), LineFate::Went);
        lines.extend(side(new, op.new_range(), LineFate::Came));
        lines
    };
    Run { lines, replaced: matches!(op, DiffOp::Replace { .. }) }
}
