//! The words that a text contributes to the index beyond FTS5's own: the parts of identifiers, the character pairs that make
//! Chinese, Japanese and Korean text findable (FTS5 takes a run without spaces for one word), and the vocabulary for typing
//! corrections and substring search. Pure functions.

use std::collections::HashSet;

/// The length of vocabulary words, in bytes: correcting a two-letter word is hopeless, and very long runs are hashes and
/// encodings.
const VOCABULARY_BYTES: std::ops::RangeInclusive<usize> = 3..=48;

/// The index column `parts` for a text: what unicode61 wouldn't find.
///
/// One identifier's parts stay adjacent, so that the phrase `"use effect"` finds `useEffect`.
pub fn parts(text: &str) -> String {
    let mut out = String::new();
    let mut seen: HashSet<&str> = HashSet::new();
    for run in text.split(|c: char| !c.is_alphanumeric()) {
        if run.len() <= MAX_IDENTIFIER_BYTES && hides_words(run) && seen.insert(run) {
            for word in split_words(run) {
                push(&word, &mut out);
            }
        }
    }
    push_cjk(text, &mut out);
    out
}

/// The words in a text: split at non-alphanumerics, and inside camelCase (`HTTPServer2` → http, server2).
pub(crate) fn split_words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for run in text.split(|c: char| !c.is_alphanumeric()) {
        let chars: Vec<char> = run.chars().collect();
        let mut word = String::new();
        for (i, &c) in chars.iter().enumerate() {
            let before = i.checked_sub(1).map(|j| chars[j]);
            let after_lower = chars.get(i + 1).is_some_and(|n| n.is_lowercase());
            let starts = c.is_uppercase()
                && before
                    .is_some_and(|b| b.is_lowercase() || b.is_numeric() || (b.is_uppercase() && after_lower));
            if starts && !word.is_empty() {
                out.push(std::mem::take(&mut word));
            }
            word.extend(c.to_lowercase());
        }
        if !word.is_empty() {
            out.push(word);
        }
    }
    out
}

/// Longer runs are encodings and hashes, not names.
const MAX_IDENTIFIER_BYTES: usize = 80;

/// Whether a run of letters and digits has a capital after another character, as in camelCase.
fn hides_words(run: &str) -> bool {
    if run.is_ascii() {
        let bytes = run.as_bytes();
        bytes.windows(2).any(|w| !w[0].is_ascii_uppercase() && w[1].is_ascii_uppercase())
            || bytes
                .windows(3)
                .any(|w| w[0].is_ascii_uppercase() && w[1].is_ascii_uppercase() && w[2].is_ascii_lowercase())
    } else {
        run.chars().skip(1).any(char::is_uppercase) && run.chars().any(char::is_lowercase)
    }
}

/// Whether the character's script has no spaces between words.
pub fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF      // Thai, Lao
        | 0x1000..=0x109F    // Myanmar
        | 0x1780..=0x17FF    // Khmer
        | 0x3040..=0x30FF    // kana
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF // Han
        | 0xAC00..=0xD7AF    // Hangul
        | 0xFF66..=0xFF9D    // half-width kana
        | 0x20000..=0x3134F) // Han, extensions
}

/// A run's overlapping character pairs, or the run itself if it is a single character.
pub fn pairs(run: &str) -> impl Iterator<Item = &str> {
    let mut starts: Vec<usize> = run.char_indices().map(|(i, _)| i).collect();
    starts.push(run.len());
    let single = starts.len() == 2;
    let windows: Vec<(usize, usize)> =
        if single { vec![(0, run.len())] } else { starts.windows(3).map(|w| (w[0], w[2])).collect() };
    windows.into_iter().map(move |(a, b)| &run[a..b])
}

fn push_cjk(text: &str, out: &mut String) {
    if text.is_ascii() {
        return;
    }
    let mut run_start: Option<usize> = None;
    let mut word_start: Option<usize> = None; // a non-CJK word that touches CJK on one side
    for (i, c) in text.char_indices().chain(std::iter::once((text.len(), ' '))) {
        let cjk = is_cjk(c);
        if cjk {
            run_start.get_or_insert(i);
            if let Some(start) = word_start.take() {
                push(&text[start..i], out);
            }
        } else {
            if let Some(start) = run_start.take() {
                for pair in pairs(&text[start..i]) {
                    push(pair, out);
                }
                // The last character alone, so that a prefix search for one character finds it too.
                if let Some((last, _)) = text[start..i].char_indices().next_back().filter(|(at, _)| *at > 0) {
                    push(&text[start + last..i], out);
                }
            }
            if c.is_alphanumeric() {
                word_start.get_or_insert(i);
            } else if let Some(start) = word_start.take()
                && text[..start].chars().next_back().is_some_and(is_cjk)
            {
                push(&text[start..i], out);
            }
        }
    }
}

fn push(word: &str, out: &mut String) {
    if !out.is_empty() {
        out.push(' ');
    }
    out.push_str(word);
}

/// Adds the words of `text`, lower-cased, to `into`, without numbers and runs outside [`VOCABULARY_BYTES`].
pub fn vocabulary(text: &str, into: &mut HashSet<String>) {
    let mut lowered = String::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if !VOCABULARY_BYTES.contains(&word.len()) || word.bytes().all(|b| b.is_ascii_digit()) {
            continue;
        }
        lowered.clear();
        if word.is_ascii() {
            lowered.push_str(word);
            lowered.make_ascii_lowercase();
        } else {
            lowered.extend(word.chars().flat_map(char::to_lowercase));
        }
        if !into.contains(lowered.as_str()) {
            into.insert(lowered.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cjk(text: &str) -> String {
        let mut out = String::new();
        push_cjk(text, &mut out);
        out
    }

    #[test]
    fn cjk_runs_become_pairs_and_adjacent_words_stay_separate() {
        assert_eq!(cjk("データ"), "デー ータ タ");
        assert_eq!(cjk("字"), "字");
        assert_eq!(cjk("React入門"), "React 入門 門");
        assert_eq!(cjk("入門React text"), "入門 門 React");
        assert_eq!(cjk("café au lait"), "");
    }

    #[test]
    fn vocabulary_keeps_words_not_numbers() {
        let mut set = HashSet::new();
        vocabulary("Hello hello 12345 v2_beta ÄPFEL ab", &mut set);
        let mut words: Vec<_> = set.into_iter().collect();
        words.sort();
        assert_eq!(words, ["beta", "hello", "äpfel"]);
    }

    #[test]
    fn identifiers_are_split_where_people_see_words() {
        assert_eq!(split_words("HTTPServer2Config"), ["http", "server2", "config"]);
        assert_eq!(split_words("std::fs::read_to_string"), ["std", "fs", "read", "to", "string"]);
        assert_eq!(split_words("straße"), ["straße"]);
    }
}
