//! Neighbouring lines that differ in one word, joined into one line and the list of their words. Owns which lines are
//! alike, and how a list that is too long is shown: both ends, and the number of words between.

use std::fmt::Write as _;

use crate::guard::must_stay;

/// The minimum number of lines that are joined, and the longest of them, in bytes.
const ALIKE: usize = 8;
const LINE: usize = 300;
/// The longest line that words are joined to, in bytes.
const WIDE: usize = 160;
/// The maximum size of the mark in a shortened list with the line it begins, in bytes.
pub(super) const MARK: usize = 48;

/// Neighbouring lines that differ in only one word.
pub(super) struct Run<'t> {
    before: &'t str,
    after: &'t str,
    pub(super) words: Vec<&'t str>,
}

impl Run<'_> {
    /// What they have in common, and below it their words: all of them, or the first and the last in about `most` bytes.
    pub(super) fn summary(&self, most: usize) -> String {
        let Run { before, after, words } = self;
        let indent = &before[..before.len() - before.trim_start().len()];
        let mut out = format!("{before}…{after}  [×{}]\n", words.len());
        let all: usize = words.iter().map(|word| word.len() + 1).sum();
        if all <= most {
            rows(words, indent, &mut out);
            return out;
        }
        let first = fitting(words.iter(), most / 3 * 2);
        let last = fitting(words.iter().rev(), most / 3).min(words.len() - first);
        rows(&words[..first], indent, &mut out);
        let _ = writeln!(out, "{indent}  … {} left out …", words.len() - first - last);
        rows(&words[words.len() - last..], indent, &mut out);
        out
    }
}

/// How many of the first words fit in so many bytes.
fn fitting<'t>(words: impl Iterator<Item = &'t &'t str>, most: usize) -> usize {
    let mut used = 0;
    let within = |word: &&&str| {
        used += word.len() + 1;
        used <= most
    };
    words.take_while(within).count()
}

/// Words in lines of about [`WIDE`] bytes.
fn rows(words: &[&str], indent: &str, out: &mut String) {
    let mut row = String::new();
    for word in words {
        if !row.is_empty() && row.len() + word.len() >= WIDE {
            let _ = writeln!(out, "{indent} {row}");
            row.clear();
        }
        row.push(' ');
        row.push_str(word);
    }
    if !row.is_empty() {
        let _ = writeln!(out, "{indent} {row}");
    }
}

/// The lines from here on that differ in only one word, and their number.
pub(super) fn alike<'t>(lines: &[&'t str]) -> Option<(Run<'t>, usize)> {
    let (first, second) = (lines.first()?, lines.get(1)?);
    let (before, after) = common_ends(first, second)?;
    let word = |line: &'_ &str| -> Option<()> {
        let rest = line.strip_prefix(before)?.strip_suffix(after)?;
        let plain = !rest.is_empty() && !rest.contains(char::is_whitespace) && rest != "…";
        (plain && line.len() <= LINE && !must_stay(line)).then_some(())
    };
    let length = lines
        .iter()
        .take_while(|line| line.len() > before.len() + after.len() && word(line).is_some())
        .count();
    let words: Vec<&str> =
        lines[..length].iter().map(|line| &line[before.len()..line.len() - after.len()]).collect();
    // Paths are listed by folder.
    if length < ALIKE || words.iter().filter(|word| word.contains('/')).count() * 2 > length {
        return None;
    }
    let run = Run { before, after, words };
    let bytes: usize = lines[..length].iter().map(|line| line.len() + 1).sum();
    (run.summary(usize::MAX).len() * 10 <= bytes * 9).then_some((run, length))
}

/// What is before and after the one word in which two lines differ.
fn common_ends<'t>(first: &'t str, second: &str) -> Option<(&'t str, &'t str)> {
    let same = first.bytes().zip(second.bytes()).take_while(|(a, b)| a == b).count();
    let from = first[..first.floor_char_boundary(same)].rfind(' ').map_or(0, |at| at + 1);
    let end = first[from..].find(' ').map_or(first.len(), |at| from + at);
    let (before, after) = (&first[..from], &first[end..]);
    let rest = second.strip_prefix(before)?.strip_suffix(after)?;
    let says = before.chars().chain(after.chars()).any(|c| c.is_alphabetic() || c == ' ');
    (says && !rest.is_empty() && !rest.contains(' ') && first != second).then_some((before, after))
}
