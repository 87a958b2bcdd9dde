//! Finds which words of a list occur in a text. Owns the method: a table says for every pair of bytes which words begin
//! with it, so most positions of a text need a single look and no automaton is built. For a process that reads one
//! text, such as a hook, building one would cost more than the whole search.

use std::ops::Range;

/// Slots of the table: six bits of each of two bytes.
const SLOTS: usize = 1 << 12;
/// No further entry.
const NONE: u32 = u32::MAX;

/// A list of words to look for.
///
/// ```
/// let words = plimsoll_text::WordList::new(["err", "Error"], true);
/// assert!(words.is_in("ERRATIC") && !words.is_in("er r"));
/// assert_eq!(words.longest("an error, an err"), [3..8, 13..16]);
/// ```
#[derive(Debug)]
pub struct WordList<W = &'static str> {
    words: Vec<W>,
    any_case: bool,
    /// For the last six bits of a position's first byte, a bit for each value of the last six of its second: whether a
    /// word may begin there. Small enough to stay in the processor's cache during a scan.
    begins: [u64; 64],
    /// The first entry of each slot.
    slots: Box<[u32]>,
    /// A word's number and the next entry of its slot.
    entries: Vec<(u32, u32)>,
}

impl<W: AsRef<str>> WordList<W> {
    /// The words in their order; their numbers count from 0. An empty one is never found. `any_case`: ASCII letters are the same in
    /// either case.
    pub fn new(words: impl IntoIterator<Item = W>, any_case: bool) -> Self {
        let words: Vec<W> = words.into_iter().collect();
        let mut slots = vec![NONE; SLOTS].into_boxed_slice();
        let mut entries = Vec::with_capacity(words.len());
        let mut begins = [0; 64];
        // The last word comes first in its slot, so a slot lists its words in their order.
        for (number, word) in (0..NONE).zip(&words).rev() {
            let mut add = |one: u8, two: u8| {
                let slot = slot(one, two);
                let known = entries.get(slots[slot] as usize).is_some_and(|(known, _)| *known == number);
                let Ok(entry) = u32::try_from(entries.len()) else { return };
                if !known {
                    entries.push((number, slots[slot]));
                    slots[slot] = entry;
                    begins[usize::from(one & 63)] |= 1 << (two & 63);
                }
            };
            match word.as_ref().as_bytes() {
                [] => {}
                // Any byte may follow a single one.
                [one] => cases(*one, any_case).for_each(|one| (0..64).for_each(|two| add(one, two))),
                [one, two, ..] => {
                    for one in cases(*one, any_case) {
                        cases(*two, any_case).for_each(|two| add(one, two));
                    }
                }
            }
        }
        Self { words, any_case, begins, slots, entries }
    }

    /// The words.
    #[must_use]
    pub fn words(&self) -> &[W] {
        &self.words
    }

    /// Calls `found` with the number and range of every occurrence, overlapping ones too, by their start.
    pub fn each(&self, text: &str, mut found: impl FnMut(usize, Range<usize>)) {
        let bytes = text.as_bytes();
        self.starts(bytes, |start, slot| {
            self.at(bytes, start, slot, |number, end| found(number, start..end));
            false
        });
    }

    /// Whether any of the words is in `text`.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let mut any = false;
        self.starts(bytes, |start, slot| {
            self.at(bytes, start, slot, |_, _| any = true);
            any
        });
        any
    }

    /// The words' ranges from left to right without overlaps; of several at the same start, the longest.
    #[must_use]
    pub fn longest(&self, text: &str) -> Vec<Range<usize>> {
        let bytes = text.as_bytes();
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut free = 0;
        self.starts(bytes, |start, slot| {
            if start >= free {
                let mut longest = start;
                self.at(bytes, start, slot, |_, end| longest = longest.max(end));
                if longest > start {
                    ranges.push(start..longest);
                    free = longest;
                }
            }
            false
        });
        ranges
    }

    /// Calls `looked` for each place whose slot has words, until it returns true.
    fn starts(&self, bytes: &[u8], mut looked: impl FnMut(usize, usize) -> bool) {
        for (start, pair) in bytes.windows(2).enumerate() {
            let (one, two) = (pair[0], pair[1]);
            if self.begins[usize::from(one & 63)] >> (two & 63) & 1 == 1 && looked(start, slot(one, two)) {
                return;
            }
        }
        // Nothing follows the last byte.
        if let Some(last) = bytes.last() {
            looked(bytes.len() - 1, slot(*last, 0));
        }
    }

    /// Calls `found` with the number and end of each word that is at `start`.
    fn at(&self, bytes: &[u8], start: usize, slot: usize, mut found: impl FnMut(usize, usize)) {
        let mut next = self.slots[slot];
        while let Some((number, after)) = self.entries.get(next as usize) {
            let word = self.words[*number as usize].as_ref().as_bytes();
            let end = start + word.len();
            if bytes.get(start..end).is_some_and(|part| match self.any_case {
                true => part.eq_ignore_ascii_case(word),
                false => part == word,
            }) {
                found(*number as usize, end);
            }
            next = *after;
        }
    }
}

/// A byte in both cases, if they count as the same.
fn cases(byte: u8, any_case: bool) -> impl Iterator<Item = u8> {
    let other = byte ^ 0x20;
    let other = (any_case && byte.is_ascii_alphabetic()).then_some(other);
    std::iter::once(byte).chain(other)
}

fn slot(one: u8, two: u8) -> usize {
    usize::from(one & 63) << 6 | usize::from(two & 63)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::WordList;

    const LIST: &[&str] = &["pass", "password", "Word", "ss", "key", "api_key", "sk-", "://", "é", "x", ""];

    /// Every occurrence by comparing every place with every word.
    fn compared(text: &str, any_case: bool) -> Vec<(usize, usize, usize)> {
        let mut all = Vec::new();
        for start in 0..text.len() {
            for (number, word) in LIST.iter().enumerate().filter(|(_, word)| !word.is_empty()) {
                let end = start + word.len();
                let same = text.as_bytes().get(start..end).is_some_and(|part| match any_case {
                    true => part.eq_ignore_ascii_case(word.as_bytes()),
                    false => part == word.as_bytes(),
                });
                if same {
                    all.push((start, end, number));
                }
            }
        }
        all.sort_unstable();
        all
    }

    proptest! {
        #[test]
        fn the_search_finds_what_a_comparison_finds(
            parts in prop::collection::vec("pass|WORD|ssword|api_?key|sk-|://| |é|ſ|X|[a-z]{1,3}|\\PC", 0..40),
            any_case in any::<bool>(),
        ) {
            let text = parts.concat();
            let list = WordList::new(LIST.iter().copied(), any_case);
            let mut all = Vec::new();
            list.each(&text, |number, at| all.push((at.start, at.end, number)));
            prop_assert!(all.is_sorted_by_key(|(start, _, _)| *start));
            all.sort_unstable();
            let expected = compared(&text, any_case);
            prop_assert_eq!(&all, &expected);
            prop_assert_eq!(list.is_in(&text), !expected.is_empty());
            let mut longest: Vec<std::ops::Range<usize>> = Vec::new();
            for start in 0..text.len() {
                let end = expected.iter().filter(|one| one.0 == start).map(|one| one.1).max();
                if let Some(end) = end.filter(|_| longest.last().is_none_or(|last| last.end <= start)) {
                    longest.push(start..end);
                }
            }
            prop_assert_eq!(list.longest(&text), longest);
        }
    }
}
