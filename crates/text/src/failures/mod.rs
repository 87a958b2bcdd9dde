//! The lines of an output that state a failure: found in any amount of output, shown with context, totals and both
//! ends, under a byte budget. Owns what is collected and how it is laid out; what a failure looks like is `line`'s.
//!
//! Nothing is dropped silently: whatever does not fit is counted in the text.

mod keys;
mod line;
mod part;
mod patterns;
mod render;

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

pub use keys::{is_message, kind_key, may_be_same, message_key, same_key};
pub use line::{Mention, may_name_place, mention, mention_and_words, passes};
pub use part::extract_of_part;

/// Lines of context kept before and after a failure at most, whatever is asked.
const MAX_CONTEXT: usize = 10;
/// Longest line kept, in bytes; a longer one is shortened around what was found.
const MAX_LINE: usize = 400;
/// Failures kept apart from each other. Beyond, only kinds are counted.
const MAX_KEPT: usize = 2000;
/// Failures of a kind not seen before are kept up to this number.
const MAX_KINDS: usize = 4000;
/// Doubtful ones kept, so that they cannot crowd out the certain ones.
const MAX_DOUBTFUL: usize = 500;
/// First and last lines kept.
const ENDS: usize = 5;
/// Summary lines kept: the last ones, since test runners print theirs at the end.
const MAX_TOTALS: usize = 12;

/// Whether `line` states a failure.
#[must_use]
pub fn scan(line: &str) -> bool {
    !matches!(mention(line), Mention::Nothing | Mention::Total { failed: false })
}

/// The failures of an output as text under a budget, with the figures behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extract {
    /// Summary, failures with context, totals, first and last lines; at most the asked number of bytes.
    pub text: String,
    /// Lines that state a failure.
    pub failures: usize,
    /// How many of these `text` stands for, repeated ones included.
    pub shown: usize,
    /// Summary lines, such as `Tests: 3 failed, 40 passed`, in order of appearance.
    pub totals: Vec<String>,
    /// Lines of the output.
    pub lines: usize,
    /// Bytes of the output.
    pub bytes: usize,
}

/// Scans all of `text` and extracts its failures in at most `max_bytes` bytes, each with up to `context_lines` lines
/// before and after it.
#[must_use]
pub fn extract(text: &str, context_lines: usize, max_bytes: usize) -> Extract {
    let mut failures = Failures::new(context_lines);
    failures.text(text);
    failures.finish(max_bytes)
}

/// A failure and the lines around it.
#[derive(Clone, Debug)]
struct Found {
    /// Number of its line, from 1.
    at: usize,
    text: String,
    doubtful: bool,
    /// File name printed above a group of diagnostics, with its line number.
    header: Option<(usize, String)>,
    before: Vec<(usize, String)>,
    after: Vec<(usize, String)>,
    /// How often the same line came again, and where last.
    again: usize,
    /// Whether one of these differed in what varies.
    alike: bool,
    last_at: usize,
    kind: u64,
}

/// A scan that is fed line by line, for outputs that are not in memory. Its size does not depend on the output's.
#[derive(Debug)]
pub struct Failures {
    context: usize,
    lines: usize,
    bytes: usize,
    failures: usize,
    kept: Vec<Found>,
    /// Where in `kept` an equal line (times and addresses aside) is.
    same: HashMap<u64, usize>,
    /// Kinds of line (all figures aside) that are kept, and how many lines of each were not.
    kinds: HashMap<u64, usize>,
    doubtful: usize,
    unkept: usize,
    recent: VecDeque<(usize, String)>,
    /// Failures whose context after them is not full: index in `kept` and lines still wanted.
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

    /// Scans a whole text, or the next part of one that is cut anywhere.
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
        self.folded(raw, 1, false);
    }

    /// The same for a line that stands for as many, which were equal or only alike.
    fn folded(&mut self, raw: &str, times: usize, alike: bool) {
        self.lines += 1;
        self.bytes += raw.len();
        let at = self.lines;
        let clean = crate::strip_ansi(raw);
        let line = line::visible(&clean);
        let line::Judged { mention, spot, .. } = line::judge(line);
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

    /// Hands the line to the failures before it that still want context.
    fn give_context(&mut self, at: usize, short: &str, failed: bool) {
        if self.waiting.is_empty() || short.trim().is_empty() {
            return;
        }
        let kept = &mut self.kept;
        let evidence = line::is_evidence(short);
        self.waiting.retain_mut(|(index, wanted)| {
            // A failure of its own is shown anyway, and takes over what follows.
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
        self.kept.push(Found {
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

    /// Counts a text that comes before what is scanned and is shown elsewhere, whole lines of it: numbers of lines and sums
    /// are then those of all of it.
    pub fn shown_before(&mut self, text: &[u8]) {
        self.lines += memchr::memchr_iter(b'\n', text).count();
        self.bytes += text.len();
    }

    /// Lines that state a failure so far.
    #[must_use]
    pub fn count(&self) -> usize {
        self.failures
    }

    /// The extract in at most `max_bytes` bytes.
    #[must_use]
    pub fn finish(mut self, max_bytes: usize) -> Extract {
        if !self.open_line.is_empty() {
            let line = std::mem::take(&mut self.open_line);
            self.line(&line);
        }
        render::render(self, max_bytes)
    }
}

/// Adds a line to the last `max` ones, in the room of the one that goes.
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

/// `line` in at most [`MAX_LINE`] bytes, with the byte `spot` visible.
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
