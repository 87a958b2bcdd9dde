//! Finds which words of a list occur in a text, in any case. Owns the method: a short text, such as a hook's command, is compared
//! byte by byte, because building an automaton costs more than the whole search; a long one is worth the automaton, which is
//! then built once. Knows nothing of secrets.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};

/// Up to this many bytes are compared without an automaton.
const SHORT: usize = 8 * 1024;

/// No word.
const NONE: u16 = u16::MAX;

/// A list of words and, once a long text was scanned, its automaton.
pub(super) struct Words {
    list: &'static [&'static str],
    automaton: OnceLock<Option<AhoCorasick>>,
}

/// A list's words by their first byte in lower case: for each byte the first word, for each word the next.
struct ByFirst {
    first: [u16; 256],
    next: Vec<u16>,
}

impl Words {
    pub(super) const fn new(list: &'static [&'static str]) -> Self {
        assert!(list.len() < NONE as usize, "a word's number fits");
        Self { list, automaton: OnceLock::new() }
    }

    /// Calls `found` with the number and range of every occurrence, including overlapping ones, in no particular order.
    pub(super) fn each(&self, text: &str, mut found: impl FnMut(usize, Range<usize>)) {
        if text.len() <= SHORT {
            let words = ByFirst::of(self.list);
            for start in 0..text.len() {
                words.at(self.list, text.as_bytes(), start, |word, end| found(word, start..end));
            }
        } else if let Some(automaton) = self.automaton(MatchKind::Standard) {
            automaton
                .find_overlapping_iter(text)
                .for_each(|hit| found(hit.pattern().as_usize(), hit.range()));
        }
    }

    /// The words' ranges from left to right without overlaps; of several at the same start, the longest.
    pub(super) fn longest(&self, text: &str) -> Vec<Range<usize>> {
        if text.len() > SHORT {
            let automaton = self.automaton(MatchKind::LeftmostLongest);
            return automaton.map(|a| a.find_iter(text).map(|hit| hit.range()).collect()).unwrap_or_default();
        }
        let words = ByFirst::of(self.list);
        let mut places = Vec::new();
        let mut start = 0;
        while start < text.len() {
            let mut longest = start;
            words.at(self.list, text.as_bytes(), start, |_, end| longest = longest.max(end));
            if longest > start {
                places.push(start..longest);
                start = longest;
            } else {
                start += 1;
            }
        }
        places
    }

    /// A list is searched in only one of the two ways, so that one automaton serves it.
    fn automaton(&self, kind: MatchKind) -> Option<&AhoCorasick> {
        self.automaton
            .get_or_init(|| {
                AhoCorasickBuilder::new().ascii_case_insensitive(true).match_kind(kind).build(self.list).ok()
            })
            .as_ref()
    }
}

impl ByFirst {
    fn of(list: &[&str]) -> Self {
        let mut by = Self { first: [NONE; 256], next: vec![NONE; list.len()] };
        for (number, word) in (0..NONE).zip(list) {
            let Some(byte) = word.bytes().next() else { continue };
            let head = &mut by.first[usize::from(byte.to_ascii_lowercase())];
            by.next[usize::from(number)] = *head;
            *head = number;
        }
        by
    }

    fn at(&self, list: &[&str], text: &[u8], start: usize, mut found: impl FnMut(usize, usize)) {
        let mut number = self.first[usize::from(text[start].to_ascii_lowercase())];
        while number != NONE {
            let word = list[usize::from(number)];
            let end = start + word.len();
            if text.get(start..end).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes())) {
                found(usize::from(number), end);
            }
            number = self.next[usize::from(number)];
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{SHORT, Words};

    const LIST: &[&str] = &["pass", "password", "Word", "ss", "key", "api_key", "sk-", "://"];
    static EACH: Words = Words::new(LIST);
    static LONGEST: Words = Words::new(LIST);

    proptest! {
        /// Comparing and the automaton find the same, so that the length of a text decides nothing.
        #[test]
        fn both_ways_agree(parts in prop::collection::vec("pass|WORD|ssword|api_?key|sk-|://| |é|ſ|[a-z]{1,3}", 0..40)) {
            let short = parts.concat();
            let long = format!("{short}{}", " ".repeat(SHORT + 1));
            let all = |text: &str| {
                let mut hits = Vec::new();
                EACH.each(text, |word, at| hits.push((word, at)));
                hits.sort_by_key(|(word, at)| (at.start, at.end, *word));
                hits
            };
            prop_assert_eq!(all(&short), all(&long));
            prop_assert_eq!(LONGEST.longest(&short), LONGEST.longest(&long));
        }
    }
}
