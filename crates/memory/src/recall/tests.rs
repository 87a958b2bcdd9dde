//! Tests of what questions find: long ones, and those for a version.

use super::*;
use crate::domain::{Domain, Namespace};
use crate::query::{Filter, Scope};
use crate::store::{Actor, Draft, Secrets, SqliteStore};

/// A memory has the number, and seldom says that it's a version.
#[test]
fn a_question_for_a_version_finds_the_number() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
    for content in [
        "Go 1.24.1, Node 24.2, Postgres 17.2",
        "The advisory lock 7741 of Postgres is held by the planner, and migrations wait for it all night",
        "Releases go out on Tuesdays at ten, and the managers of the wards are told by mail a day before",
        "Each plan gets a new version",
        "The chart is at version 3.9.0",
    ] {
        let draft = Draft::new(content, Namespace::Decisions, Domain::User);
        store.capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(1)).unwrap();
    }
    let ask = |question: &str| -> Vec<String> {
        let selection = Selection { scope: Scope::Everywhere, filter: Filter::default(), now_ms: 2 };
        let query = Some(question.to_owned());
        let asked = RecallRequest { query, selection, limit: 5, ..RecallRequest::default() };
        let hits = recall(&store, &asked).unwrap().hits.into_iter();
        hits.map(|hit| hit.memory.content.chars().take(8).collect()).collect()
    };
    for (question, expected) in [
        ("which postgres version", vec!["Go 1.24.", "The advi"]),
        ("which Go version are we on?", vec!["Go 1.24.", "Releases"]),
        ("which version is the chart at", vec!["The char"]),
    ] {
        assert_eq!(ask(question), expected, "{question}");
    }
    assert_eq!(ask("which version").len(), 2);
}

#[test]
fn a_long_question_finds_what_has_its_identifier_or_one_of_its_rare_words() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
    let common = (0..8).map(|n| format!("Rosters of ward {n} are frozen"));
    let rare = ["`make seed` wipes staff_contracts silently", "The PDF is made with WeasyPrint"];
    for content in common.chain(rare.map(str::to_owned)) {
        let draft = Draft::new(content, Namespace::Decisions, Domain::User);
        store.capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(1)).unwrap();
    }
    let ask = |question: &str, unasked: bool| {
        let selection = Selection { scope: Scope::Everywhere, filter: Filter::default(), now_ms: 2 };
        let query = Some(question.to_owned());
        let asked = RecallRequest { query, selection, limit: 5, unasked, ..RecallRequest::default() };
        recall(&store, &asked).unwrap().hits
    };
    let beginning = "Somebody asked whether departments generate invoices, labels, letters and";
    for (question, expected) in [
        ("Add a migration that drops the column legacy_code from staff_contracts".to_owned(), "`make seed`"),
        (format!("{beginning} invitations with WeasyPrint instead of LaTeX"), "The PDF"),
    ] {
        let hits = ask(&question, false);
        assert_eq!(hits.len(), 1, "{question}");
        assert!(hits[0].memory.content.starts_with(expected), "{question}");
        assert_eq!(hits[0].confidence(), Some(Confidence::Low), "{question}");
        assert_eq!(hits[0].has_rare_word_only(), question.starts_with(beginning), "{question}");
    }
    // What many have says nothing of a question with so many other words, and nobody asked for a rare one.
    assert!(ask(&format!("{beginning} rosters"), false).is_empty());
    assert!(ask(&format!("{beginning} invitations with WeasyPrint instead of LaTeX"), true).is_empty());
}
