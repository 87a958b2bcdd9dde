//! Whether a prompt compares products with each other: that is answered by what everybody knows of them, and not by the memory that
//! the project chose one of them over the other.

use crate::recall::{is_identifier, is_named_in};

/// Maximum number of words of such a prompt; a longer one is work with something.
const MAX_WORDS: usize = 30;
/// Words for what two things differ in.
const DIFFERENCES: &[&str] = &[
    "difference",
    "differences",
    "unterschied",
    "unterschiede",
    "différence",
    "différences",
    "diferencia",
    "diferencias",
    "diferença",
];
const BETWEEN: &[&str] = &["between", "zwischen", "entre"];
/// How one is beside the other.
const COMPARATIVES: &[&str] = &[
    "better",
    "worse",
    "faster",
    "slower",
    "safer",
    "cheaper",
    "lighter",
    "smaller",
    "easier",
    "newer",
    "besser",
    "schlechter",
    "schneller",
    "langsamer",
    "sicherer",
    "leichter",
];
const THAN: &[&str] = &["than", "als"];
const VERSUS: &[&str] = &["vs", "versus"];
/// Words by which it's about the project all the same: whose it is, where, and what was decided.
const OURS: &[&str] = &[
    "we",
    "us",
    "our",
    "ours",
    "wir",
    "uns",
    "unser",
    "unsere",
    "nous",
    "notre",
    "here",
    "hier",
    "ici",
    "project",
    "projekt",
    "projet",
    "proyecto",
    "repo",
    "repository",
    "codebase",
    "chose",
    "chosen",
    "picked",
    "decide",
    "decided",
    "decision",
    "gewählt",
    "entschieden",
    "entscheidung",
];

/// Whether a prompt compares what has names: `what's the difference between Flutter and React Native`, `Redis vs Memcached`.
pub(super) fn compares_names(prompt: &str) -> bool {
    let plain = prompt.to_lowercase();
    let words: Vec<&str> =
        plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has_pair = |first: &[&str], second: &[&str]| {
        words.windows(2).any(|pair| first.contains(&pair[0]) && second.contains(&pair[1]))
    };
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    let compares = has_pair(DIFFERENCES, BETWEEN) || has_pair(COMPARATIVES, THAN);
    let is_ours = || has(OURS) || prompt.split_whitespace().any(|word| is_identifier(word, prompt));
    if words.len() > MAX_WORDS || !compares && !has(VERSUS) || is_ours() {
        return false;
    }
    // The word that a prompt begins with isn't known as a name: `Redis vs Memcached`.
    let names = words.iter().filter(|word| is_named_in(word, prompt)).count();
    names > usize::from(compares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_compared_in_general() {
        for prompt in [
            "what's the difference between Flutter and React Native",
            "explain the difference between REST and GraphQL",
            "is PostgreSQL 16 faster than MySQL 8",
            "Redis vs Memcached",
            "ist Vitest schneller als Jest?",
        ] {
            assert!(compares_names(prompt), "{prompt}");
        }
        for prompt in [
            "what's the difference between a visit and a port call",
            "why is Timefold better than OR-Tools for us",
            "why was Timefold chosen vs OR-Tools",
            "did Ana decide on Redis vs Memcached",
            "is Redis better than Memcached in this project",
            "what is better than nothing?",
            "the index of Search is slower than before",
            "build vs runtime",
            "what's the difference between HARBOUR_REGION and HARBOUR_ZONE",
            "",
        ] {
            assert!(!compares_names(prompt), "{prompt}");
        }
    }
}
