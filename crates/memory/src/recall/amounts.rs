//! Which words of a question are amounts and moments, or belong to a name without saying more than it does: `17 chairs`,
//! `512 KB`, `14:00 UTC`, `Vue 3`, `MIT license`. Two texts share these by chance, so they're no sign that one is about the
//! other's subject.

use super::moments::is_day;
use super::names::{is_name, is_quantity, is_unit};
use super::terms::is_filler;
use crate::store::Term;

/// Numbers in words.
const NUMERALS: &[&str] = &[
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "zwei",
    "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf", "deux", "trois",
    "quatre", "cinq", "sept", "huit", "neuf", "dix", "onze", "douze", "dos", "tres", "cuatro", "cinco",
    "seis", "siete", "ocho", "nueve", "diez",
];
/// What is behind a time of day.
const CLOCKS: &[&str] =
    &["utc", "gmt", "cet", "cest", "est", "edt", "pst", "pdt", "bst", "am", "pm", "uhr", "o'clock", "oclock"];
/// What says behind a name only what kind of thing it is, and before a number what is numbered.
const KINDS: &[&str] = &[
    "license",
    "licence",
    "lizenz",
    "version",
    "versions",
    "release",
    "format",
    "protocol",
    "protokoll",
    "language",
    "sprache",
    "langage",
    "library",
    "bibliothek",
    "framework",
    "standard",
];
/// The number of digits from which a number is rather an error's or a port's than how many there are of something.
const MIN_DIGITS_OF_CODE: usize = 4;

/// A word of a question as it's written there.
struct Token<'q> {
    /// Without the marks around it.
    word: &'q str,
    /// Whether a mark ends its clause.
    ends: bool,
}

/// For each term whether it's one of these.
pub(super) fn amounts(terms: &[Term], question: &str) -> Vec<bool> {
    let tokens: Vec<Token<'_>> = question
        .split_whitespace()
        .map(|token| Token {
            word: token.trim_matches(|c: char| !c.is_alphanumeric()),
            ends: token.ends_with(['.', ',', ';', ':', '!', '?']),
        })
        .filter(|token| !token.word.is_empty())
        .collect();
    let is_one = |term: &Term| {
        let text = term.part.text.as_str();
        match tokens.iter().position(|token| token.word == text) {
            Some(at) if !term.part.quoted => is_amount(&tokens, at, question),
            _ => false,
        }
    };
    terms.iter().map(is_one).collect()
}

fn is_amount(tokens: &[Token<'_>], at: usize, question: &str) -> bool {
    let token = &tokens[at];
    let word = token.word.to_lowercase();
    if is_quantity(&word) || is_clock(&word) || is_day(&word) || NUMERALS.contains(&word.as_str()) {
        return true;
    }
    let before = at.checked_sub(1).map_or("", |before| tokens[before].word);
    let behind = tokens.get(at + 1).map_or("", |behind| behind.word);
    let is_acronym = |word: &str| word.chars().nth(1).is_some() && word.chars().all(char::is_uppercase);
    let is_behind_name = || is_acronym(before) || !is_number(before) && is_name(before, question);
    if is_number(&word) {
        // `17 chairs` and `Vue 3`, and neither `port 80` nor `error 1045`.
        let counts = !token.ends && !behind.is_empty() && !is_filler(behind);
        return !is_code(&word) && (counts || is_behind_name());
    }
    let behind_number = || {
        let before = before.to_lowercase();
        is_number(&before) || is_quantity(&before) || is_clock(&before) || NUMERALS.contains(&before.as_str())
    };
    let is_measured = is_unit(&word) || CLOCKS.contains(&word.as_str());
    let is_kind = || KINDS.contains(&word.as_str()) && (is_behind_name() || is_version(behind));
    is_measured && behind_number() || is_kind()
}

/// `17`, `1.24`, `1,500`.
fn is_number(word: &str) -> bool {
    word.split(['.', ',']).all(|group| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `4.2`, `v4.2`.
fn is_version(word: &str) -> bool {
    is_number(word.strip_prefix('v').unwrap_or(word))
}

/// Whether a number is long, not round and no year.
fn is_code(number: &str) -> bool {
    let is_year =
        number.len() == MIN_DIGITS_OF_CODE && (number.starts_with("19") || number.starts_with("20"));
    let is_long = number.len() >= MIN_DIGITS_OF_CODE && number.bytes().all(|byte| byte.is_ascii_digit());
    is_long && !number.ends_with("00") && !is_year
}

/// `14:00`, `9h30`, `2026-03-14`, `14.03.2026`, `3/14/2026`.
fn is_clock(word: &str) -> bool {
    let digits = |separator: char| -> Option<Vec<usize>> {
        let groups: Vec<&str> = word.split(separator).collect();
        let all = |group: &&str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
        (groups.len() > 1 && groups.iter().all(all)).then(|| groups.iter().map(|group| group.len()).collect())
    };
    let is_time =
        |separator| digits(separator).is_some_and(|all| all.len() <= 3 && all.iter().all(|n| *n <= 2));
    let is_date = |separator| matches!(digits(separator).as_deref(), Some([1 | 2, 1 | 2, 4]));
    let is_iso = matches!(digits('-').as_deref(), Some([4, 2] | [4, 2, 2]));
    is_time(':') || is_time('h') || is_date('.') || is_date('/') || is_iso
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::terms;

    #[test]
    fn amounts_moments_and_what_belongs_to_a_name() {
        for (question, expected) in [
            ("order 17 chairs for the office", vec!["17"]),
            ("print three copies", vec!["three"]),
            ("how many bytes are 512 KB", vec!["512", "KB"]),
            ("convert 12 m/s to 96px", vec!["12", "m/s", "96px"]),
            ("the call is at 14:00 UTC", vec!["14:00", "UTC"]),
            ("um 9 Uhr am Montag", vec!["9", "Uhr", "Montag"]),
            ("rendez-vous le 14.03.2026 en avril", vec!["14.03.2026", "avril"]),
            ("since 2026-03-14 at 9h30", vec!["2026-03-14", "9h30"]),
            ("does Vue 3 run in IE 11?", vec!["3", "11"]),
            ("bump version 4.2", vec!["version"]),
            ("add the MIT license header", vec!["license"]),
            ("which Safari version supports queries", vec!["version"]),
            // What is numbered is one thing.
            ("who listens on port 80", vec![]),
            ("error 1045 appears at login", vec![]),
            ("which license does the client have", vec![]),
            ("which zone is UTC", vec![]),
            ("parseConfig in src/a.rs", vec![]),
            ("\"17 chairs\"", vec![]),
            ("", vec![]),
        ] {
            let terms = terms::parse(question, true).terms;
            let found = amounts(&terms, question);
            let texts = terms.iter().zip(found).filter(|(_, is_amount)| *is_amount);
            let texts: Vec<&str> = texts.map(|(term, _)| term.part.text.as_str()).collect();
            assert_eq!(texts, expected, "{question}");
        }
    }

    #[test]
    fn a_version_is_no_date_and_a_code_counts_nothing() {
        for word in ["14:00", "9h30", "12:30:05", "2026-03", "2026-03-14", "1.2.2026", "12/31/2026"] {
            assert!(is_clock(word), "{word}");
        }
        for word in ["1.24.1", "3.2", "14", "h", "10-20", "localhost:80", "2026", "1:2:3:4", ""] {
            assert!(!is_clock(word), "{word}");
        }
        for (number, expected) in [
            ("1045", true),
            ("8080", true),
            ("17", false),
            ("1500", false),
            ("2026", false),
            ("1,045", false),
        ] {
            assert_eq!(is_code(number), expected, "{number}");
        }
    }
}
