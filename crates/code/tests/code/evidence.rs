//! What an answer says about words of the question that the project doesn't have.

use plimsoll_code::Store;
use plimsoll_code::refs;
use plimsoll_code::search::reply::{Quality, quality};
use plimsoll_code::search::{Evidence, Query, Reader, Request, search, similar_names};
use serde_json::Value;

use crate::common::Project;

/// A harbour: `berths.ts` and what uses it, and two files that each have one rare word.
fn project() -> Project {
    Project::new(&[
        ("src/berths.ts", include_str!("../fixtures/evidence/berths.ts")),
        ("src/arrivals.ts", include_str!("../fixtures/evidence/arrivals.ts")),
        ("src/journal.ts", include_str!("../fixtures/evidence/journal.ts")),
        ("src/tides.py", include_str!("../fixtures/evidence/tides.py")),
    ])
}

fn asked(store: &Store, reader: &Reader, text: &str) -> (Quality, Vec<String>, Vec<String>) {
    let request = Request { query: text.to_owned(), limit: 5, ..Request::default() };
    let answers = search(store, reader, &request).unwrap();
    let query = Query::parse(text);
    let evidence = Evidence::of(store, reader, &query).unwrap();
    let files = answers.iter().map(|answer| answer.path.clone()).collect();
    (quality(&query, &evidence, &answers), evidence.unknown, files)
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect()
}

#[test]
fn an_answer_is_as_sure_as_its_evidence() {
    let project = project();
    let (store, reader) = project.indexed();
    let table: Value = serde_json::from_str(include_str!("../fixtures/evidence/questions.json")).unwrap();
    for case in table.as_array().unwrap() {
        let text = case["asked"].as_str().unwrap();
        let (quality, unknown, files) = asked(&store, &reader, text);
        let told = format!("{text}: {quality:?} {unknown:?} {files:?}");
        assert_eq!(unknown, texts(&case["unknown"]), "{told}");
        let is_sure = case["sure"].as_bool().unwrap();
        assert_eq!(quality.status == "ok", is_sure, "{told}");
        assert_eq!(quality.confidence >= 0.4, is_sure, "{told}");
        let hint = quality.hint.clone().unwrap_or_default();
        assert!(unknown.iter().take(5).all(|word| hint.contains(&format!("`{word}`"))), "{told}");
        assert!(texts(&case["hint"]).iter().all(|part| hint.contains(part)), "{told}");
        assert_eq!(
            hint.is_empty(),
            is_sure && unknown.is_empty() && texts(&case["hint"]).is_empty(),
            "{told}"
        );
        if let Some(first) = case["first"].as_str() {
            assert_eq!(files.first().map(String::as_str), Some(first), "{told}");
        }
    }
}

#[test]
fn any_question_names_just_the_words_that_nothing_has() {
    let project = project();
    let (store, reader) = project.indexed();
    let known =
        ["berth", "vessel", "harbour master", "writeJournal", "write_journal", "tide table", "moored"];
    let absent = ["frobnicate", "quuxify", "Blorptastic", "зыбь", "snake_zorb", "größenwahn"];
    for (n, known) in known.iter().enumerate() {
        for count in 0..absent.len() {
            let rest: Vec<&str> = absent.iter().cycle().skip(n).take(count).copied().collect();
            for text in [format!("{known} {}", rest.join(" ")), format!("{}, {known}?", rest.join(", "))] {
                let (quality, unknown, _) = asked(&store, &reader, &text);
                assert_eq!(unknown, rest, "{text}: {quality:?}");
                // Half of the question or more is about nothing that the project has.
                assert!(count < 2 || quality.status == "low_confidence", "{text}: {quality:?}");
            }
        }
    }
}

#[test]
fn foreign_questions_have_an_answer_or_an_error() {
    let project = project();
    let (store, reader) = project.indexed();
    let long = "harbour ".repeat(1_250);
    for text in [
        "🚢⚓",
        "\"",
        "' OR 1=1; --",
        "SELECT * FROM berths WHERE id = 'x",
        long.as_str(),
        "((((",
        "\u{0}",
        "e\u{301}",
    ] {
        let request = Request { query: text.to_owned(), limit: 5, ..Request::default() };
        if search(&store, &reader, &request).is_ok() {
            let (quality, ..) = asked(&store, &reader, text);
            assert!((0.0..=1.0).contains(&quality.confidence), "{text}: {quality:?}");
        }
    }
    let (quality, ..) = asked(&store, &reader, &long);
    assert!(quality.hint.is_some_and(|hint| hint.contains("only its first words")));
}

#[test]
fn a_name_with_a_slip_is_offered_and_never_meant() {
    let project = project();
    let (store, reader) = project.indexed();
    for (typed, expected) in [
        ("writeJuornal", &["writeJournal"][..]),
        ("write_journl", &["writeJournal"][..]),
        ("writejournals", &["writeJournal"][..]),
        ("write_journal", &["writeJournal"][..]),
        ("writeJ", &[][..]),
        ("eraseJournal", &[][..]),
        ("", &[][..]),
    ] {
        assert_eq!(similar_names(&store, typed).unwrap(), expected, "{typed}");
    }
    let found = refs::definitions_named(&store, &reader, "writeJuornal").unwrap();
    assert!(found.is_empty(), "{found:?}");
}
