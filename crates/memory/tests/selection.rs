//! Laws of the query layer and of recall, on the store of this computer; `postgres` has them for the other one.

#![allow(clippy::unwrap_used, reason = "tests")]

mod laws;

use laws::{Made, NOW, WORDS, filter, made, scope, vector};
use plimsoll_memory::domain::{Domain, Namespace, Status};
use plimsoll_memory::query::Filter;
use plimsoll_memory::recall::{Mode, RecallRequest, recall};
use plimsoll_memory::store::{Actor, Draft, QueryVector, Secrets, SqliteStore, Store as _};
use proptest::prelude::*;

fn store(all: &[Made]) -> (tempfile::TempDir, SqliteStore) {
    let dir = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
    laws::fill(&mut store, all);
    (dir, store)
}

/// Makes the vectors of what is stored.
fn embed(store: &mut SqliteStore) {
    let missing = store.without_vector("words", i64::MAX, 1_000).unwrap();
    let made: Vec<_> = missing
        .into_iter()
        .map(|one| {
            let of = vector(&one.content);
            (one, of)
        })
        .collect();
    store.keep_vectors("words", &made).unwrap();
}

/// What is deleted can be restored with its vector; what is purged has none.
#[test]
fn a_purge_leaves_no_vector() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("memory.db");
    let mut store = SqliteStore::open(&path).unwrap();
    let who = Actor::local_user(NOW);
    let mut capture = |content: &str| {
        let draft = Draft::new(content, Namespace::Decisions, Domain::User);
        store.capture(&draft.check(Secrets::Redact).unwrap(), &who).unwrap().memory.id
    };
    let gone = capture("The walrus decides");
    capture("The heron decides");
    embed(&mut store);
    let vectors = || -> i64 {
        let db = rusqlite::Connection::open(&path).unwrap();
        db.query_row("SELECT count(*) FROM vectors", [], |r| r.get(0)).unwrap()
    };
    assert_eq!(vectors(), 2);
    store.set_status(&gone, Status::Tombstoned, &who).unwrap();
    assert_eq!(vectors(), 2);
    store.purge(&gone).unwrap();
    assert_eq!(vectors(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn a_store_lists_exactly_what_the_selection_accepts(
        all in proptest::collection::vec(made(), 1..25),
        asked in proptest::collection::vec((filter(), scope(), 1..7usize), 1..8),
    ) {
        let (_dir, store) = store(&all);
        laws::lists_what_is_accepted(&store, asked)?;
    }

    #[test]
    fn a_question_brings_only_what_is_selected_and_each_once(
        all in proptest::collection::vec(made(), 1..25),
        question in proptest::collection::vec(0..WORDS.len(), 1..4),
        asked in (filter(), scope(), 1..5usize),
    ) {
        let (_dir, store) = store(&all);
        laws::brings_only_what_is_selected(&store, &question, asked, Default::default())?;
    }

    /// By meaning, and by words and meaning, with vectors in which the same words are near.
    #[test]
    fn every_mode_brings_only_what_is_selected_and_each_once(
        all in proptest::collection::vec(made(), 1..25),
        question in proptest::collection::vec(0..WORDS.len(), 1..4),
        asked in (filter(), scope(), 1..5usize),
        mode in prop_oneof![Just(Mode::Vector), Just(Mode::Hybrid)],
    ) {
        let (_dir, mut store) = store(&all);
        embed(&mut store);
        let text = question.iter().map(|word| WORDS[*word]).collect::<Vec<_>>().join(" ");
        let meaning = QueryVector { model: "words".into(), vector: vector(&text) };
        laws::brings_only_what_is_selected(&store, &question, asked.clone(), (mode, Some(meaning.clone())))?;
        let other = QueryVector { model: "another".into(), ..meaning };
        let asked = RecallRequest { query: Some(text), mode: Mode::Vector, meaning: Some(other), ..RecallRequest::default() };
        prop_assert_eq!(recall(&store, &asked).unwrap().total, 0, "vectors of two models are never mixed");
    }

    /// By words and meaning it's never worse than by words alone: the same without vectors, and with a model that takes for
    /// near what has none of the words.
    #[test]
    fn words_and_meaning_are_never_worse_than_words(
        all in proptest::collection::vec(made(), 1..40),
        question in proptest::collection::vec(0..WORDS.len(), 1..4),
        asked in (filter(), scope(), 1..5usize),
    ) {
        let (_dir, mut store) = store(&all);
        laws::is_by_words_without_vectors(&store, &question, asked.clone())?;
        embed(&mut store);
        laws::is_by_words_without_vectors(&store, &question, asked.clone())?;
        laws::keeps_exact_hits_in_front(&store, &question, asked)?;
    }

    #[test]
    fn a_secret_is_shown_in_no_mode(secret in "ghp_[A-Za-z0-9]{36}", word in 0..WORDS.len()) {
        let content = format!("token {} {secret}", WORDS[word]);
        prop_assume!(!text::redact(&content).contains(&secret));
        let (_dir, mut store) = store(&[]);
        laws::keep(&mut store, &content);
        embed(&mut store);
        laws::shows_no_secret(&store, &secret)?;
    }

    #[test]
    fn any_text_is_a_question(question in "(\\PC|\n|\"|中|🦀|NEAR|\\*|:|\\^){0,60}") {
        let (_dir, store) = store(&[]);
        laws::takes_any_question(&store, question)?;
    }

    /// Any text is a filter or an error with a place inside it.
    #[test]
    fn any_text_is_a_filter_or_an_error_with_its_place(text in "(\\PC|ns:|tag:|-|\"|,| |since:7d|status:any){0,20}") {
        if let Err(error) = Filter::parse(&text, NOW) {
            prop_assert!(error.at >= 1 && error.at <= text.chars().count() + 1, "{} {:?}", error, text);
        }
    }

    #[test]
    fn capturing_twice_is_once(content in "(\\PC|\n|\t|中|🦀){1,200}") {
        prop_assume!(!content.trim().is_empty());
        let (_dir, mut store) = store(&[]);
        laws::keeps_once_word_for_word(&mut store, &content)?;
    }
}
