//! Laws of the query layer and of recall, on the store of this computer; `postgres` has them for the other one.

#![allow(clippy::unwrap_used, reason = "tests")]

mod laws;

use laws::{Made, NOW, WORDS, filter, made, scope};
use plimsoll_memory::query::Filter;
use plimsoll_memory::store::SqliteStore;
use proptest::prelude::*;

fn store(all: &[Made]) -> (tempfile::TempDir, SqliteStore) {
    let dir = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
    laws::fill(&mut store, all);
    (dir, store)
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
        laws::brings_only_what_is_selected(&store, &question, asked)?;
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
