//! Finds a text's secrets: one pass for all words that announce a secret, then the finder for the word, at that position only. Owns
//! the order of work; each finder knows one shape.

use std::sync::{LazyLock, OnceLock};

use regex_automata::meta::Regex;
use regex_automata::{Anchored, Input};

use crate::WordList;

use super::formats::{FORMATS, Format};
use super::placeholder::is_placeholder;
use super::random::{begins_word, looks_random, looks_random_in_parts};
use super::{MARK, Secret, assignment, commands, encoded, headers, keys, queries, records, spoken, sql_rows};

/// Checks one position: the text, the word's start and end. Returns up to where the same word needs no further check.
type Find = fn(&str, usize, usize, &mut Vec<Secret>) -> usize;

/// Finders that need more than a pattern, and the case-insensitive words that trigger them.
const FINDERS: &[(Find, &[&str])] = &[
    (keys::find, &["PRIVATE KEY", "PuTTY-User-Key-File-", "OpenVPN Static key"]),
    (
        headers::find,
        &[
            "authorization",
            "bearer ",
            "cookie",
            "authkey:",
            "-key:",
            "-token:",
            "-auth:",
            "-key\":",
            "-token\":",
            "apikey:",
        ],
    ),
    (headers::address, &["://", ":\\/\\/"]),
    (headers::encoded_address, &["%3A%2F%2F"]),
    (commands::find, commands::PROGRAMS),
    (records::find, records::WORDS),
    (sql_rows::sql, sql_rows::WORDS),
    (queries::find, queries::WORDS),
    (spoken::find, spoken::WORDS),
    (encoded::find, encoded::WORDS),
];

/// Words of which each secret's name has one; `assignment` knows the names, and only looks for them where one of these is.
const NAME_WORDS: &[&str] = &[
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "credential",
    "auth",
    "pw",
    "_pat",
    "creds",
    "kennwort",
    "wachtwoord",
    "contrase",
    "senha",
    "hasł",
    "hasŁ",
    "ароль",
    "АРОЛЬ",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
    "psk",
    "-signature",
];

const fn words_of_formats() -> usize {
    let (mut count, mut i) = (0, 0);
    while i < FORMATS.len() {
        count += FORMATS[i].words.len();
        i += 1;
    }
    count
}

const fn words_of_finders() -> usize {
    let (mut count, mut i) = (0, 0);
    while i < FINDERS.len() {
        count += FINDERS[i].1.len();
        i += 1;
    }
    count
}

/// The total number of the formats' words, and of the finders'.
const FORMAT_WORDS: usize = words_of_formats();
const FINDER_WORDS: usize = words_of_finders();

/// The words of all formats, then of finders, then of names; and their owners.
static ALL: ([&str; FORMAT_WORDS + FINDER_WORDS + NAME_WORDS.len()], [u8; FORMAT_WORDS + FINDER_WORDS]) = {
    let mut all = [""; FORMAT_WORDS + FINDER_WORDS + NAME_WORDS.len()];
    let mut whose = [0; FORMAT_WORDS + FINDER_WORDS];
    assert!(FORMATS.len() < 256 && FINDERS.len() < 256, "numbers fit a byte");
    let (mut at, mut i) = (0, 0);
    while i < FORMATS.len() {
        let mut j = 0;
        while j < FORMATS[i].words.len() {
            all[at] = FORMATS[i].words[j];
            whose[at] = i as u8;
            at += 1;
            j += 1;
        }
        i += 1;
    }
    i = 0;
    while i < FINDERS.len() {
        let mut j = 0;
        while j < FINDERS[i].1.len() {
            all[at] = FINDERS[i].1[j];
            whose[at] = i as u8;
            at += 1;
            j += 1;
        }
        i += 1;
    }
    let mut j = 0;
    while j < NAME_WORDS.len() {
        all[at] = NAME_WORDS[j];
        at += 1;
        j += 1;
    }
    (all, whose)
};

static WORDS: LazyLock<WordList> = LazyLock::new(|| WordList::new(ALL.0, true));

/// The patterns used so far: a hook scans one command in its life, and compiling all of them would be most of its
/// cost.
static PATTERNS: [OnceLock<Option<Regex>>; FORMATS.len()] = [const { OnceLock::new() }; FORMATS.len()];

fn pattern(format: usize) -> Option<&'static Regex> {
    let config = Regex::config().utf8_empty(false);
    let syntax = regex_automata::util::syntax::Config::new().unicode(false).utf8(false);
    let build = || Regex::builder().configure(config).syntax(syntax).build(FORMATS[format].pattern).ok();
    PATTERNS[format].get_or_init(build).as_ref()
}

/// The place of the finder that decodes: the last.
const DECODING: usize = FINDERS.len() - 1;

/// All secrets of `text`, unordered, possibly overlapping.
pub(super) fn find(text: &str) -> Vec<Secret> {
    find_with(text, FINDERS.len())
}

/// The same for a text that was decoded, which isn't decoded again: each text within a text would take a multiple of the time.
pub(super) fn find_in_decoded(text: &str) -> Vec<Secret> {
    find_with(text, DECODING)
}

/// The secrets of the formats, of the first `finders` and of the names.
fn find_with(text: &str, finders: usize) -> Vec<Secret> {
    let mut out = Vec::new();
    let mut names = false;
    let mut done = [0; FORMATS.len()];
    let mut looked = [0; FINDER_WORDS];
    WORDS.each(text, |word, at| {
        if word < FORMAT_WORDS {
            let number = usize::from(ALL.1[word]);
            if at.start < done[number] || text[at.clone()] != *ALL.0[word] {
                return;
            }
            if let Some(secret) = token_of_format(number, text, at.start, at.end) {
                done[number] = secret.range.end;
                out.push(secret);
            }
        } else if word < FORMAT_WORDS + FINDER_WORDS {
            let finder = usize::from(ALL.1[word]);
            let looked = &mut looked[word - FORMAT_WORDS];
            if finder < finders && at.start >= *looked {
                *looked = FINDERS[finder].0(text, at.start, at.end, &mut out);
            }
        } else {
            names = true;
        }
    });
    dotted(text, &mut out);
    if names {
        assignment::find(text, &mut out);
    }
    let marked = text.contains(MARK);
    out.retain(|Secret { range, .. }| {
        range.start < range.end
            && !is_placeholder(&text[range.clone()])
            && !(marked && in_mark(text, range.start))
    });
    out
}

/// Whether a mark is open at `at`: an earlier replacement is neither a name nor a value.
fn in_mark(text: &str, at: usize) -> bool {
    let before = &text[text.floor_char_boundary(at.saturating_sub(40))..at];
    before.rfind(MARK).is_some_and(|mark| !before[mark..].contains(']'))
}

/// As many capitals after a format's word aren't a word of prose.
const CAPITALS: usize = 16;

/// The token of a format whose word is at `start..end`.
fn token_of_format(number: usize, text: &str, start: usize, end: usize) -> Option<Secret> {
    let Format { kind, lead, alone, random, .. } = FORMATS[number];
    let bytes = text.as_bytes();
    let mut from = start;
    while from > 0 && start - from < lead && is_token(bytes[from - 1]) {
        from -= 1;
    }
    if alone {
        // A short one needs a digit soon, or capitals that no word has, so that no pattern is compiled for a word of prose.
        let run = bytes[end..].iter().take(48).take_while(|b| is_token(**b) || b.is_ascii_whitespace());
        let capitals = bytes[end..].iter().take(CAPITALS).take_while(|b| b.is_ascii_uppercase()).count();
        let digit = run.into_iter().chain(&bytes[start..end]).any(u8::is_ascii_digit);
        if !begins_word(bytes, start) || !digit && capitals < CAPITALS {
            return None;
        }
    }
    let pattern = pattern(number)?;
    // The lead may have other letters joined before it.
    let (anchored, limit) =
        if lead > 0 { (Anchored::No, bytes.len().min(start + 1_024)) } else { (Anchored::Yes, bytes.len()) };
    let input = Input::new(bytes).span(from..limit).anchored(anchored);
    let found = pattern.search(&input).filter(|found| found.start() <= start)?;
    let mut range = found.range();
    if pattern.group_info().group_len(regex_automata::PatternID::ZERO) > 1 {
        let mut captures = pattern.create_captures();
        pattern.search_captures(&input, &mut captures);
        range = captures.get_group(1).map_or(range, |group| group.start..group.end);
    }
    let token = text.get(range.clone())?;
    // A primer of DNA or RNA has four letters, and begins with `ACCA` once in 256 times.
    if token.bytes().all(|base| matches!(base, b'A' | b'C' | b'G' | b'T' | b'U' | b'N')) {
        return None;
    }
    (!random || looks_random(token) || looks_random_in_parts(token)).then_some(Secret { range, kind })
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'~' | b'+' | b'/' | b'=' | b'%')
}

/// Discord bots' tokens: three parts between two dots six letters apart; they have no word of their own.
fn dotted(text: &str, out: &mut Vec<Secret>) {
    let bytes = text.as_bytes();
    let part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    for dot in memchr::memchr_iter(b'.', bytes) {
        if bytes.get(dot + 7) != Some(&b'.') || !bytes[dot + 1..dot + 7].iter().all(&part) {
            continue;
        }
        let before = bytes[..dot].iter().rev().take(29).take_while(|b| part(b)).count();
        let after = bytes[dot + 8..].iter().take(80).take_while(|b| part(b)).count();
        let start = dot - before;
        if (23..=28).contains(&before) && after >= 24 && matches!(bytes[start], b'M' | b'N' | b'O') {
            out.push(Secret { range: start..dot + 8 + after, kind: "discord-token" });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, DECODING, FINDERS, FORMAT_WORDS, FORMATS, NAME_WORDS, pattern};
    use crate::redact::{encoded, name_words};

    #[test]
    fn every_pattern_compiles() {
        for (number, format) in FORMATS.iter().enumerate() {
            assert!(pattern(number).is_some(), "{}: {}", format.kind, format.pattern);
        }
    }

    #[test]
    fn the_finder_that_decodes_is_the_last() {
        assert_eq!(FINDERS[DECODING].1, encoded::WORDS);
    }

    #[test]
    fn every_name_is_announced() {
        for name in name_words::WORDS {
            assert!(NAME_WORDS.iter().any(|word| name.contains(word)), "{name}");
        }
    }

    #[test]
    fn every_word_calls_for_its_own_format() {
        for (word, whose) in ALL.0.iter().zip(ALL.1).take(FORMAT_WORDS) {
            assert!(FORMATS[usize::from(whose)].words.contains(word), "{word}");
        }
    }
}
