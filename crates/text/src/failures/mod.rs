//! Extracts the lines that state a failure from any amount of output, with context, totals and both ends, within a byte
//! budget. Owns what is collected and its layout; `line` recognises failures.
//!
//! Nothing is dropped silently: the text counts whatever doesn't fit.

mod keys;
mod line;
mod partial_output;
mod patterns;
mod render;

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

pub use keys::{is_message, kind_key, may_be_same, message_key, same_key};
pub use line::{Mention, may_name_place, mention, mention_and_words, passes};
pub use partial_output::extract_from_part;

/// The most lines of context before and after a failure.
const MAX_CONTEXT: usize = 10;
/// The longest line kept, in bytes; a longer one is shortened around the finding.
const MAX_LINE: usize = 400;
/// How many failures are kept individually. Beyond, only kinds are counted.
const MAX_KEPT: usize = 2000;
/// How many failures of new kinds are kept.
const MAX_KINDS: usize = 4000;
/// How many doubtful ones are kept, so that they can't crowd out the certain ones.
const MAX_DOUBTFUL: usize = 500;
/// How many first and last lines are kept.
const ENDS: usize = 5;
/// How many summary lines are kept: the last ones, because test runners print theirs at the end.
const MAX_TOTALS: usize = 12;

/// Whether `line` states a failure.
#[must_use]
pub fn scan(line: &str) -> bool {
    !matches!(mention(line), Mention::Nothing | Mention::Total { failed: false })
}

/// An output's failures as text within a budget, with the figures behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extract {
    /// Summary, failures with context, totals, first and last lines; within the byte budget.
    pub text: String,
    /// Lines that state a failure.
    pub failures: usize,
    /// How many of these `text` represents, including repeats.
    pub shown: usize,
    /// Summary lines, such as `Tests: 3 failed, 40 passed`, in order of appearance.
    pub totals: Vec<String>,
    /// Lines of the output.
    pub lines: usize,
    /// Bytes of the output.
    pub bytes: usize,
}

/// Scans all of `text` and extracts its failures in at most `max_bytes` bytes, each with up to `context_lines` lines before and
/// after it.
#[must_use]
pub fn extract(text: &str, context_lines: usize, max_bytes: usize) -> Extract {
    let mut failures = Failures::new(context_lines);
    failures.text(text);
    failures.finish(max_bytes)
}

/// A failure and the lines around it.
#[derive(Clone, Debug)]
struct Failure {
    /// Number of its line, from 1.
    at: usize,
    text: String,
    doubtful: bool,
    /// File name printed above a group of diagnostics, with its line number.
    header: Option<(usize, String)>,
    before: Vec<(usize, String)>,
    after: Vec<(usize, String)>,
    /// How often the same line repeated, and where last.
    again: usize,
    /// Whether a repeat differed in what varies.
    alike: bool,
    last_at: usize,
    kind: u64,
}

/// A scan that is fed line by line, for outputs that aren't in memory. Its size doesn't depend on the output's.
#[derive(Debug)]
pub struct Failures {
    context: usize,
    lines: usize,
    bytes: usize,
    failures: usize,
    kept: Vec<Failure>,
    /// The position in `kept` of an equal line (ignoring times and addresses).
    same: HashMap<u64, usize>,
    /// Kinds of lines (ignoring all figures) that are kept, and how many lines of each weren't.
    kinds: HashMap<u64, usize>,
    doubtful: usize,
    unkept: usize,
    recent: VecDeque<(usize, String)>,
    /// Failures whose following context isn't complete: the index in `kept` and the missing lines.
    waiting: Vec<(usize, usize)>,
    header: Option<(usize, String)>,
    totals: VecDeque<(usize, String)>,
    totals_dropped: usize,
    first: Vec<(usize, String)>,
    tail: VecDeque<(usize, String)>,
    open_line: String,
}

impl Failures {
    /// A scan that keeps up to `context_lines` lines before and after each failure.
    #[must_use]
    pub fn new(context_lines: usize) -> Self {
        Failures {
            context: context_lines.min(MAX_CONTEXT),
            lines: 0,
            bytes: 0,
            failures: 0,
            kept: Vec::new(),
            same: HashMap::new(),
            kinds: HashMap::new(),
            doubtful: 0,
            unkept: 0,
            recent: VecDeque::new(),
            waiting: Vec::new(),
            header: None,
            totals: VecDeque::new(),
            totals_dropped: 0,
            first: Vec::new(),
            tail: VecDeque::new(),
            open_line: String::new(),
        }
    }

    /// Scans a whole text, or the next part of one, cut anywhere.
    pub fn text(&mut self, text: &str) {
        let mut rest = text;
        while let Some(feed) = memchr::memchr(b'\n', rest.as_bytes()) {
            if self.open_line.is_empty() {
                self.line(&rest[..feed]);
            } else {
                let mut line = std::mem::take(&mut self.open_line);
                line.push_str(&rest[..feed]);
                self.line(&line);
            }
            self.bytes += 1;
            rest = &rest[feed + 1..];
        }
        self.open_line.push_str(rest);
        if self.open_line.len() > line::MAX_SCANNED {
            let line = std::mem::take(&mut self.open_line);
            self.line(&line);
        }
    }

    /// Scans the next line, without its line feed.
    pub fn line(&mut self, raw: &str) {
        self.repeated_line(raw, 1, false);
    }

    /// The same for a line that represents several equal or similar ones.
    fn repeated_line(&mut self, raw: &str, times: usize, alike: bool) {
        self.lines += 1;
        self.bytes += raw.len();
        let at = self.lines;
        let clean = crate::strip_ansi(raw);
        let line = line::visible(&clean);
        let line::Judgement { mention, spot, .. } = line::judge(line);
        let short = clip(line, spot);
        if let Some(header) = line::header(line) {
            self.header = Some((at, clip(header, 0).into_owned()));
        }
        let failed = matches!(mention, Mention::Failure | Mention::Doubtful);
        if matches!(mention, Mention::Total { .. }) {
            self.total(at, &short);
        }
        let failed = failed || matches!(mention, Mention::Total { failed: true });
        self.give_context(at, &short, failed);
        if failed {
            self.failed(at, line, &short, mention == Mention::Doubtful, (times, alike));
        }
        self.remember(at, &short);
    }

    fn total(&mut self, at: usize, short: &str) {
        if self.totals.len() == MAX_TOTALS {
            self.totals.pop_front();
            self.totals_dropped += 1;
        }
        self.totals.push_back((at, short.trim().to_owned()));
    }

    /// Passes the line to the preceding failures that still need context.
    fn give_context(&mut self, at: usize, short: &str, failed: bool) {
        if self.waiting.is_empty() || short.trim().is_empty() {
            return;
        }
        let kept = &mut self.kept;
        let evidence = line::is_evidence(short);
        self.waiting.retain_mut(|(index, wanted)| {
            // A failure is shown on its own, and takes over what follows.
            if failed {
                return false;
            }
            let Some(found) = kept.get_mut(*index) else { return false };
            found.after.push((at, short.to_owned()));
            *wanted -= usize::from(!evidence || found.after.len() > 2 * MAX_CONTEXT);
            *wanted > 0
        });
    }

    fn failed(&mut self, at: usize, line: &str, short: &str, doubtful: bool, (times, alike): (usize, bool)) {
        self.failures += times;
        let same = same_key(line);
        if let Some(found) = self.same.get(&same).and_then(|&i| self.kept.get_mut(i)) {
            found.again += times;
            found.alike |= alike || found.text != short;
            found.last_at = at;
            return;
        }
        let kind = kind_key(line);
        let new_kind = !self.kinds.contains_key(&kind);
        let room = match (doubtful, new_kind) {
            (true, _) => self.doubtful < if new_kind { MAX_DOUBTFUL } else { MAX_DOUBTFUL / 2 },
            (false, true) => self.kept.len() < MAX_KINDS,
            (false, false) => self.kept.len() < MAX_KEPT,
        };
        if !room {
            self.unkept += times;
            if let Some(unkept) = self.kinds.get_mut(&kind) {
                *unkept += times;
            }
            return;
        }
        self.kinds.entry(kind).or_default();
        self.doubtful += usize::from(doubtful);
        let header = self.header.clone().filter(|_| line::wants_header(line));
        let before = self.recent.iter().cloned().collect();
        self.same.insert(same, self.kept.len());
        if self.context > 0 {
            self.waiting.push((self.kept.len(), self.context));
        }
        self.kept.push(Failure {
            at,
            text: short.to_owned(),
            doubtful,
            header,
            before,
            after: Vec::new(),
            again: times - 1,
            alike,
            last_at: at,
            kind,
        });
    }

    fn remember(&mut self, at: usize, short: &str) {
        if short.trim().is_empty() {
            return;
        }
        if self.first.len() < ENDS {
            self.first.push((at, short.to_owned()));
        } else {
            push_bounded(&mut self.tail, ENDS, at, short);
        }
        push_bounded(&mut self.recent, self.context, at, short);
    }

    /// Counts a text that precedes the scanned one and is shown elsewhere, in whole lines: line numbers and sums then
    /// cover both.
    pub fn count_preceding(&mut self, text: &[u8]) {
        self.lines += memchr::memchr_iter(b'\n', text).count();
        self.bytes += text.len();
    }

    /// Lines that state a failure so far.
    #[must_use]
    pub fn count(&self) -> usize {
        self.failures
    }

    /// The extract, in at most `max_bytes` bytes.
    #[must_use]
    pub fn finish(mut self, max_bytes: usize) -> Extract {
        if !self.open_line.is_empty() {
            let line = std::mem::take(&mut self.open_line);
            self.line(&line);
        }
        render::render(self, max_bytes)
    }
}

/// Appends a line to the last `max` ones, dropping the first if full.
fn push_bounded(lines: &mut VecDeque<(usize, String)>, max: usize, at: usize, line: &str) {
    let old = if lines.len() >= max { lines.pop_front() } else { None };
    if max == 0 {
        return;
    }
    let mut room = old.map(|(_, room)| room).unwrap_or_default();
    room.clear();
    room.push_str(line);
    lines.push_back((at, room));
}

/// `line` in at most [`MAX_LINE`] bytes, with the byte at `spot` visible.
fn clip(line: &str, spot: usize) -> Cow<'_, str> {
    let line = line.trim_end();
    if line.len() <= MAX_LINE {
        return Cow::Borrowed(line);
    }
    let room = MAX_LINE - 8;
    let from = if spot < room * 3 / 4 { 0 } else { line.floor_char_boundary(spot - room / 4) };
    let to = line.floor_char_boundary((from + room).min(line.len()));
    let lead = if from > 0 { "…" } else { "" };
    let trail = if to < line.len() { "…" } else { "" };
    Cow::Owned(format!("{lead}{}{trail}", &line[from..to]))
}
