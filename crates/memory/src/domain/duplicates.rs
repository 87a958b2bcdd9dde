//! When two texts are duplicates, and when near duplicates: the hash that makes a repeated capture one memory, and
//! the similarity measure.

use std::collections::HashSet;

use ranking::words::{is_cjk, pairs};

/// From this similarity on two texts are near duplicates.
pub const NEAR_DUPLICATE: f64 = 0.72;

/// The hash of a text. Line ends and runs of white space don't count; everything else does.
pub fn hash(content: &str) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    for word in content.split_whitespace() {
        hasher.update(word.as_bytes());
        hasher.update(b" ");
    }
    let mut out = [0; 16];
    out.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    out
}

/// The lower-cased words of a text for [`near`]; pairs of characters in scripts without spaces.
pub fn word_set(text: &str) -> HashSet<String> {
    let mut out = HashSet::new();
    // Not split at capitals: `PostgreSQL` and `postgresql` are the same word here.
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let word = word.to_lowercase();
        if word.chars().any(is_cjk) {
            out.extend(pairs(&word).map(str::to_owned));
        } else {
            out.insert(word);
        }
    }
    out
}

/// The similarity of two sets of words, 0 to 1: the words they share, of all their words.
pub fn similarity(a: &HashSet<String>, b: &HashSet<String>) -> f64 {
    let shared = a.intersection(b).count();
    let all = a.len() + b.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_makes_no_other_text_and_case_does() {
        assert_eq!(hash("use  PostgreSQL\r\nalways\n"), hash("use PostgreSQL always"));
        assert_ne!(hash("use postgresql always"), hash("use PostgreSQL always"));
        assert_ne!(hash("ab c"), hash("a bc"));
    }

    #[test]
    fn near_duplicates_are_told_from_what_only_sounds_alike() {
        let like = |a: &str, b: &str| similarity(&word_set(a), &word_set(b));
        assert!(
            like("Use PostgreSQL for the primary storage", "use postgresql for primary storage")
                >= NEAR_DUPLICATE
        );
        assert!(
            like("データベースは必ずバックアップする", "データベースは必ずバックアップする。")
                >= NEAR_DUPLICATE
        );
        assert!(like("Use PostgreSQL for storage", "Never use PostgreSQL in unit tests") < NEAR_DUPLICATE);
        assert_eq!(like("", ""), 0.0);
    }
}
