//! Tests of long questions, of which a memory has a word.

use super::*;
use crate::domain::{Domain, Namespace};
use crate::query::{Filter, Scope};
use crate::store::{Actor, Draft, Secrets, SqliteStore};

#[test]
fn a_long_question_finds_what_has_its_identifier_or_a_rare_word_of_it() {
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
    }
    // What many have says nothing of a question with so many other words, and nobody asked for a rare one.
    assert!(ask(&format!("{beginning} rosters"), false).is_empty());
    assert!(ask(&format!("{beginning} invitations with WeasyPrint instead of LaTeX"), true).is_empty());
}
