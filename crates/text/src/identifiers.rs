//! Splits identifiers into words. Owns the rules of camelCase, PascalCase, acronyms and digits; doesn't know how words are
//! stored or ranked.
//!
//! SQLite's `unicode61` tokenizer already separates at `_`, `-`, `.`, `/` and every other character that is neither a
//! letter nor a digit, so only the boundaries *inside* a run of letters and digits are found here.

use std::collections::HashSet;

/// The words inside the identifiers of `text` that `unicode61` wouldn't find, lower-cased and unique, in order of first
/// appearance, joined by single spaces. `parseHTTPHeader2` gives `parse http header`.
#[must_use]
pub fn identifiers(text: &str) -> String {
    let mut seen: HashSet<String> = HashSet::new();
    let mut out = String::new();
    for run in text.split(|c: char| !c.is_alphanumeric()) {
        if !may_hide_words(run) {
            continue;
        }
        for word in split_identifier(run) {
            if word.chars().nth(1).is_none() || word.len() == run.len() {
                continue;
            }
            let word = word.to_lowercase();
            if !seen.contains(&word) {
                if !out.is_empty() {
                    out.push(' ');
                }
                out.push_str(&word);
                seen.insert(word);
            }
        }
    }
    out
}

/// A run can be split only if a capital follows something, or letters and digits meet. Long runs are data (base64, hashes),
/// not names.
fn may_hide_words(run: &str) -> bool {
    if run.len() < 3 || run.len() > 128 {
        return false;
    }
    let mut upper = false;
    let mut digit = false;
    let mut lower = false;
    let mut inner_upper = false;
    for (i, c) in run.chars().enumerate() {
        if c.is_uppercase() {
            upper = true;
            inner_upper |= i > 0;
        } else if c.is_numeric() {
            digit = true;
        } else {
            lower = true;
        }
    }
    (inner_upper && lower) || (digit && (upper || lower))
}

/// The words of one identifier, as slices: `HTTPServer_v2` gives `HTTP`, `Server`, `v`, `2`.
#[must_use]
pub fn split_identifier(identifier: &str) -> Vec<&str> {
    #[derive(PartialEq, Clone, Copy)]
    enum Class {
        Upper,
        Lower,
        Digit,
        Other,
    }
    let class = |c: char| match c {
        c if c.is_uppercase() => Class::Upper,
        c if c.is_numeric() => Class::Digit,
        c if c.is_alphabetic() => Class::Lower,
        _ => Class::Other,
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut previous: Option<(usize, Class)> = None;
    for (i, c) in identifier.char_indices() {
        let now = class(c);
        if let Some((previous_at, before)) = previous {
            let cut = match (before, now) {
                // The last capital of an acronym belongs to the next word: HTTP|Server.
                (Class::Upper, Class::Lower) if previous_at > start => Some(previous_at),
                (Class::Upper, Class::Lower) => None,
                (a, b) if a != b => Some(i),
                _ => None,
            };
            if let Some(cut) = cut {
                words.push(&identifier[start..cut]);
                start = cut;
            }
        }
        previous = Some((i, now));
    }
    words.push(&identifier[start..]);
    words.retain(|w| w.chars().any(char::is_alphanumeric));
    words
}

#[cfg(test)]
mod tests {
    use super::{identifiers, split_identifier};

    #[test]
    fn splits_names() {
        for (name, words) in [
            ("useEffect", vec!["use", "Effect"]),
            ("HTTPServer", vec!["HTTP", "Server"]),
            ("XMLHttpRequest2", vec!["XML", "Http", "Request", "2"]),
            ("snake_case_word", vec!["snake", "case", "word"]),
            ("src/main.rs", vec!["src", "main", "rs"]),
            ("ÜberGröße", vec!["Über", "Größe"]),
            ("中文", vec!["中文"]),
            ("", vec![]),
        ] {
            assert_eq!(split_identifier(name), words, "{name}");
        }
    }

    #[test]
    fn only_words_that_the_tokenizer_would_not_yield() {
        assert_eq!(
            identifiers("let myVec = parseHTTPHeader(my_vec, MAX_LEN, plain); useEffect useEffect"),
            "my vec parse http header use effect"
        );
        assert_eq!(identifiers("snake_case and CONSTANT words 12 ab"), "");
        assert_eq!(identifiers("utf8Decode sha256"), "utf decode sha 256");
    }
}
