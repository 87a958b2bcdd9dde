//! Many failed tests in little room: by file, each with its place and name, and every message once. Owns what is
//! dropped first: names of suites, then messages that differ only in values, then a function's name before its cases but
//! the first, then names of tests that share a frequent message. The messages are read in `failed_messages`.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

pub(super) use super::failed_messages::Failed;
use super::failed_messages::Messages;
use crate::clip::clipped;

/// Longest name of a test, in bytes.
const NAME: usize = 160;
/// The maximum length of the line that counts omissions, in bytes.
const MARK: usize = 48;
/// How many times as many names are tried as there is room for.
const MORE_NAMES: usize = 4;
/// How much of a test's own message is shown beside it, in bytes.
const OWN: [usize; 3] = [120, 64, 0];

/// The failed tests in at most `room` bytes, if each can be listed there.
pub(super) fn list(failed: &[Failed<'_>], room: usize) -> Option<String> {
    let messages = Messages::new(failed);
    let mut order: Vec<usize> = (0..failed.len()).collect();
    // Tests of one file are together, files in their order.
    let mut files: HashMap<&str, usize> = HashMap::new();
    for test in failed {
        let next = files.len();
        files.entry(test.file).or_insert(next);
    }
    order.sort_by_key(|at| files.get(failed[*at].file).copied());
    let whole = room;
    let (legend, told) = messages.legend(room / 3);
    let list = List { failed, order, messages, told };
    let room = whole.checked_sub(legend.len())?;
    // The room that the rows leave is for more of the messages.
    let with_legend = |rows: String| {
        let (more, _) = list.messages.legend((whole - rows.len()).saturating_sub(MARK));
        let fits = more.len() > legend.len() && more.len() + rows.len() <= whole;
        if fits { more + &rows } else { format!("{legend}{rows}") }
    };
    let all = vec![true; failed.len()];
    let (id, full, once) = (Naming::Id, Naming::Full, Naming::FunctionOnce);
    for (naming, suites, own) in [
        (id, true, OWN[0]),
        (full, true, OWN[0]),
        (full, false, OWN[0]),
        (id, false, OWN[1]),
        (full, false, OWN[1]),
        (id, false, OWN[2]),
        (full, false, OWN[2]),
        (once, true, OWN[0]),
        (once, false, OWN[0]),
        (once, false, OWN[1]),
        (once, false, OWN[2]),
    ] {
        let form = Form { naming, suites, own, saying: failed.len() };
        let rows = list.rows(form, &all);
        if rows.len() <= room {
            let more = (own == 0).then(|| list.with_some_words(form, room)).flatten();
            return Some(with_legend(more.unwrap_or(rows)));
        }
    }
    // A name whose function is named above it takes less room than it was counted with.
    (1..=MORE_NAMES).rev().find_map(|times| {
        let rows = list.rows(Form::default(), &list.chosen(room, times)?);
        (rows.len() <= room).then(|| with_legend(rows))
    })
}

struct List<'f, 't> {
    failed: &'f [Failed<'t>],
    order: Vec<usize>,
    messages: Messages<'f>,
    /// Which messages the legend has, however much it has room for.
    told: Vec<bool>,
}

/// How a test is named.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Naming {
    /// By the name by which it can be run alone.
    Id,
    Full,
    /// The cases of one function by their values, below the first with the function's name: `[2-a day]`.
    #[default]
    FunctionOnce,
}

/// How much of each test is shown: its name, its suites, and up to so many bytes of its own message.
#[derive(Clone, Copy, Default)]
struct Form {
    naming: Naming,
    suites: bool,
    own: usize,
    /// Only so many of the tests show it, from all parts of the list.
    saying: usize,
}

impl List<'_, '_> {
    /// Which tests are named if not all fit: those with rare messages first, as if there were so many `times` the room for names.
    fn chosen(&self, room: usize, times: usize) -> Option<Vec<bool>> {
        let mut named = vec![false; self.failed.len()];
        let mark = 64;
        let mut left = times * room.checked_sub(self.rows(Form::default(), &named).len() + mark)?;
        let mut rare = self.order.clone();
        rare.sort_by_key(|at| self.messages.counts[self.messages.of[*at]]);
        for at in rare {
            let cost = clipped(self.failed[at].name, NAME).len() + "; ".len();
            if cost <= left {
                left -= cost;
                named[at] = true;
            }
        }
        Some(named)
    }

    /// The rows with the own words of as many tests as have room.
    fn with_some_words(&self, form: Form, room: usize) -> Option<String> {
        let all = vec![true; self.failed.len()];
        let (mut low, mut high, mut best) = (0, self.failed.len(), None);
        while low < high {
            let saying = low + (high - low).div_ceil(2);
            let rows = self.rows(Form { own: OWN[1], saying, ..form }, &all);
            if rows.len() <= room {
                (low, best) = (saying, Some(rows));
            } else {
                high = saying - 1;
            }
        }
        best
    }

    /// The tests by file. After a test's name comes its own message where others only have one like it; without that,
    /// tests of one place and message share a row.
    fn rows(&self, form: Form, named: &[bool]) -> String {
        let Form { naming, suites: with_suites, own, saying } = form;
        // Whether the test at this place of the order is one of those that show their own words.
        let count = self.order.len().max(1);
        let is_saying = |at: usize| (at + 1) * saying / count > at * saying / count;
        let mut out = String::new();
        let mut file = None;
        let mut open: &[&str] = &[];
        let mut function = None;
        let mut order = self.order.as_slice();
        while let Some(first) = order.first() {
            let test = &self.failed[*first];
            if file != Some(test.file) {
                file = Some(test.file);
                open = &[];
                let _ = writeln!(out, "{}", if test.file.is_empty() { "no place named" } else { test.file });
            }
            if with_suites {
                let same = open.iter().zip(&test.suites).take_while(|(one, other)| one == other).count();
                for (depth, suite) in test.suites.iter().enumerate().skip(same) {
                    let _ = writeln!(out, "{:1$} {suite}", "", depth);
                }
                if same < open.len().max(test.suites.len()) {
                    function = None;
                }
                open = &test.suites;
            }
            let message = self.messages.of[*first];
            let at = self.order.len() - order.len();
            let may_say = own > 0 && self.messages.differ[message];
            // A message that the legend has no room for can't be continued.
            let above = if self.told[message] { self.messages.texts[message] } else { "" };
            let says = may_say && is_saying(at);
            let joins = |at: &usize| {
                let other = &self.failed[*at];
                (other.file, other.at, self.messages.of[*at]) == (test.file, test.at, message)
                    && (!with_suites || other.suites == test.suites)
            };
            let goes_on = |(nth, other): &(usize, &usize)| joins(other) && !(may_say && is_saying(at + nth));
            let length = if says { 1 } else { order.iter().enumerate().take_while(goes_on).count().max(1) };
            let (row, rest) = order.split_at(length);
            order = rest;
            let depth = 1 + if with_suites { test.suites.len() } else { 0 };
            out.push_str(&" ".repeat(depth));
            let mut parts: Vec<Cow<'_, str>> = Vec::new();
            parts.extend([test.at, &self.messages.letters[message]].map(Cow::Borrowed));
            if length > 1 {
                parts.push(Cow::Owned(format!("×{length}")));
            }
            let names = row.iter().filter(|at| named.get(**at) == Some(&true));
            let called = |test: &Failed<'_>| {
                let id = Some(test.id).filter(|id| naming == Naming::Id && !id.is_empty());
                id.map_or_else(|| clipped(test.name, NAME).into_owned(), str::to_owned)
            };
            let mut names: Vec<String> = names.map(|at| called(&self.failed[*at])).collect();
            // A test may have failed there several times.
            names.dedup();
            if naming == Naming::FunctionOnce {
                names
                    .iter_mut()
                    .for_each(|name| name_function_once(name, (test.file, test.at), &mut function));
            }
            parts.push(Cow::Owned(names.join("; ")));
            if says {
                parts.push(Cow::Owned(own_words(
                    &test.wording,
                    (self.messages.letters[message].as_str(), above),
                    own,
                )));
            }
            parts.retain(|part| !part.is_empty());
            let _ = writeln!(out, "{}", parts.join(" "));
        }
        let nameless = self.nameless(named);
        if nameless > 0 {
            let _ = writeln!(out, "… {nameless} names of tests not shown");
        }
        out
    }

    /// How many tests aren't named at any of the places where they failed.
    fn nameless(&self, named: &[bool]) -> usize {
        let with = |is_named: bool| {
            let tests = named.iter().zip(self.failed).filter(move |(named, _)| **named == is_named);
            tests.map(|(_, test)| (test.file, test.suites.as_slice(), test.name)).collect::<HashSet<_>>()
        };
        let shown = with(true);
        with(false).iter().filter(|test| !test.2.is_empty() && !shown.contains(*test)).count()
    }
}

/// A file, a place in it, and the function that was named last.
type NamedFunction<'f> = (&'f str, &'f str, String);

/// Removes the function from a case's name (`test_total[2-a day]`) if it's the one `above`, which failed at the same place.
fn name_function_once<'f>(name: &mut String, at: (&'f str, &'f str), above: &mut Option<NamedFunction<'f>>) {
    let function = name.split_once('[').filter(|_| name.ends_with(']')).map(|(function, _)| function);
    // In a sentence a bracket begins no values: `returns [a, b]`.
    let Some(function) = function.filter(|function| !function.is_empty() && !function.contains(' ')) else {
        *above = None;
        return;
    };
    let function = (at.0, at.1, function.to_owned());
    if above.as_ref() == Some(&function) {
        name.drain(..function.2.len());
    } else {
        *above = Some(function);
    }
}

/// A shorter common beginning may be repeated, in bytes.
const SAME: usize = 24;

/// A message without its beginning, if that is the beginning of the legend's text for this letter. The legend doesn't
/// say whose values these are, so the test that has them names the letter.
fn own_words(text: &str, (letter, shown): (&str, &str), most: usize) -> String {
    if text == shown {
        return format!("with the values of {letter}");
    }
    let same: usize =
        text.chars().zip(shown.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let from = text[..same].rfind(char::is_whitespace).map_or(0, |at| at + 1);
    if from < SAME || same == text.len() {
        return clipped(text, most).into_owned();
    }
    format!("… {}", clipped(&text[from..], most))
}

#[cfg(test)]
mod tests;
