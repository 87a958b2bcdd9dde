//! When two texts are duplicates, and when near duplicates: the hash that makes a repeated capture one memory, and
//! the similarity measure.

use std::collections::HashSet;

use ranking::words::{is_cjk, pairs};

use super::composed;

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
    for word in composed(text).split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
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

/// Words without a meaning of their own: a text says the same with another one of them.
const EMPTY_WORDS: &[&str] = &[
    "a", "an", "the", "of", "to", "for", "and", "is", "are", "be", "we", "our", "us", "it", "its", "this",
    "that", "please", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer",
    "und", "ist", "sind", "wir", "uns", "unser", "unsere", "es", "bitte", "le", "la", "les", "un", "une",
    "et", "est", "el", "los", "las", "y",
];

/// Words that deny or restrict what is beside them.
const RESTRICTING: &[&str] = &[
    "not", "no", "never", "none", "nor", "cannot", "without", "except", "only", "unless", "until", "before",
    "if", "when", "but", "was", "were", "longer", "instead", "than", "nicht", "kein", "keine", "keinen",
    "nie", "niemals", "ohne", "außer", "nur", "falls", "wenn", "bis", "aber", "sondern", "statt", "war",
    "waren", "mehr", "pas", "jamais", "sans", "sauf", "si", "mais", "ne", "nunca", "sin", "salvo", "pero",
];

/// The words of a text in their order, without [`EMPTY_WORDS`]; single characters in scripts without spaces.
fn meaningful_words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let text = composed(text).to_lowercase().replace('\u{2019}', "'");
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '\'').map(|word| word.trim_matches('\'')) {
        if word.chars().any(is_cjk) {
            out.extend(word.chars().map(String::from));
        } else if !word.is_empty() && !EMPTY_WORDS.contains(&word) {
            out.push(word.to_owned());
        }
    }
    out
}

/// What a text says, to be compared with many.
#[derive(Debug, Clone)]
pub struct Meaning {
    words: Vec<String>,
}

impl Meaning {
    /// What this text says.
    pub fn of(text: &str) -> Self {
        Self { words: meaningful_words(text) }
    }

    /// Whether it says everything that the other one says: it has its words in their order, and what it has beside them
    /// denies and restricts nothing. Two facts that differ in a number, a name or a `not` never do.
    pub fn says_all(&self, other: &Self) -> bool {
        if other.words.len() > self.words.len() {
            return false;
        }
        let mut rest = other.words.iter().peekable();
        let more: Vec<&String> = self.words.iter().filter(|word| rest.next_if_eq(word).is_none()).collect();
        let restricts = |word: &&String| RESTRICTING.contains(&word.as_str()) || word.ends_with("n't");
        rest.peek().is_none() && !more.iter().any(restricts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_does_not_make_a_different_text_and_case_does() {
        assert_eq!(hash("use  PostgreSQL\r\nalways\n"), hash("use PostgreSQL always"));
        assert_ne!(hash("use postgresql always"), hash("use PostgreSQL always"));
        assert_ne!(hash("ab c"), hash("a bc"));
    }

    #[test]
    fn near_duplicates_are_distinguished_from_similar_sounding_texts() {
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

    #[test]
    fn a_text_says_all_that_another_says_if_nothing_is_lost() {
        let says_all = |text: &str, other: &str| Meaning::of(text).says_all(&Meaning::of(other));
        for (text, other) in [
            ("use postgresql for primary storage!", "Use PostgreSQL for the primary storage"),
            ("Backups run at 02:00 every night", "Backups run at 02:00"),
            ("データベースは必ず毎日バックアップする", "データベースは必ずバックアップする"),
        ] {
            assert!(says_all(text, other), "{text} / {other}");
        }
        for (text, other) in [
            ("The staging server listens on port 5433", "The staging server listens on port 5432"),
            ("The staging server listens on port 5433", "The production server listens on port 5433"),
            ("Don't use Redis for sessions", "Use Redis for sessions"),
            ("Use Redis for sessions only in tests", "Use Redis for sessions"),
            ("Use Redis for sessions", "Never use Redis for sessions"),
            ("The shop calls the billing service", "The billing service calls the shop"),
            ("Wir verwenden Redis nicht mehr", "Wir verwenden Redis"),
        ] {
            assert!(!says_all(text, other), "{text} / {other}");
        }
    }
}
