//! Many failed tests in little room: by file, each with its place and name, and every message once. Owns what is
//! dropped first: names of suites, then messages that differ only in values, then names of tests that share a
//! frequent message. The messages are read in `failed_messages`.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

pub(super) use super::failed_messages::Failed;
use super::failed_messages::{Messages, clipped};

/// Longest name of a test, in bytes.
const NAME: usize = 160;
/// The maximum length of the line that counts omissions, in bytes.
const MARK: usize = 48;
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
    for (ids, suites, own) in [
        (true, true, OWN[0]),
        (false, true, OWN[0]),
        (false, false, OWN[0]),
        (true, false, OWN[1]),
        (false, false, OWN[1]),
        (true, false, OWN[2]),
        (false, false, OWN[2]),
    ] {
        let form = Form { ids, suites, own, saying: failed.len() };
        let rows = list.rows(form, &all);
        if rows.len() <= room {
            let more = (own == 0).then(|| list.with_some_words(form, room)).flatten();
            return Some(with_legend(more.unwrap_or(rows)));
        }
    }
    let rows = list.rows(Form::default(), &list.chosen(room)?);
    (rows.len() <= room).then(|| with_legend(rows))
}

struct List<'f, 't> {
    failed: &'f [Failed<'t>],
    order: Vec<usize>,
    messages: Messages<'f>,
    /// Which messages the legend has, however much it has room for.
    told: Vec<bool>,
}

/// How much of each test is shown: the name by which it can be run alone instead of its plain name, its suites, and
/// up to so many bytes of its own message.
#[derive(Clone, Copy, Default)]
struct Form {
    ids: bool,
    suites: bool,
    own: usize,
    /// Only so many of the tests show it, from all parts of the list.
    saying: usize,
}

impl List<'_, '_> {
    /// Which tests are named if not all fit: those with rare messages first.
    fn chosen(&self, room: usize) -> Option<Vec<bool>> {
        let mut named = vec![false; self.failed.len()];
        let mark = 64;
        let mut left = room.checked_sub(self.rows(Form::default(), &named).len() + mark)?;
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
        let Form { ids, suites: with_suites, own, saying } = form;
        // Whether the test at this place of the order is one of those that show their own words.
        let count = self.order.len().max(1);
        let is_saying = |at: usize| (at + 1) * saying / count > at * saying / count;
        let mut out = String::new();
        let mut file = None;
        let mut open: &[&str] = &[];
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
                if ids && !test.id.is_empty() { test.id.to_owned() } else { clipped(test.name, NAME) }
            };
            let mut names: Vec<String> = names.map(|at| called(&self.failed[*at])).collect();
            // A test may have failed there several times.
            names.dedup();
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
        return clipped(text, most);
    }
    format!("… {}", clipped(&text[from..], most))
}

#[cfg(test)]
mod tests {
    use super::{Failed, list, own_words};

    #[test]
    fn a_tests_own_words_are_those_missing_from_the_legend() {
        let shown = "AssertionError: expected 2 to be 3 // Object.is equality";
        for (text, own) in [
            (shown, "with the values of b"),
            ("AssertionError: expected 2 to be 7 // Object.is equality", "… 7 // Object.is equality"),
            ("AssertionError: expected 2 to be", "AssertionError: expected 2 to be"),
            ("Error: 4", "Error: 4"),
        ] {
            assert_eq!(own_words(text, ("b", shown), 120), own);
        }
    }

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
                ..Failed::default()
            })
            .collect();
        let whole = list(&failed, 9_000).unwrap();
        assert!(whole.contains("  a ×59: Error: expected 4\n  b: TypeError: no price\ntest/a.js\n shop\n  cart\n   1:7 a should do the 0th thing"), "{whole}");
        for room in [whole.len() - 1, 1_900] {
            let part = list(&failed, room).unwrap();
            assert!(part.len() <= room && !part.contains("cart"), "{part}");
            assert!(places.iter().all(|place| part.contains(&format!(" {place} "))), "{part}");
            assert!(part.contains("370:7 b should do the 41th thing"), "{part}");
            assert_eq!(part.contains("names of tests not shown"), room == 1_900, "{part}");
        }
        assert_eq!(list(&failed, 300), None);
    }

    /// Two tests have each message, and more than a third of the room is for messages.
    #[test]
    fn messages_use_the_room_left_by_rows() {
        let says = |n: usize| format!("TypeError: the total of the {n}th cart in the shop is not a number");
        let names: Vec<String> = (100..162).map(|n| format!("adds {n}")).collect();
        let failed: Vec<Failed<'_>> = (0..62)
            .map(|n| Failed {
                file: "a.js",
                at: "7",
                name: &names[n],
                wording: says(n / 2),
                ..Failed::default()
            })
            .collect();
        let whole = list(&failed, 4_000).unwrap();
        assert!(whole.len() <= 4_000 && (0..31).all(|n| whole.contains(&says(n))), "{whole}");
        for room in (800..4_000).step_by(50) {
            let part = list(&failed, room);
            assert!(part.as_ref().is_none_or(|part| part.len() <= room), "{room}: {part:?}");
        }
    }

    /// 40 messages, each of two tests with different values; the legend has room for some.
    #[test]
    fn words_continue_only_after_text_in_the_legend() {
        let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap());
        let kind = |n: usize| {
            let word = format!("{}{}", letter(n / 26), letter(n));
            format!(
                "TypeError: the total of {word} isn't what it was in the shop before the sale of last autumn"
            )
        };
        let names: Vec<String> = (100..180).map(|n| format!("adds {n}")).collect();
        let failed: Vec<Failed<'_>> = (0..80)
            .map(|n| Failed {
                file: "a.js",
                at: "7",
                name: &names[n],
                wording: format!("{}: {n} rather than 7", kind(n / 2)),
                ..Failed::default()
            })
            .collect();
        let mut any = false;
        for room in (1_500..9_000).step_by(250) {
            let Some(part) = list(&failed, room) else { continue };
            assert!(part.len() <= room, "{room}: {part}");
            let (legend, _) = part.split_once("a.js\n").unwrap();
            for (n, name) in names.iter().enumerate() {
                let goes_on =
                    ["… ", "with the values of "].iter().any(|with| part.contains(&format!("{name} {with}")));
                any |= goes_on;
                assert!(!goes_on || legend.contains(&kind(n / 2)), "{room} {name}: {part}");
            }
        }
        assert!(any);
    }

    /// A test fails as often as its loop runs.
    #[test]
    fn a_test_that_failed_several_times_is_named_and_counted_once() {
        let names: Vec<String> = (100..160).map(|n| format!("Cart.TotalsOfManyGoods{n}")).collect();
        let places: Vec<String> = (100..160).map(|n| format!("{n}7")).collect();
        let failed: Vec<Failed<'_>> = (0..180)
            .map(|n| Failed {
                file: "cart_test.cc",
                at: &places[n / 3],
                name: &names[n / 3],
                wording: "Value of: is_empty(); Actual: false".into(),
                ..Failed::default()
            })
            .collect();
        let whole = list(&failed, 9_000).unwrap();
        assert!(whole.contains("\n 1007 a ×3 Cart.TotalsOfManyGoods100\n"), "{whole}");
        let part = list(&failed, 1_400).unwrap();
        let shown = names.iter().filter(|name| part.contains(name.as_str())).count();
        let hidden = 60 - shown;
        assert!(
            shown < 60 && part.ends_with(&format!("\n… {hidden} names of tests not shown\n")),
            "{shown}: {part}"
        );
    }

    #[test]
    fn messages_that_differ_in_values_are_of_one_kind_and_every_name_stays() {
        let names: Vec<String> = (0..200).map(|n| format!("test_url[case{n}]")).collect();
        let failed: Vec<Failed<'_>> = (0..200)
            .map(|n| Failed {
                file: "tests/test_url.py",
                at: if n == 77 { "91" } else { "50" },
                suites: Vec::new(),
                name: &names[n],
                wording: match n {
                    77 => "KeyError: 'port'".into(),
                    _ => format!("AssertionError: assert '/p{n}/x' == '/p{n}'"),
                },
                ..Failed::default()
            })
            .collect();
        let whole = list(&failed, 20_000).unwrap();
        let own = " 50 a test_url[case3] AssertionError: assert '/p3/x' == '/p3'\n";
        assert!(whole.contains(own) && whole.len() <= 20_000, "{whole}");
        assert!(whole.contains("test_url[case0] with the values of a\n"), "{whole}");
        let joined = list(&failed, 5_000).unwrap();
        assert!(
            joined.contains("  a ×199, other values than: AssertionError: assert '/p0/x' == '/p0'\n"),
            "{joined}"
        );
        assert!(names.iter().all(|name| joined.contains(name.as_str())) && joined.len() <= 5_000, "{joined}");
        assert!(joined.contains(" 91 b test_url[case77]\n"), "{joined}");
        for room in (500..3_500).step_by(100) {
            let part = list(&failed, room).unwrap();
            let names = part.contains("test_url[case77]") && part.contains(" names of tests not shown\n");
            assert!(names && part.len() <= room, "{room}: {part}");
        }
    }
}
