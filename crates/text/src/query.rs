//! Turns a user's or a model's query into search words. Owns quoting, punctuation and the short list of meaningless words; knows
//! nothing about indexes or ranking.

use std::collections::HashSet;

/// Words of questions, not of code: nothing here is a keyword, an operation or a possible subject of a project.
const NOISE: &[&str] = &[
    "a", "an", "the", "of", "to", "is", "are", "was", "were", "be", "been", "am", "do", "does", "did", "how",
    "what", "which", "who", "whom", "whose", "why", "where", "when", "there", "here", "this", "that",
    "these", "those", "it", "its", "i", "we", "you", "he", "she", "they", "my", "our", "your", "their", "me",
    "us", "them", "and", "or", "but", "so", "on", "at", "by", "about", "please", "can", "could", "should",
    "would", "shall", "may", "might", "must", "will",
];

/// The words of `query` to search for, in order, unique (ignoring case), in their own case.
///
/// Identifiers and paths stay whole (`std::fs`, `src/main.rs`, `snake_case`, `v1.2.3`): searched as phrases, they match
/// exactly; [`split_identifier`](crate::split_identifier) gives their parts. Text in double quotes is one term.
/// Words such as "how" and "the" are dropped unless nothing else is left.
#[must_use]
pub fn query_terms(query: &str) -> Vec<String> {
    let mut terms: Vec<(String, bool)> = Vec::new();
    // A quote counts only as a pair; an apostrophe never does.
    let quotes = query.matches('"').count();
    for (i, part) in query.split('"').enumerate() {
        let closed = i % 2 == 1 && quotes > i;
        if closed {
            let phrase = part.split_whitespace().collect::<Vec<_>>().join(" ");
            if phrase.chars().any(char::is_alphanumeric) {
                terms.push((phrase, true));
            }
            continue;
        }
        terms.extend(part.split(breaks_word).filter_map(trim_word).map(|w| (w.to_owned(), false)));
    }
    let meaningful =
        |(word, quoted): &(String, bool)| *quoted || !NOISE.contains(&word.to_lowercase().as_str());
    if terms.iter().any(meaningful) {
        terms.retain(meaningful);
    }
    let mut seen = HashSet::new();
    terms.retain(|(word, _)| seen.insert(word.to_lowercase()));
    terms.into_iter().map(|(word, _)| word).collect()
}

/// Characters that are never part of a word.
fn breaks_word(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(
            c,
            ',' | ';'
                | '('
                | ')'
                | '['
                | ']'
                | '{'
                | '}'
                | '<'
                | '>'
                | '='
                | '|'
                | '&'
                | '!'
                | '?'
                | '*'
                | '`'
                | '^'
                | '~'
        )
        || matches!(
            c,
            '，' | '。'
                | '、'
                | '；'
                | '：'
                | '？'
                | '！'
                | '（'
                | '）'
                | '「'
                | '」'
                | '“'
                | '”'
                | '…'
                | '—'
        )
}

/// `word` without the punctuation around it; `None` when no letter or digit is left. `C++` and `C#` keep theirs.
fn trim_word(word: &str) -> Option<&str> {
    let start = word.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let trimmed = start.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '+' | '#'));
    trimmed.chars().any(char::is_alphanumeric).then_some(trimmed)
}

#[cfg(test)]
mod tests {
    use super::query_terms;

    #[test]
    fn words_as_they_should_be_searched() {
        for (query, terms) in [
            ("How does useEffect cleanup work?", vec!["useEffect", "cleanup", "work"]),
            ("fix the test in src/main.rs", vec!["fix", "test", "in", "src/main.rs"]),
            ("std::fs::read  C++ c# --dry-run", vec!["std::fs::read", "C++", "c#", "dry-run"]),
            ("\"connection pool\" size", vec!["connection pool", "size"]),
            ("odd \" quote", vec!["odd", "quote"]),
            ("the", vec!["the"]),
            ("Foo foo FOO", vec!["Foo"]),
            ("数据库，连接", vec!["数据库", "连接"]),
            ("don't panic!", vec!["don't", "panic"]),
            ("!!! ???", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(query_terms(query), terms, "{query}");
        }
    }
}
