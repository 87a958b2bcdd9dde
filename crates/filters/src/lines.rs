//! The line engine: applies rules to normalised lines as they arrive, in memory bounded by the result. Owns dropping,
//! folding, blocks, replacing, repeats and the counts of what was left out; the guard decides about every line that a
//! rule would drop.

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};
use std::hash::BuildHasher as _;
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::counted::counted;
use crate::definition::Filter;
use crate::diagnostics::unnumbered;
use crate::guard::{has_words, must_stay};
use crate::repeat::Repeat;
use crate::rules::{Act, Rule, Which};

/// Fewer lines than this are shown instead of a mark, where they are not longer than this together, in bytes.
const WORTH_A_MARK: usize = 3;
const WORTH_BYTES: usize = 240;

/// Printed lines that are remembered.
const MAX_PRINTED: usize = 20_000;
/// Lines of a block that are searched before its end is given up.
const MAX_BLOCK: usize = 5_000;

/// Applies the rules of one filter to lines in order.
#[derive(Debug)]
pub(crate) struct Lines {
    filter: Arc<Filter>,
    out: String,
    left_out: Vec<(String, usize)>,
    /// The rule whose block is open, and how many lines it has had.
    block: Option<(usize, usize)>,
    /// Whether the last line of that block was new.
    was_new: bool,
    fold: Option<Fold>,
    repeat: Repeat,
    blank: bool,
    /// Blank lines stay: blocks of other tools end at them.
    keeps_blanks: bool,
    /// Lines that were written.
    printed: HashSet<u64, FixedState>,
}

#[derive(Debug)]
struct Fold {
    rule: usize,
    shown: usize,
    waiting: VecDeque<String>,
    dropped: usize,
    /// These lines, as long as they are few.
    few: Vec<String>,
}

impl Lines {
    pub(crate) fn new(filter: Arc<Filter>) -> Self {
        Self {
            filter,
            out: String::new(),
            left_out: Vec::new(),
            block: None,
            was_new: false,
            fold: None,
            repeat: Repeat::default(),
            blank: true,
            keeps_blanks: false,
            printed: HashSet::with_hasher(SEED),
        }
    }

    /// The same for lines of which other tools may have printed some.
    pub(crate) fn among_others(filter: Arc<Filter>) -> Self {
        Self { keeps_blanks: true, ..Self::new(filter) }
    }

    /// Takes a line without its end.
    pub(crate) fn push(&mut self, line: &str) {
        let Some((at, nth)) = self.rule_for(line) else { return self.keep(line) };
        let rule = &self.filter.rules().all[at];
        match rule.act {
            Act::Keep => self.keep(line),
            Act::Replace => {
                let replaced = replaced_by(rule, nth, line);
                // A replacement may rearrange a guarded line's words, never shorten them.
                if replaced.len() <= line.len() && (!must_stay(line) || has_words(&replaced, line)) {
                    self.keep(&replaced);
                } else {
                    self.keep(line);
                }
            }
            // Text that was printed before, word for word, needn't be repeated.
            Act::Drop if must_stay(line) && !self.was_printed(at, line) => self.keep(line),
            Act::Drop => {
                self.end_fold();
                if !line.is_empty() {
                    self.count(at, 1);
                } else if self.keeps_blanks {
                    self.write(line);
                }
            }
            Act::Fold => self.fold(at, line),
        }
    }

    /// The first rule that the line belongs to, and which of its patterns says so.
    fn rule_for(&mut self, line: &str) -> Option<(usize, usize)> {
        let head = head(line);
        if let Some((at, seen)) = self.block {
            let rule = &self.filter.rules().all[at];
            let Which::Block { until, through, repeats, .. } = &rule.which else { return None };
            let ends = match until {
                Some(until) => until.is_match(head),
                None => head.trim().is_empty(),
            } || seen >= MAX_BLOCK;
            if !ends {
                self.block = Some((at, seen + 1));
                // New text in it is treated like any other line.
                let is_new = *repeats
                    && !line.is_empty()
                    && (self.continues_new_text(at, line) || !self.was_printed(at, line));
                self.was_new = is_new;
                return if is_new { self.filter.rules().first(head) } else { Some((at, 0)) };
            }
            self.block = None;
            if *through {
                return Some((at, 0));
            }
        }
        let rules = self.filter.rules();
        let found = rules.first(head)?;
        if let Which::Block { heading, .. } = &rules.all[found.0].which {
            self.block = Some((found.0, 1));
            self.was_new = false;
            if *heading {
                return None;
            }
        }
        Some(found)
    }

    /// Whether `line` was written before, with or without what the rule's block may have in front.
    fn was_printed(&self, rule: usize, line: &str) -> bool {
        let is_printed = |line: &str| self.printed.contains(&hash(line.trim()));
        let without = self.without_front(rule, line);
        is_printed(line) || without.is_some_and(|rest| !rest.trim().is_empty() && is_printed(rest))
    }

    /// Whether `line` goes on with what the rule's block says for the first time in the line above: the same words may go on with
    /// something else that was printed before.
    fn continues_new_text(&self, rule: usize, line: &str) -> bool {
        self.was_new && self.without_front(rule, line).is_some_and(|rest| rest.starts_with([' ', '\t']))
    }

    /// `line` without what the rule's block may have in front.
    fn without_front<'l>(&self, rule: usize, line: &'l str) -> Option<&'l str> {
        match &self.filter.rules().all[rule].which {
            Which::Block { front: Some(front), .. } => line.strip_prefix(front.as_str()),
            Which::Block { .. } | Which::Lines(_) => None,
        }
    }

    fn keep(&mut self, line: &str) {
        self.end_fold();
        self.write(line);
    }

    fn write(&mut self, line: &str) {
        if line.is_empty() {
            self.repeat.end(&mut self.out);
            if !self.blank {
                self.out.push('\n');
            }
            self.blank = true;
            return;
        }
        self.blank = false;
        if self.printed.len() < MAX_PRINTED {
            self.printed.insert(hash(line.trim()));
            // MSBuild has no number of a project in front where it says something again.
            let again = unnumbered(line);
            if again.len() < line.len() {
                self.printed.insert(hash(again));
            }
        }
        // Closing brackets in a row are structure, not repetition.
        if says(line) && self.repeat.takes(line) {
            return;
        }
        self.repeat.end(&mut self.out);
        self.out.push_str(line);
        self.out.push('\n');
        self.repeat.start(line);
    }

    fn fold(&mut self, at: usize, line: &str) {
        if self.fold.as_ref().is_none_or(|fold| fold.rule != at) {
            self.end_fold();
            self.fold =
                Some(Fold { rule: at, shown: 0, waiting: VecDeque::new(), dropped: 0, few: Vec::new() });
        }
        let (first, last) = (self.filter.rules().all[at].first, self.filter.rules().all[at].last);
        let Some(fold) = self.fold.as_mut() else { return };
        if fold.shown < first {
            fold.shown += 1;
            self.write(line);
            return;
        }
        fold.waiting.push_back(line.to_owned());
        while fold.waiting.len() > last {
            let Some(oldest) = fold.waiting.pop_front() else { break };
            if must_stay(&oldest) {
                self.flush_fold();
                self.write(&oldest);
                return;
            }
            fold.dropped += 1;
            if fold.dropped < WORTH_A_MARK {
                fold.few.push(oldest);
            }
        }
    }

    /// Says how many lines of the open fold were left out so far.
    fn flush_fold(&mut self) {
        let Some(fold) = self.fold.as_mut() else { return };
        let dropped = std::mem::take(&mut fold.dropped);
        let few = std::mem::take(&mut fold.few);
        if dropped == 0 {
            return;
        }
        let label = self.filter.rules().all[fold.rule].label.as_deref().unwrap_or("lines");
        let note = format!("… {}", counted(dropped, &format!("more {label}")));
        let bytes: usize = few.iter().map(|line| line.len() + 1).sum();
        // A mark for one or two lines would be no shorter.
        if few.len() == dropped && bytes <= WORTH_BYTES.max(note.len()) {
            few.iter().for_each(|line| self.write(line));
        } else {
            self.write(&note);
        }
    }

    fn end_fold(&mut self) {
        let Some(fold) = self.fold.as_mut() else { return };
        // Marks below a line of source say nothing without it.
        if fold.dropped >= WORTH_A_MARK && fold.waiting.front().is_some_and(|line| underlines(line)) {
            fold.waiting.pop_front();
            fold.dropped += 1;
        }
        self.flush_fold();
        if let Some(fold) = self.fold.take() {
            for line in fold.waiting {
                self.write(&line);
            }
        }
    }

    fn count(&mut self, at: usize, lines: usize) {
        let Some(label) = &self.filter.rules().all[at].label else { return };
        match self.left_out.iter_mut().find(|(known, _)| known == label) {
            Some((_, count)) => *count += lines,
            None => self.left_out.push((label.clone(), lines)),
        }
    }

    /// The part of the result that no longer changes; for outputs that are shown while they grow.
    pub(crate) fn take(&mut self) -> String {
        self.end_fold();
        self.repeat.end(&mut self.out);
        std::mem::take(&mut self.out)
    }

    /// The rest, and the counts of what was left out, in order of appearance.
    pub(crate) fn finish(mut self) -> (String, Vec<(String, usize)>) {
        let out = self.take();
        (out, self.left_out)
    }
}

/// The same in every run, so that the same output is shortened to the same text.
const SEED: FixedState = FixedState::with_seed(0);

fn hash(line: &str) -> u64 {
    SEED.hash_one(line)
}

/// `        ^^^^^~~^^^^`, as Python draws it below a statement.
fn underlines(line: &str) -> bool {
    line.starts_with(' ') && line.contains('^') && line.bytes().all(|byte| b" ^~".contains(&byte))
}

fn says(line: &str) -> bool {
    line.bytes().filter(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80).nth(2).is_some()
}

/// The part of a line that patterns are about.
fn head(line: &str) -> &str {
    &line[..line.floor_char_boundary(4096)]
}

/// The line as a rule that replaces makes it, by one of its patterns.
fn replaced_by<'l>(rule: &Rule, nth: usize, line: &'l str) -> Cow<'l, str> {
    let Which::Lines(patterns) = &rule.which else { return Cow::Borrowed(line) };
    match patterns.get(nth).map(|pattern| pattern.replace(line, rule.with.as_str())) {
        Some(Cow::Owned(replaced)) => Cow::Owned(replaced.trim_end().to_owned()),
        _ => Cow::Borrowed(line),
    }
}
