//! Filters on an output that is still being printed: lines go in, what is left comes out, and nothing comes out until
//! the shape of the output is known. Owns the wait for a known shape and the order of several filters; the rules are
//! `lines`'.

use std::sync::Arc;

use crate::by_rules::{added, after_steps, finished};
use crate::command::{runs_other_tools, unwrapped};
use crate::definition::Filter;
use crate::lines::Lines;
use crate::normal::Terminal;
use crate::set::{FilterSet, stands_aside};
use crate::shortened::Shortened;

/// Findings are kept waiting up to this size, in bytes.
const LONGEST_LIST: usize = 1 << 20;
/// Lines after which a tool whose signature was seen is no longer found by an earlier line that its filter expects.
const REMEMBERED: usize = 2_000;

/// The filters by rules of one running command.
#[derive(Debug)]
pub struct Stream<'s> {
    /// The command's own, of which the first whose shape comes is used.
    candidates: Vec<Arc<Filter>>,
    /// The program call.
    argv: Vec<String>,
    /// Those of any tool, if the command starts others.
    others: Option<&'s FilterSet>,
    terminal: Terminal,
    /// Lines that came before any shape was known.
    before: Vec<String>,
    /// Those whose tool has printed a signature but no line yet that they expect.
    signed: Vec<Arc<Filter>>,
    /// The filters whose shape is known; each gets the result of the one before.
    chain: Vec<(Arc<Filter>, Lines)>,
    /// Their result, from the first line that a later step may change.
    held: String,
}

impl<'s> Stream<'s> {
    /// For the program call `argv`; `None` when no filter by rules answers to it and it starts no other tools, so that its
    /// output can only be looked at as a whole.
    #[must_use]
    pub fn new(set: &'s FilterSet, argv: &[String]) -> Option<Stream<'s>> {
        let argv = unwrapped(argv);
        let mut candidates = set.candidates(argv);
        let others = runs_other_tools(argv).then_some(set);
        let by_rules = |filter: &Arc<Filter>| filter.native.is_none() && filter.max_lines.is_none();
        if others.is_some() {
            candidates.retain(by_rules);
        } else if candidates.is_empty() || !candidates.iter().all(by_rules) {
            return None;
        }
        Some(Stream {
            candidates,
            argv: argv.to_vec(),
            others,
            terminal: Terminal::default(),
            before: Vec::new(),
            signed: Vec::new(),
            chain: Vec::new(),
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
        for filter in self.filters_for(line) {
            let lines = match self.others {
                Some(_) => Lines::among_others(Arc::clone(&filter)),
                None => Lines::new(Arc::clone(&filter)),
            };
            self.chain.push((filter, lines));
        }
        let Some((_, first)) = self.chain.first_mut() else {
            self.before.push(line.to_owned());
            return;
        };
        for line in std::mem::take(&mut self.before) {
            first.push(&line);
        }
        first.push(line);
    }

    /// The filters that a line identifies and that aren't used yet.
    fn filters_for(&mut self, line: &str) -> Vec<Arc<Filter>> {
        let mut found = Vec::new();
        let own_is_used =
            self.chain.iter().any(|(used, _)| self.candidates.iter().any(|own| own.name == used.name));
        if !own_is_used {
            let own = self.candidates.iter().find(|own| own.expect.is_empty() || own.expects(line));
            found.extend(own.cloned());
        }
        let Some(set) = self.others else { return found };
        for filter in set.signed(line) {
            let mut used = self.chain.iter().map(|(used, _)| used).chain(&found).chain(&self.signed);
            if used.any(|used| used.name == filter.name) || stands_aside(&filter, &self.argv) {
                continue;
            }
            let earlier = self.before.iter().rev().take(REMEMBERED);
            match filter.expect.is_empty() || earlier.into_iter().any(|line| filter.expects(line)) {
                true => found.push(filter),
                false => self.signed.push(filter),
            }
        }
        found.extend(self.signed.extract_if(.., |filter| filter.expects(line)));
        found
    }

    /// What can be shown since the last call; `None` while the shape is unknown.
    pub fn take(&mut self) -> Option<String> {
        let mut text = String::new();
        for (at, (_, lines)) in self.chain.iter_mut().enumerate() {
            if at > 0 {
                text.lines().for_each(|line| lines.push(line));
            }
            text = lines.take();
        }
        let ready = |text: &str| self.chain.iter().map(|(filter, _)| filter.unchanging_bytes(text)).min();
        self.held.push_str(&text);
        // A list or a trace is shortened once it's complete.
        let ready = if self.held.len() < LONGEST_LIST { ready(&self.held)? } else { self.held.len() };
        let rest = self.held.split_off(ready);
        Some(std::mem::replace(&mut self.held, rest))
    }

    /// The rest with everything that was left out; `None` when the shape never became known, and everything that was
    /// pushed has to be shown as it was.
    #[must_use]
    pub fn finish(self) -> Option<Shortened> {
        let name = self.chain.first()?.0.name.clone();
        let (mut text, mut left_out) = (String::new(), Vec::new());
        let mut filters = Vec::new();
        for (at, (filter, mut lines)) in self.chain.into_iter().enumerate() {
            if at > 0 {
                text.lines().for_each(|line| lines.push(line));
            }
            let (rest, counts) = lines.finish();
            text = rest;
            left_out = added(left_out, &counts);
            filters.push(filter);
        }
        text.insert_str(0, &self.held);
        for filter in &filters {
            let mut counts = Vec::new();
            text = match filters.len() {
                1 => finished(filter, text, &mut counts, LONGEST_LIST),
                _ => after_steps(filter, text, &mut counts, LONGEST_LIST),
            };
            left_out = added(left_out, &counts);
        }
        Some(Shortened { text, filter: name, left_out })
    }
}
