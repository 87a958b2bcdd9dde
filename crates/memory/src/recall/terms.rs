//! Splits a question into search terms.

use ranking::{Part, Query};

use super::irregular_forms;
use crate::graph::other_names;
use crate::store::Term;

/// Filler words of questions. They count only if the question has no others.
const FILLERS: &[&str] = &[
    "like", "kind", "type", "sort", "many", "much", "some", "any", "get", "got", "thing", "things", "stuff",
    "said", "say", "tell", "told", "think", "know", "really", "about", "after", "again", "also", "been",
    "before", "being", "during", "from", "he", "her", "him", "his", "if", "into", "may", "might", "must",
    "no", "not", "off", "one", "other", "out", "over", "own", "please", "shall", "she", "than", "them",
    "then", "up", "use", "used", "using", "very", "when", "where", "while", "whom", "whose", "am", "for",
    "s", "t", "d", "ll", "re", "ve", "m", "us", "go", "going", "ever", "yet", "still", "just", "there",
];

/// A parsed question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Question {
    /// The terms.
    pub(super) terms: Vec<Term>,
    /// Whether it asks for a time.
    pub(super) when: bool,
}

/// The terms of a question; none if it has no letter or digit.
pub(super) fn parse(question: &str) -> Question {
    let when = question.split_whitespace().next().is_some_and(|first| first.eq_ignore_ascii_case("when"))
        || question.to_lowercase().contains("what date")
        || question.to_lowercase().contains("what time");
    // `Caroline's` is Caroline; as one word it would be searched as a phrase with an `s`.
    let plain = question.replace("'s ", " ").replace("’s ", " ").replace("'s?", "?").replace("’s?", "?");
    let mut parts = Query::parse(&plain).parts;
    let says = |part: &Part| part.quoted || !FILLERS.contains(&part.text.to_lowercase().as_str());
    if parts.iter().any(says) {
        parts.retain(says);
    }
    let mut seen: Vec<String> = Vec::new();
    parts.retain(|part| {
        let text = part.text.to_lowercase();
        let new = !seen.contains(&text);
        seen.push(text);
        new
    });
    let terms = parts
        .into_iter()
        .map(|part| {
            let mut forms = Vec::new();
            if !part.quoted {
                forms = irregular_forms::other_forms(&part.text.to_lowercase());
                forms.extend(other_names(&part.text));
            }
            Term { part, forms }
        })
        .collect();
    Question { terms, when }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_become_terms() {
        for (question, expected, when) in [
            ("When did Caroline's sister go hiking?", vec!["Caroline", "sister", "hiking"], true),
            ("what kind of database do we use", vec!["database"], false),
            ("\"kind of\" thing", vec!["kind of"], false),
            ("use", vec!["use"], false),
            ("parseConfig src/main.rs", vec!["parseConfig", "src/main.rs"], false),
            ("Rust rust RUST", vec!["Rust"], false),
            ("?!", vec![], false),
        ] {
            let asked = parse(question);
            let texts: Vec<&str> = asked.terms.iter().map(|term| term.part.text.as_str()).collect();
            assert_eq!((texts, asked.when), (expected, when), "{question}");
        }
    }
}
