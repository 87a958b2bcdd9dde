//! An output by package: the lines of each, and those around them. Knows no runner: who takes an output apart fills it.

use super::states_failure;

/// More packages than this would be headings for the most part.
pub(super) const MOST: usize = 100;

/// An output by package.
#[derive(Debug)]
pub(super) struct Apart<'t> {
    /// Lines without a package before the first one with.
    pub(super) above: Vec<&'t str>,
    /// Those that failed first.
    pub(super) parts: Vec<Part<'t>>,
    /// The other lines without a package.
    pub(super) below: Vec<&'t str>,
}

/// What one package printed.
#[derive(Debug)]
pub(super) struct Part<'t> {
    /// The prefix of its lines, without the blank.
    pub(super) front: String,
    /// Whether it is a title line above them instead.
    pub(super) above: bool,
    /// Its lines without that.
    pub(super) lines: Vec<&'t str>,
    /// Lines of the runner itself about the command, as they are.
    pub(super) commands: Vec<&'t str>,
    /// 0 if it failed, 1 if it only reports a failure.
    pub(super) rank: u8,
}

impl Part<'_> {
    /// A package without lines, whose rank isn't known yet.
    pub(super) fn new(front: String, above: bool) -> Self {
        Self { front, above, lines: Vec::new(), commands: Vec::new(), rank: 2 }
    }

    /// Its lines as a text.
    pub(super) fn text(&self) -> String {
        text(&self.lines)
    }

    /// Its last line that isn't blank.
    pub(super) fn last(&self) -> &str {
        self.lines.iter().rev().find(|line| !line.trim().is_empty()).copied().unwrap_or_default()
    }
}

impl<'t> Apart<'t> {
    /// Adds a line to the package that was begun last, or above the first one.
    pub(super) fn push(&mut self, line: &'t str) {
        match self.parts.last_mut() {
            Some(part) => part.lines.push(line),
            None => self.above.push(line),
        }
    }

    /// Sorts the packages: those that failed first, then those whose lines state a failure. `failed` is in their order.
    pub(super) fn rank(&mut self, failed: &[bool]) {
        for (part, has_failed) in self.parts.iter_mut().zip(failed) {
            part.rank = if *has_failed { 0 } else { 2 - u8::from(states_failure(&part.lines)) };
        }
        self.parts.sort_by_key(|part| part.rank);
    }

    pub(super) fn above(&self) -> String {
        text(&self.above)
    }

    pub(super) fn below(&self) -> String {
        text(&self.below).trim_matches('\n').to_owned()
    }
}

fn text(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [*line, "\n"]).collect()
}
