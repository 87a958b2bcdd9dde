//! The names under which a text mentions something, so that a search by another name finds it.

use std::collections::BTreeSet;

use super::entity::{EntityKind, folded};
use super::extract::extract;
use super::technologies::other_names;
use crate::domain::composed;

/// Entities below this confidence aren't stored automatically.
pub const SURE_ENTITY: f64 = 0.65;

/// The folded names of everything that a text surely mentions, including aliases.
pub fn names_in(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for found in extract(text).entities.iter().filter(|found| found.confidence >= SURE_ENTITY) {
        out.push(folded(&found.name));
        if found.kind == EntityKind::Technology {
            out.extend(other_names(&found.name));
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// How many of a text's first words are compared with known names.
const MAX_WORDS: usize = 300;
/// The number of words in the longest name that is looked for.
const MAX_NAME_WORDS: usize = 4;

/// Every run of a few words in a text, folded: what may be a name that only its maker knows.
pub fn phrases_in(text: &str) -> BTreeSet<String> {
    let outer = |c: char| !c.is_alphanumeric() && !matches!(c, '#' | '+' | '@' | '_');
    let words: Vec<(String, bool)> = composed(text)
        .split_whitespace()
        .take(MAX_WORDS)
        .map(|piece| {
            let inner = piece.trim_matches(outer);
            let ends =
                piece.trim_end_matches(['\'', '"', '`', ')']).ends_with(['.', ',', ';', ':', '!', '?']);
            let inner = inner.strip_suffix("'s").or_else(|| inner.strip_suffix("’s")).unwrap_or(inner);
            (folded(inner.trim_end_matches(outer)), ends)
        })
        .filter(|(word, _)| !word.is_empty())
        .collect();
    let mut out = BTreeSet::new();
    for begin in 0..words.len() {
        let mut name = String::new();
        for (word, ends) in words.iter().skip(begin).take(MAX_NAME_WORDS) {
            if !name.is_empty() {
                name.push(' ');
            }
            name.push_str(word);
            if name.chars().count() > 2 {
                out.insert(name.clone());
            }
            if *ends {
                break;
            }
        }
    }
    out
}

/// The folded names under which a memory may mention what these names or ids denote.
pub fn possible_names(given: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for name in given {
        let lower = composed(name).to_lowercase();
        let plain = lower.strip_prefix("entity_").map_or_else(|| folded(name), |rest| rest.replace('_', " "));
        out.extend(other_names(&plain));
        out.push(plain);
    }
    out.sort_unstable();
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_looked_for_within_a_clause() {
        let all = phrases_in("The (Payment  Service)'s port: 8443. It's \"fast\", Ana says");
        for name in ["payment service", "payment", "the payment service", "fast", "ana says", "port"] {
            assert!(all.contains(name), "{name}: {all:?}");
        }
        for name in ["port 8443", "8443 it", "fast ana", "it"] {
            assert!(!all.contains(name), "{name}: {all:?}");
        }
        assert!(phrases_in("the cafe\u{301}'s door").contains("café"));
        assert!(phrases_in("the old J\u{30c}etty").contains("old \u{1f0}etty"));
        assert!(phrases_in("").is_empty());
        assert!(phrases_in(&"long ".repeat(9_000)).len() < 9);
    }
}
