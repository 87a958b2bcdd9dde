//! Sentences by which a user takes back an earlier one: "scrap Redis, we'll keep sessions in Postgres". An earlier
//! proposal of the same conversation about the same thing no longer waits for a review.

use std::collections::HashSet;

use crate::domain::{Status, word_set};
use crate::query::{Clause, Field, Filter, Glob, Scope, Selection, Statuses};
use crate::recall::is_named_in;
use crate::session::extract;
use crate::store::{Actor, Page, Result, SqliteStore, Store};

use super::clauses::has;

/// How a sentence begins that takes something back, or one of its clauses.
const BEGINNINGS: &[&str] = &[
    "actually",
    "scrap",
    "on second thought",
    "on second thoughts",
    "changed my mind",
    "i changed my mind",
    "i've changed my mind",
    "we changed our mind",
    "we changed our minds",
    "correction",
    "no wait",
    "wait, no",
    "forget",
    "scratch",
    "let's not",
    "strike that",
    "we're not going with",
    "we won't use",
    "doch nicht",
    "doch kein",
    "doch keine",
    "doch lieber",
    "vergiss",
    "ich hab's mir anders überlegt",
    "ich habe es mir anders überlegt",
    "anders überlegt",
    "korrektur",
    "kommando zurück",
];
/// The same anywhere in it.
const ANYWHERE: &[&str] =
    &["after all", "doch nicht", "doch kein", "doch keine", "doch lieber", "anders überlegt"];
/// Shorter words don't tell what a sentence is about.
const MIN_LETTERS: usize = 4;
/// The number of words two sentences share that are about the same; of names one suffices.
const SHARED: usize = 2;
/// Maximum number of a session's proposals that are looked at.
const MAX_LOOKED: usize = 50;
/// Words that sentences about anything share.
const COMMON: &[&str] = &[
    "actually",
    "after",
    "again",
    "also",
    "always",
    "because",
    "change",
    "changed",
    "correction",
    "every",
    "forget",
    "from",
    "instead",
    "into",
    "keep",
    "let's",
    "lets",
    "mind",
    "never",
    "now",
    "only",
    "over",
    "please",
    "project",
    "rather",
    "remember",
    "scrap",
    "scratch",
    "should",
    "since",
    "than",
    "that",
    "their",
    "them",
    "then",
    "there",
    "they",
    "this",
    "thought",
    "use",
    "used",
    "using",
    "want",
    "what",
    "when",
    "where",
    "which",
    "with",
    "without",
    "would",
    "your",
    "aber",
    "auch",
    "bitte",
    "dass",
    "doch",
    "eine",
    "einen",
    "immer",
    "jetzt",
    "kein",
    "keine",
    "nehmen",
    "nicht",
    "noch",
    "oder",
    "sondern",
    "statt",
    "überlegt",
    "unser",
    "unsere",
    "vergiss",
    "verwenden",
    "weil",
    "wenn",
    "wird",
];

/// Whether a sentence takes something back.
pub(super) fn takes_back(sentence: &str) -> bool {
    let plain = extract::plain(sentence);
    BEGINNINGS.iter().any(|words| extract::begins_clause(&plain, words)) || has(&plain, ANYWHERE)
}

/// Whether two sentences are about the same: they share a name, or several words.
pub(super) fn is_about_same(sentence: &str, earlier: &str) -> bool {
    let words = |text: &str| -> HashSet<String> {
        let all = word_set(text).into_iter();
        all.filter(|word| word.chars().count() >= MIN_LETTERS && !COMMON.contains(&word.as_str())).collect()
    };
    let (ours, theirs) = (words(sentence), words(earlier));
    let shared: Vec<&String> = ours.intersection(&theirs).collect();
    shared.len() >= SHARED
        || shared.iter().any(|word| is_named_in(word, sentence) && is_named_in(word, earlier))
}

/// Removes from this session's review the proposals whose text `is_back` accepts.
pub(super) fn withdraw(
    store: &mut SqliteStore,
    scope: Scope,
    who: &Actor,
    is_back: impl Fn(&str) -> bool,
) -> Result<()> {
    let Some(session) = who.session.as_deref() else { return Ok(()) };
    let filter = Filter {
        clauses: vec![Clause::Text(Field::Session, vec![Glob::literal(session)])],
        statuses: Statuses { any: vec![Status::Pending], expired: None },
    };
    let selection = Selection { scope, filter, now_ms: who.at_ms };
    let waiting = store.list(&selection, Page { offset: 0, limit: MAX_LOOKED })?.memories;
    // The user takes it back, so it's the user who deletes it: no agent saw it, and none may restore it.
    let user = Actor { client: None, ..who.clone() };
    for memory in waiting.iter().filter(|memory| is_back(&memory.content)) {
        store.set_status(&memory.id, Status::Tombstoned, &user)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retractions_and_their_subjects() {
        for (sentence, earlier, same) in [
            (
                "actually, scrap Redis, we'll keep sessions in Postgres",
                "Let's use Redis for the cache because it's quick",
                true,
            ),
            ("Changed my mind: no GraphQL, plain REST", "We'll go with GraphQL rather than REST", true),
            (
                "Correction: fixtures go into testdata next to the package",
                "From now on, put all fixtures into tests/testdata",
                true,
            ),
            ("Doch kein Kafka, wir bleiben bei NATS", "Wir nehmen Kafka statt NATS, weil es skaliert", true),
            // A German noun that both have is no name.
            ("Doch lieber den Server in Frankfurt nehmen", "Der Server startet jede Nacht neu", false),
            ("On second thought let's not deploy on Fridays", "We use pnpm here, not npm", false),
            ("scrap the idea with the blue header", "From now on commit messages are in English", false),
        ] {
            assert!(takes_back(sentence), "{sentence}");
            assert_eq!(is_about_same(sentence, earlier), same, "{sentence} / {earlier}");
        }
        for sentence in
            ["We use pnpm here, not npm", "From now on we use tabs", "Remember that tides are in metres"]
        {
            assert!(!takes_back(sentence), "{sentence}");
        }
    }
}
