//! The messages of failed tests, each once. Owns which messages are the same except for their values, and the legend
//! that gives each a letter.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use crate::clip::clipped;
use crate::counted::counted;
use crate::diagnostics::letter;

/// Longest message, in bytes.
const MESSAGE: usize = 200;
/// From this number of different messages on, their common text is shown.
const MANY: usize = 12;

/// The line above the messages.
const LEGEND: &str = "each failed test with a letter for its message:";

/// Whether `text` has a list of failed tests.
pub(crate) fn lists_tests(text: &str) -> bool {
    text.lines().any(|line| line == LEGEND)
}

/// A test that failed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Failed<'t> {
    /// The file, and the place in it; empty where the report names none.
    pub(super) file: &'t str,
    pub(super) at: &'t str,
    /// Its suites, and its name.
    pub(super) suites: Vec<&'t str>,
    pub(super) name: &'t str,
    /// The name by which the test runner can run it alone, or its name with its value; empty if that is no more than
    /// its name.
    pub(super) id: &'t str,
    /// The report's text about it.
    pub(super) wording: String,
    /// The statement that failed, behind its place; empty where the report has none.
    pub(super) statement: String,
}

/// The messages, each once.
pub(super) struct Messages<'f> {
    pub(super) texts: Vec<&'f str>,
    pub(super) counts: Vec<usize>,
    /// Whether all tests with the message have exactly this text.
    same: Vec<bool>,
    /// Whether they differ in more than in a folder that was made for one test.
    pub(super) differ: Vec<bool>,
    /// The statement that all of several tests with the message failed at.
    statements: Vec<Option<&'f str>>,
    /// For each test its message.
    pub(super) of: Vec<usize>,
    pub(super) letters: Vec<String>,
}

impl<'f> Messages<'f> {
    pub(super) fn new(failed: &'f [Failed<'_>]) -> Self {
        let exact = Self::by(failed, Cow::Borrowed);
        // If hardly two are the same, the messages' common text is shown.
        if exact.texts.len() > MANY && exact.texts.len() * 2 > failed.len() {
            return Self::by(failed, |text| Cow::Owned(without_values(text)));
        }
        exact
    }

    fn by(failed: &'f [Failed<'_>], key: impl Fn(&'f str) -> Cow<'f, str>) -> Self {
        let mut at: HashMap<Cow<'f, str>, usize> = HashMap::new();
        let (mut texts, mut counts, mut same, mut of) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut statements: Vec<Option<&str>> = Vec::new();
        let mut differ = Vec::new();
        for test in failed {
            let text = test.wording.as_str();
            let message = *at.entry(key(text)).or_insert_with(|| {
                texts.push(text);
                counts.push(0);
                same.push(true);
                differ.push(false);
                statements.push(Some(test.statement.as_str()).filter(|text| !text.is_empty()));
                texts.len() - 1
            });
            counts[message] += 1;
            statements[message] = statements[message].filter(|text| *text == test.statement);
            if texts[message] != text {
                same[message] = false;
                differ[message] |= without_own_folder(texts[message]) != without_own_folder(text);
            }
            of.push(message);
        }
        let mut by_count: Vec<usize> = (0..texts.len()).collect();
        by_count.sort_by_key(|message| std::cmp::Reverse(counts[*message]));
        let mut letters = vec![String::new(); texts.len()];
        for (nth, message) in by_count.iter().enumerate().filter(|(_, message)| !texts[**message].is_empty())
        {
            letters[*message] = letter(nth);
        }
        Self { texts, counts, same, differ, statements, of, letters }
    }

    /// The messages, with the letter for each, as far as there is room; frequent ones first. With which of them are there.
    pub(super) fn legend(&self, room: usize) -> (String, Vec<bool>) {
        let mut told = vec![false; self.texts.len()];
        let mut out = format!("{LEGEND}\n");
        let mut order: Vec<usize> = (0..self.texts.len()).filter(|at| !self.texts[*at].is_empty()).collect();
        order.sort_by_key(|message| std::cmp::Reverse(self.counts[*message]));
        let mut left_out = 0;
        for message in order {
            let count = match self.counts[message] {
                1 => String::new(),
                count => format!(" ×{count}"),
            };
            let text = clipped(self.texts[message], MESSAGE);
            let like = if self.same[message] { "" } else { ", other values than" };
            let mut line = format!("  {}{count}{like}: {text}\n", self.letters[message]);
            // A statement at which several failed is worth a line.
            if let Some(statement) = self.statements[message].filter(|_| self.counts[message] > 1) {
                let _ = writeln!(line, "    at {}", clipped(statement, MESSAGE));
            }
            if out.len() + line.len() > room || left_out > 0 {
                left_out += 1;
                continue;
            }
            out.push_str(&line);
            told[message] = true;
        }
        if left_out > 0 {
            let _ = writeln!(out, "… {} not shown", counted(left_out, "messages"));
        }
        (out, told)
    }
}

/// A message without its figures and quoted texts.
fn without_values(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quote = None;
    let mut figure = false;
    for c in text.chars() {
        match quote {
            Some(open) => {
                if c == open {
                    quote = None;
                }
                continue;
            }
            None if matches!(c, '\'' | '"' | '`')
                && !out.ends_with(|before: char| before.is_alphanumeric() && before != 'b') =>
            {
                quote = Some(c);
                out.push(c);
            }
            None if c.is_ascii_digit() => {
                if !figure {
                    out.push('0');
                }
            }
            None => out.push(c),
        }
        figure = c.is_ascii_digit();
    }
    out
}

/// A message without the name of the folder that pytest makes for each test (`tmp_path`).
fn without_own_folder(text: &str) -> Cow<'_, str> {
    const FOLDER: &str = "/pytest-of-";
    let mut rest = text;
    let mut out = String::new();
    while let Some(at) = rest.find(FOLDER) {
        // `/pytest-of-ana/pytest-3/test_add0/a.db`: the user, the run, the test.
        let end =
            rest[at + 1..].match_indices('/').nth(1).map_or(rest.len(), |(slash, _)| at + 1 + slash + 1);
        out.push_str(&rest[..end]);
        rest =
            rest[end..].trim_start_matches(|c: char| c != '/' && c != '\'' && c != '"' && !c.is_whitespace());
    }
    if out.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(out + rest) }
}
