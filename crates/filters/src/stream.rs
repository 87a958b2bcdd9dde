//! A filter on an output that is still being printed: lines go in, what is left comes out, and until the shape of the
//! output is known nothing is said. Owns the wait for a known shape; the rules are `lines`'.

use std::sync::Arc;

use crate::apply::finished;
use crate::command::unwrapped;
use crate::definition::Filter;
use crate::lines::Lines;
use crate::normal::Terminal;
use crate::set::FilterSet;
use crate::shortened::Shortened;

/// Findings are held up to this size, in bytes.
const LONGEST_LIST: usize = 1 << 20;

/// A filter by rules on one running command.
#[derive(Debug)]
pub struct Stream {
    candidates: Vec<Arc<Filter>>,
    terminal: Terminal,
    /// Lines that came before the shape was known.
    before: Vec<String>,
    lines: Option<(Arc<Filter>, Lines)>,
    /// What the rules have left, from the first line on that a later step may change.
    held: String,
}

impl Stream {
    /// For the program call `argv`; `None` when no filter by rules answers to it, so that its output can only be
    /// looked at as a whole.
    #[must_use]
    pub fn new(set: &FilterSet, argv: &[String]) -> Option<Stream> {
        let candidates = set.candidates(unwrapped(argv));
        let by_rules = candidates.iter().all(|filter| filter.native.is_none() && filter.max_lines.is_none());
        (by_rules && !candidates.is_empty()).then(|| Stream {
            candidates,
            terminal: Terminal::default(),
            before: Vec::new(),
            lines: None,
            held: String::new(),
        })
    }

    /// Takes one line of output, with or without its end.
    pub fn push(&mut self, line: &str) {
        let clean = text::strip_ansi(line.trim_end_matches('\n'));
        let mut states = Vec::new();
        self.terminal.overwritten(&clean, |state| states.push(state));
        states.push(self.terminal.visible(&clean));
        states.into_iter().for_each(|line| self.take_in(line));
    }

    fn take_in(&mut self, line: &str) {
        if let Some((_, lines)) = &mut self.lines {
            lines.push(line);
            return;
        }
        self.before.push(line.to_owned());
        let Some(filter) =
            self.candidates.iter().find(|filter| filter.expect.is_empty() || filter.expects(line))
        else {
            return;
        };
        let mut lines = Lines::new(Arc::clone(filter));
        for line in std::mem::take(&mut self.before) {
            lines.push(&line);
        }
        self.lines = Some((Arc::clone(filter), lines));
    }

    /// What can be shown since the last call; `None` while the shape is unknown.
    pub fn take(&mut self) -> Option<String> {
        let (filter, lines) = self.lines.as_mut()?;
        self.held.push_str(&lines.take());
        // A list or a trace is made shorter once all of it is there.
        let ready = if self.held.len() < LONGEST_LIST { filter.ready(&self.held) } else { self.held.len() };
        let rest = self.held.split_off(ready);
        Some(std::mem::replace(&mut self.held, rest))
    }

    /// The rest with what was left out of all of it; `None` when the shape never became known, and everything
    /// that was pushed has to be shown as it was.
    #[must_use]
    pub fn finish(self) -> Option<Shortened> {
        let (filter, lines) = self.lines?;
        let (text, mut left_out) = lines.finish();
        let text = finished(&filter, self.held + &text, &mut left_out, LONGEST_LIST);
        Some(Shortened { text, filter: filter.name.clone(), left_out })
    }
}
