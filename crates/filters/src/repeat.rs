//! A line that repeats directly is shown once and counted. Owns what counts as a repeat and its mark: a mark never
//! claims that different lines were equal.

use text::failures::{may_be_same, message_key};

use crate::guard::must_stay;

/// A line that only differs in its times is shown when it is shorter than the mark that would stand for it.
const SHORT: usize = 24;

/// The last line that was written, and how often it was repeated.
#[derive(Debug, Default)]
pub(crate) struct Repeat {
    line: String,
    /// The `message_key` of the line, once computed.
    key: Option<Option<u64>>,
    again: usize,
    /// Whether one of them was not equal.
    differ: bool,
}

impl Repeat {
    /// A line was written that is not the last one again.
    pub(crate) fn start(&mut self, line: &str) {
        self.line.clear();
        self.line.push_str(line);
        (self.key, self.again, self.differ) = (None, 1, false);
    }

    /// Counts `line` if it repeats the last one. Most lines start differently, and that comparison is all they cost
    /// here.
    pub(crate) fn takes(&mut self, line: &str) -> bool {
        if self.again == 0 {
            return false;
        }
        let equal = self.line == line;
        if !equal && !self.differs_in_times(line) {
            return false;
        }
        self.differ |= !equal;
        self.again += 1;
        true
    }

    /// Messages that differ only in times count as the same one repeated, unless they report a failure.
    fn differs_in_times(&mut self, line: &str) -> bool {
        if line.len() < SHORT || indent(&self.line) != indent(line) || !may_be_same(&self.line, line) {
            return false;
        }
        let key = *self.key.get_or_insert_with(|| message_key(&self.line));
        key.is_some() && key == message_key(line) && !must_stay(line)
    }

    /// Ends the run and writes how often its line came behind it, which is what `out` ends with.
    pub(crate) fn end(&mut self, out: &mut String) {
        let again = std::mem::take(&mut self.again);
        match (again, self.differ) {
            (0 | 1, _) => {}
            // Shorter than its mark.
            (2, false) if self.line.len() < 12 => {
                out.push_str(&self.line);
                out.push('\n');
            }
            (_, differ) => {
                out.pop();
                out.push_str(&format!("  [×{again}{}]\n", if differ { ", times differ" } else { "" }));
            }
        }
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
