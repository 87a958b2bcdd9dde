//! Sentences that ask to remember what was said right before: "Prices are net. Please remember that.", "force pushes drop
//! reviews, keep that in mind", "that's our rule everywhere".

use crate::domain::Namespace;

use super::facts;
use Namespace::{Context, Learnings, Patterns};

/// What points back at a statement.
const BACK: &[(&str, Namespace)] = &[
    ("remember that", Context),
    ("remember this", Context),
    ("keep that in mind", Context),
    ("keep this in mind", Context),
    ("don't forget that", Context),
    ("don't forget this", Context),
    ("make a note of that", Context),
    ("merk dir das", Context),
    ("merke dir das", Context),
    ("vergiss das nicht", Context),
    ("souviens-t'en", Context),
    ("recuérdalo", Context),
    ("learned that the hard way", Learnings),
    ("we learned that the hard way", Learnings),
    ("i learned that the hard way", Learnings),
    ("we found out the hard way", Learnings),
    ("found out the hard way", Learnings),
    ("found that out the hard way", Learnings),
    ("we found that out the hard way", Learnings),
    ("learned this the hard way", Learnings),
    ("das haben wir schmerzhaft gelernt", Learnings),
    ("that's our rule", Patterns),
    ("that's our convention", Patterns),
    ("that's our policy", Patterns),
    ("that's our standard", Patterns),
    ("that's how we do it", Patterns),
    ("das ist unsere regel", Patterns),
    ("das ist unsere konvention", Patterns),
    ("so machen wir das", Patterns),
];
/// What may follow that.
const TAILS: &[&str] = &[
    " please",
    " everywhere",
    " here",
    " for next time",
    " for later",
    " for the future",
    " from now on",
    " in this project",
    " in this repo",
    " bitte",
    " überall",
    " hier",
    " immer",
    " bei uns",
];
/// The number of words that a statement has at least.
const MIN_WORDS: usize = 3;

/// The namespace of the statement before, where a sentence does nothing but point at it.
pub(super) fn points_back(plain: &str) -> Option<Namespace> {
    let text = bare(plain);
    let text = ["please ", "bitte "].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    BACK.iter().find(|(words, _)| *words == text).map(|(_, namespace)| *namespace)
}

/// The namespace of a statement that ends by pointing at itself: `prices are net, remember that`.
pub(super) fn namespace_at_end(plain: &str) -> Option<Namespace> {
    let text = bare(plain);
    BACK.iter().find_map(|(words, namespace)| {
        let before = text.strip_suffix(words)?.trim_end();
        let before = ["please", "bitte"].iter().find_map(|word| before.strip_suffix(word)).unwrap_or(before);
        let statement = before.trim_end().strip_suffix([',', ';', '-', '–', '—'])?;
        (statement.split_whitespace().count() >= MIN_WORDS).then_some(*namespace)
    })
}

/// A sentence without what leads to it and what follows it.
fn bare(plain: &str) -> &str {
    let text = facts::without_leads(plain).trim_end_matches(['.', '!', ' ']);
    TAILS.iter().find_map(|tail| text.strip_suffix(tail)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_points_back_only_if_it_does_nothing_else() {
        for (sentence, expected) in [
            ("please remember that.", Context),
            ("btw, keep that in mind!", Context),
            ("learned that the hard way", Learnings),
            ("that's our rule everywhere.", Patterns),
            ("merk dir das bitte", Context),
        ] {
            assert_eq!(points_back(sentence), Some(expected), "{sentence}");
        }
        for sentence in ["remember that file?", "i don't remember that", "that's our server", "that"] {
            assert_eq!(points_back(sentence), None, "{sentence}");
        }
    }

    #[test]
    fn a_statement_ends_by_pointing_at_itself() {
        for (sentence, expected) in [
            ("prices are stored net, remember that", Context),
            ("amounts are cents - please keep that in mind.", Context),
            ("die nummern sind texte, merk dir das", Context),
        ] {
            assert_eq!(namespace_at_end(sentence), Some(expected), "{sentence}");
        }
        for sentence in ["i don't remember that", "ok, remember that", "you should remember this"] {
            assert_eq!(namespace_at_end(sentence), None, "{sentence}");
        }
    }
}
