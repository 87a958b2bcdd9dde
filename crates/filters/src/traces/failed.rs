//! Many failed tests in little room: by file, each with its place and its name, and what was said of them once. Owns which
//! gives way first: the names of suites, then the names of tests whose message many others have.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::diagnostics::letter;

/// Longest message, and longest name of a test, in bytes.
const MESSAGE: usize = 200;
const NAME: usize = 160;

/// A test that failed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Failed<'t> {
    /// The file, and the place in it; empty where the report names none.
    pub(super) file: &'t str,
    pub(super) at: &'t str,
    /// The suites that it is in, and its name.
    pub(super) suites: Vec<&'t str>,
    pub(super) name: &'t str,
    /// What was said of it.
    pub(super) wording: String,
}

/// The failed tests in at most `room` bytes, if each can be listed there.
pub(super) fn told(failed: &[Failed<'_>], room: usize) -> Option<String> {
    let messages = Messages::new(failed);
    let mut order: Vec<usize> = (0..failed.len()).collect();
    // Tests of one file stand together, files in their order.
    let mut files: HashMap<&str, usize> = HashMap::new();
    for test in failed {
        let next = files.len();
        files.entry(test.file).or_insert(next);
    }
    order.sort_by_key(|at| files.get(failed[*at].file).copied());
    let list = List { failed, order, messages };
    let legend = list.messages.legend(room / 3);
    let room = room.checked_sub(legend.len())?;
    let all = vec![true; failed.len()];
    for suites in [true, false] {
        let rows = list.rows(suites, &all);
        if rows.len() <= room {
            return Some(legend + &rows);
        }
    }
    let rows = list.rows(false, &list.chosen(room)?);
    (rows.len() <= room).then(|| legend + &rows)
}

struct List<'f, 't> {
    failed: &'f [Failed<'t>],
    order: Vec<usize>,
    messages: Messages<'f>,
}

impl List<'_, '_> {
    /// Which tests are named, so that all fit: those of rare messages first.
    fn chosen(&self, room: usize) -> Option<Vec<bool>> {
        let mut named = vec![false; self.failed.len()];
        let mark = 64;
        let mut left = room.checked_sub(self.rows(false, &named).len() + mark)?;
        let mut rare = self.order.clone();
        rare.sort_by_key(|at| self.messages.counts[self.messages.of[*at]]);
        for at in rare {
            let cost = clipped(self.failed[at].name, NAME).len() + 1;
            if cost <= left {
                left -= cost;
                named[at] = true;
            }
        }
        Some(named)
    }

    fn rows(&self, with_suites: bool, named: &[bool]) -> String {
        let mut out = String::new();
        let mut file = None;
        let mut open: &[&str] = &[];
        for at in &self.order {
            let test = &self.failed[*at];
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
                open = &test.suites;
            }
            let depth = 1 + if with_suites { test.suites.len() } else { 0 };
            let mut row = " ".repeat(depth);
            for part in [test.at, &self.messages.letters[self.messages.of[*at]]] {
                if !part.is_empty() {
                    row.push_str(part);
                    row.push(' ');
                }
            }
            if named.get(*at) == Some(&true) {
                row.push_str(&clipped(test.name, NAME));
            }
            let _ = writeln!(out, "{}", row.trim_end());
        }
        let nameless = named.iter().filter(|named| !**named).count();
        if nameless > 0 {
            let _ = writeln!(out, "… {nameless} names of tests not shown");
        }
        out
    }
}

/// What was said, each once.
struct Messages<'f> {
    texts: Vec<&'f str>,
    counts: Vec<usize>,
    /// For each test its message.
    of: Vec<usize>,
    letters: Vec<String>,
}

impl<'f> Messages<'f> {
    fn new(failed: &'f [Failed<'_>]) -> Self {
        let mut at: HashMap<&str, usize> = HashMap::new();
        let (mut texts, mut counts, mut of) = (Vec::new(), Vec::new(), Vec::new());
        for test in failed {
            let message = *at.entry(&test.wording).or_insert_with(|| {
                texts.push(test.wording.as_str());
                counts.push(0);
                texts.len() - 1
            });
            counts[message] += 1;
            of.push(message);
        }
        let mut by_count: Vec<usize> = (0..texts.len()).collect();
        by_count.sort_by_key(|message| std::cmp::Reverse(counts[*message]));
        let mut letters = vec![String::new(); texts.len()];
        for (nth, message) in by_count.iter().enumerate().filter(|(_, message)| !texts[**message].is_empty())
        {
            letters[*message] = letter(nth);
        }
        Self { texts, counts, of, letters }
    }

    /// What was said, with the letter that stands for it, as far as there is room; frequent ones first.
    fn legend(&self, room: usize) -> String {
        let mut out = String::from("each failed test with a letter for its message:\n");
        let mut order: Vec<usize> = (0..self.texts.len()).filter(|at| !self.texts[*at].is_empty()).collect();
        order.sort_by_key(|message| std::cmp::Reverse(self.counts[*message]));
        let mut left_out = 0;
        for message in order {
            let count = match self.counts[message] {
                1 => String::new(),
                count => format!(" ×{count}"),
            };
            let text = clipped(self.texts[message], MESSAGE);
            let line = format!("  {}{count}: {text}\n", self.letters[message]);
            if out.len() + line.len() > room || left_out > 0 {
                left_out += 1;
                continue;
            }
            out.push_str(&line);
        }
        if left_out > 0 {
            let _ = writeln!(out, "… {left_out} messages not shown");
        }
        out
    }
}

fn clipped(text: &str, most: usize) -> String {
    if text.len() <= most + 24 {
        return text.to_owned();
    }
    let cut = text.floor_char_boundary(most);
    format!("{}… {} bytes more", &text[..cut], text.len() - cut)
}

#[cfg(test)]
mod tests {
    use super::{Failed, told};

    #[test]
    fn every_place_comes_before_names_and_rare_messages_before_frequent_ones() {
        let names: Vec<String> =
            (0..60).map(|n| format!("should do the {n}th thing as it is asked to")).collect();
        let places: Vec<String> = (0..60).map(|n| format!("{}:7", n * 9 + 1)).collect();
        let failed: Vec<Failed<'_>> = (0..60)
            .map(|n| Failed {
                file: if n % 2 == 0 { "test/a.js" } else { "test/b.js" },
                at: &places[n],
                suites: vec!["shop", if n < 30 { "cart" } else { "till" }],
                name: &names[n],
                wording: if n == 41 { "TypeError: no price".into() } else { "Error: expected 4".into() },
            })
            .collect();
        let whole = told(&failed, 9_000).unwrap();
        assert!(whole.contains("  a ×59: Error: expected 4\n  b: TypeError: no price\ntest/a.js\n shop\n  cart\n   1:7 a should do the 0th thing"), "{whole}");
        for room in [whole.len() - 1, 1_900] {
            let part = told(&failed, room).unwrap();
            assert!(part.len() <= room && !part.contains("cart"), "{part}");
            assert!(places.iter().all(|place| part.contains(&format!(" {place} "))), "{part}");
            assert!(part.contains("370:7 b should do the 41th thing"), "{part}");
            assert_eq!(part.contains("names of tests not shown"), room == 1_900, "{part}");
        }
        assert_eq!(told(&failed, 300), None);
    }
}
