//! Questions about nothing but a time counted from now: "what was decided last week?" No memory says so in its own words, so
//! those captured then are listed.

use super::{Components, Hit, HitPage, RecallRequest, paged, terms};
use crate::domain::{DAY_MS, Namespace};
use crate::query::Clause;
use crate::store::{Page, Result, Store};

/// Words for a time counted from now, with the days in which it began at the earliest: nobody counts them exactly.
const PERIODS: &[(&str, i64)] = &[
    ("today", 1),
    ("yesterday", 2),
    ("last night", 2),
    ("this week", 7),
    ("the past week", 7),
    ("last week", 14),
    ("recently", 14),
    ("lately", 14),
    ("this month", 31),
    ("the past month", 31),
    ("last month", 62),
    ("heute", 1),
    ("gestern", 2),
    ("diese woche", 7),
    ("in dieser woche", 7),
    ("letzte woche", 14),
    ("in der letzten woche", 14),
    ("kürzlich", 14),
    ("neulich", 14),
    ("diesen monat", 31),
    ("letzten monat", 62),
    ("cette semaine", 7),
    ("la semaine dernière", 14),
    ("ce mois ci", 31),
    ("le mois dernier", 62),
];
/// Words of such a question that have no subject, and what they ask for if not for everything.
const ASKING: &[(&str, Option<Namespace>)] = &[
    ("decide", Some(Namespace::Decisions)),
    ("decided", Some(Namespace::Decisions)),
    ("decision", Some(Namespace::Decisions)),
    ("decisions", Some(Namespace::Decisions)),
    ("agree", Some(Namespace::Decisions)),
    ("agreed", Some(Namespace::Decisions)),
    ("learn", Some(Namespace::Learnings)),
    ("learned", Some(Namespace::Learnings)),
    ("learnt", Some(Namespace::Learnings)),
    ("lessons", Some(Namespace::Learnings)),
    ("happen", None),
    ("happened", None),
    ("change", None),
    ("changed", None),
    ("changes", None),
    ("new", None),
    ("news", None),
    ("captured", None),
    ("remembered", None),
    ("memories", None),
    ("noted", None),
    ("added", None),
    ("entscheidung", Some(Namespace::Decisions)),
    ("entscheidungen", Some(Namespace::Decisions)),
    ("entschieden", Some(Namespace::Decisions)),
    ("beschlossen", Some(Namespace::Decisions)),
    ("gelernt", Some(Namespace::Learnings)),
    ("passiert", None),
    ("geändert", None),
    ("neu", None),
    ("neues", None),
    ("gemerkt", None),
    ("notiert", None),
    ("décidé", Some(Namespace::Decisions)),
    ("appris", Some(Namespace::Learnings)),
];
/// Words between these.
const JOINING: &[&str] = &["since", "all", "everything", "seit", "alles", "alle", "depuis", "tout"];
/// The score of each: they were captured then, and nothing says that one of them is meant.
const SCORE: f64 = 0.5;

/// What a question asks for that names a time and no subject.
struct Asked {
    days: i64,
    namespace: Option<Namespace>,
}

/// The memories captured in the time that a question is about, newest first; `None` if it has another subject, or if there are
/// none.
pub(super) fn memories_of_period(
    store: &dyn Store,
    request: &RecallRequest,
    question: &str,
) -> Result<Option<HitPage>> {
    let Some(asked) = parse(question).filter(|_| SCORE >= request.min_score) else { return Ok(None) };
    let from = request.selection.now_ms.saturating_sub(asked.days.saturating_mul(DAY_MS));
    let mut selection = request.selection.clone();
    selection.filter.clauses.push(Clause::Captured { from: Some(from), until: None });
    let all = selection.clone();
    selection.filter.clauses.extend(asked.namespace.map(|namespace| Clause::Namespace(vec![namespace])));
    let page = Page { offset: request.offset, limit: request.limit };
    let mut listed = store.list(&selection, page)?;
    // What was decided may be kept as something else.
    if listed.total == 0 && asked.namespace.is_some() {
        listed = store.list(&all, page)?;
    }
    if listed.total == 0 {
        return Ok(None);
    }
    let components = Components { weight: 1.0, ..Components::default() };
    let hit = |memory| Hit { memory, score: Some(SCORE), components: Some(components) };
    Ok(Some(paged(listed.memories.into_iter().map(hit).collect(), listed.total, request)))
}

fn parse(question: &str) -> Option<Asked> {
    // A quoted word is one of a text.
    if question.contains('"') {
        return None;
    }
    let words: Vec<String> = question
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .collect();
    let text = format!(" {} ", words.join(" "));
    let (rest, days) = PERIODS.iter().find_map(|(period, days)| {
        let (before, after) = text.split_once(&format!(" {period} "))?;
        Some((format!("{before} {after}"), *days))
    })?;
    let known =
        |word: &str| ASKING.iter().find(|(asking, _)| *asking == word).map(|(_, namespace)| *namespace);
    let (mut asks, mut namespace) = (false, None);
    for word in terms::parse(&rest, true).terms.into_iter().map(|term| term.part.text) {
        match known(&word) {
            Some(of) => {
                asks = true;
                namespace = namespace.or(of);
            }
            None if terms::is_filler(&word) || JOINING.contains(&word.as_str()) => {}
            None => return None,
        }
    }
    asks.then_some(Asked { days, namespace })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Domain;
    use crate::query::{Filter, Scope, Selection};
    use crate::recall::recall;
    use crate::store::{Actor, Draft, Secrets, SqliteStore};

    const NOW: i64 = 100 * DAY_MS;

    #[test]
    fn a_question_about_a_time_alone_lists_what_was_captured_then() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        for (content, namespace, days) in [
            ("Terraform runs in the pipeline", Namespace::Decisions, 5),
            ("Cache keys carry the tenant", Namespace::Learnings, 3),
            ("Jenkins builds the images", Namespace::Decisions, 60),
        ] {
            let draft = Draft::new(content, namespace, Domain::User);
            let who = Actor::local_user(NOW - days * DAY_MS);
            store.capture(&draft.check(Secrets::Redact).unwrap(), &who).unwrap();
        }
        let ask = |question: &str, unasked: bool| -> Vec<String> {
            let selection = Selection { scope: Scope::Everywhere, filter: Filter::default(), now_ms: NOW };
            let query = Some(question.to_owned());
            let request = RecallRequest { query, selection, limit: 5, unasked, ..RecallRequest::default() };
            let hits = recall(&store, &request).unwrap().hits.into_iter();
            hits.map(|hit| hit.memory.content.split(' ').next().unwrap_or_default().to_owned()).collect()
        };
        for (question, expected) in [
            ("what did we decide last week?", vec!["Terraform"]),
            ("was haben wir letzte Woche entschieden", vec!["Terraform"]),
            ("what happened this week?", vec!["Cache", "Terraform"]),
            ("decisions from last month", vec!["Terraform", "Jenkins"]),
            ("what did we learn yesterday", vec![]),
            ("what did we decide about Jenkins last week", vec!["Jenkins"]),
            ("last week", vec![]),
        ] {
            assert_eq!(ask(question, false), expected, "{question}");
        }
        assert_eq!(ask("what did we decide last week?", true), [""; 0]);
    }

    #[test]
    fn a_question_with_a_subject_is_about_that() {
        for question in
            ["what changed in the parser yesterday", "yesterday", "decide \"last week\"", "what changed", ""]
        {
            assert!(parse(question).is_none(), "{question}");
        }
        let found = parse("What's new since last week?").unwrap();
        assert_eq!((found.days, found.namespace), (14, None));
    }
}
