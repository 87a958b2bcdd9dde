//! Laws of the query layer and of recall that every store keeps, over generated memories, filters and questions.

#![allow(dead_code, reason = "each test uses some of it")]

use std::collections::HashSet;

use plimsoll_memory::domain::{Domain, Memory, Namespace, Status};
use plimsoll_memory::query::{Filter, Scope, Selection};
use plimsoll_memory::recall::{Mode, RecallRequest, recall};
use plimsoll_memory::store::{Actor, Draft, Page, QueryVector, Secrets, Store};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

pub(crate) const NOW: i64 = 1_800_000_000_000;
pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const PROJECTS: [&str; 3] = ["github.com/acme/shop", "github.com/acme/app", "local/x-1"];
pub(crate) const WORDS: [&str; 12] = [
    "postgres",
    "queue",
    "retry",
    "deploy",
    "token",
    "cache",
    "schema",
    "invoice",
    "walrus",
    "parseConfig",
    "数据库",
    "went",
];

#[derive(Debug, Clone)]
pub(crate) struct Made {
    words: Vec<usize>,
    namespace: usize,
    domain: usize,
    project: Option<usize>,
    tags: Vec<usize>,
    file: Option<usize>,
    session: Option<usize>,
    age_hours: i64,
    ttl_hours: Option<i64>,
    status: usize,
}

pub(crate) fn made() -> impl Strategy<Value = Made> {
    let place = (0..4usize, 0..3usize, proptest::option::of(0..3usize), proptest::option::of(0..3usize));
    let rest = (
        proptest::collection::vec(0..WORDS.len(), 1..6),
        proptest::collection::vec(0..4usize, 0..3),
        proptest::option::of(0..2usize),
        0..200i64,
        proptest::option::of(1..300i64),
        0..8usize,
    );
    (place, rest).prop_map(
        |((namespace, domain, project, file), (words, tags, session, age_hours, ttl_hours, status))| Made {
            words,
            namespace,
            domain,
            project,
            tags,
            file,
            session,
            age_hours,
            ttl_hours,
            status,
        },
    )
}

pub(crate) const TAGS: [&str; 4] = ["rust", "db", "a b", "[x]*"];
pub(crate) const FILES: [&str; 3] = ["src/main.rs", "src/[a]?.rs", "docs/read me.md"];

/// Stores them.
pub(crate) fn fill(store: &mut dyn Store, all: &[Made]) {
    for (n, made) in all.iter().enumerate() {
        let words: Vec<&str> = made.words.iter().map(|word| WORDS[*word]).collect();
        let namespaces = [Namespace::Decisions, Namespace::Config, Namespace::TechDebt, Namespace::Apis];
        let draft = Draft {
            project: made.project.map(|p| PROJECTS[p].to_owned()),
            tags: made.tags.iter().map(|tag| TAGS[*tag].to_owned()).collect(),
            file: made.file.map(|file| FILES[file].to_owned()),
            session: made.session.map(|session| format!("s{session}")),
            ttl_ms: made.ttl_hours.map(|hours| hours * HOUR),
            ..Draft::new(
                format!("{} n{n}", words.join(" ")),
                namespaces[made.namespace],
                [Domain::Project, Domain::User, Domain::Org][made.domain],
            )
        };
        let who = Actor::local_user(NOW - made.age_hours * HOUR);
        let id = store.capture(&draft.check(Secrets::Redact).unwrap(), &who).unwrap().memory.id;
        let statuses = [Status::Archived, Status::Superseded, Status::Pending, Status::Tombstoned];
        if let Some(status) = statuses.get(made.status) {
            store.set_status(&id, *status, &who).unwrap();
        }
    }
}

pub(crate) fn filter() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        Just("ns:decisions,config"),
        Just("-ns:tech_debt"),
        Just("tag:rust"),
        Just("tag:rust,db"),
        Just("-tag:db"),
        Just("tag:\"a b\""),
        Just("tag:\"[x]*\""),
        Just("tag:[x]*"),
        Just("tag:r*"),
        Just("since:100h"),
        Just("until:50h"),
        Just("since:2027-01-10"),
        Just("path:src/*"),
        Just("path:\"src/[a]?.rs\""),
        Just("-path:src/[a]*"),
        Just("path:*read?me*"),
        Just("session:s1"),
        Just("project:github.com/*"),
        Just("domain:user,org"),
        Just("-domain:user"),
        Just("status:archived,pending"),
        Just("status:any"),
        Just("status:expired"),
        Just("status:active,expired"),
        Just("-status:tombstoned"),
        Just("status:any -status:superseded"),
        Just("trust:agent"),
        Just("-branch:main"),
    ];
    proptest::collection::vec(token, 0..4).prop_map(|tokens| tokens.join(" "))
}

pub(crate) fn scope() -> impl Strategy<Value = Scope> {
    prop_oneof![
        Just(Scope::Outside),
        Just(Scope::Everywhere),
        (0..3usize).prop_map(|p| Scope::Project(PROJECTS[p].into())),
    ]
}

pub(crate) fn everything(store: &dyn Store) -> Vec<Memory> {
    let filter = Filter::parse("status:any", NOW).unwrap();
    let all = Selection { scope: Scope::Everywhere, filter, now_ms: NOW };
    store.list(&all, Page { offset: 0, limit: 10_000 }).unwrap().memories
}

pub(crate) fn walk(store: &dyn Store, asked: &RecallRequest) -> (Vec<Memory>, u64) {
    let mut asked = asked.clone();
    let mut out = Vec::new();
    for _ in 0..1_000 {
        let found = recall(store, &asked).unwrap();
        let scores: Vec<f64> = found.hits.iter().filter_map(|hit| hit.score).collect();
        assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
        assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)), "{scores:?}");
        out.extend(found.hits.into_iter().map(|hit| hit.memory));
        match found.next {
            Some(next) => asked.offset = next,
            None => return (out, found.total),
        }
    }
    panic!("the pages never end");
}

/// A store lists exactly what the query layer accepts: each once, newest first, on pages of any size.
pub(crate) fn lists_what_is_accepted(
    store: &dyn Store,
    asked: Vec<(String, Scope, usize)>,
) -> TestCaseResult {
    let everything = everything(store);
    for (filter, scope, limit) in asked {
        let selection = Selection { scope, filter: Filter::parse(&filter, NOW).unwrap(), now_ms: NOW };
        let expected: Vec<&str> =
            everything.iter().filter(|memory| selection.accepts(memory)).map(|m| m.id.as_str()).collect();
        let asked = RecallRequest { selection: selection.clone(), limit, ..RecallRequest::default() };
        let (walked, total) = walk(store, &asked);
        let ids: Vec<&str> = walked.iter().map(|memory| memory.id.as_str()).collect();
        prop_assert_eq!(&ids, &expected, "{}", filter);
        prop_assert_eq!(total, expected.len() as u64);
        prop_assert_eq!(store.statistics(&selection).unwrap().total, expected.len() as u64);
    }
    Ok(())
}

/// Whatever is asked, only what is selected comes back, each once over all pages, the same on every page size.
pub(crate) fn brings_only_what_is_selected(
    store: &dyn Store,
    question: &[usize],
    (filter, scope, limit): (String, Scope, usize),
    (mode, meaning): (Mode, Option<QueryVector>),
) -> TestCaseResult {
    let question: Vec<&str> = question.iter().map(|word| WORDS[*word]).collect();
    let selection = Selection { scope, filter: Filter::parse(&filter, NOW).unwrap(), now_ms: NOW };
    let asked = RecallRequest {
        query: Some(question.join(" ")),
        selection: selection.clone(),
        limit,
        mode,
        meaning,
        ..RecallRequest::default()
    };
    let (walked, total) = walk(store, &asked);
    let ids: HashSet<&str> = walked.iter().map(|memory| memory.id.as_str()).collect();
    prop_assert_eq!(ids.len(), walked.len());
    prop_assert_eq!(total as usize, walked.len());
    for memory in &walked {
        prop_assert!(selection.accepts(memory), "{:?} {}", memory, filter);
    }
    let (whole, _) = walk(store, &RecallRequest { limit: 1_000, ..asked });
    prop_assert_eq!(walked, whole);
    Ok(())
}

/// A number for each word, so that texts with the same words are near.
pub(crate) fn vector(text: &str) -> Vec<f32> {
    let has = |word: &&str| if text.split(' ').any(|one| one == *word) { 1.0_f32 } else { 0.0 };
    normalised(WORDS.iter().map(has).collect())
}

/// A hostile model's vector for a question: near to the texts that have none of its words.
fn hostile(question: &str) -> QueryVector {
    let has_not = |word: &&str| if question.split(' ').any(|one| one == *word) { 0.0_f32 } else { 1.0 };
    QueryVector { model: "words".into(), vector: normalised(WORDS.iter().map(has_not).collect()) }
}

fn normalised(numbers: Vec<f32>) -> Vec<f32> {
    let length = numbers.iter().sum::<f32>().sqrt().max(1.0);
    numbers.into_iter().map(|one| one / length).collect()
}

/// Every mode, with the vector of this question where it takes one.
pub(crate) fn ways(question: &str) -> [(Mode, Option<QueryVector>); 4] {
    let meaning = || Some(QueryVector { model: "words".into(), vector: vector(question) });
    [(Mode::Text, None), (Mode::Vector, meaning()), (Mode::Hybrid, meaning()), (Mode::Hybrid, None)]
}

fn request(question: &[usize], (filter, scope, limit): (String, Scope, usize)) -> RecallRequest {
    let words: Vec<&str> = question.iter().map(|word| WORDS[*word]).collect();
    RecallRequest {
        query: Some(words.join(" ")),
        selection: Selection { scope, filter: Filter::parse(&filter, NOW).unwrap(), now_ms: NOW },
        limit,
        ..RecallRequest::default()
    }
}

/// Without a model, and with one of which nothing has a vector, words and meaning find what words find, in the same order.
pub(crate) fn is_by_words_without_vectors(
    store: &dyn Store,
    question: &[usize],
    asked: (String, Scope, usize),
) -> TestCaseResult {
    let by_words = request(question, asked);
    let expected = walk(store, &by_words);
    for meaning in [None, Some(QueryVector { model: "another".into(), vector: vector("walrus") })] {
        let both = RecallRequest { mode: Mode::Hybrid, meaning, ..by_words.clone() };
        prop_assert_eq!(&walk(store, &both), &expected);
    }
    Ok(())
}

/// The best hits that have every word of the question stay the best ones, whatever a model takes for near.
pub(crate) fn keeps_exact_hits_in_front(
    store: &dyn Store,
    question: &[usize],
    (filter, scope, _): (String, Scope, usize),
) -> TestCaseResult {
    let by_words = request(question, (filter, scope, 1_000));
    let text = by_words.query.clone().unwrap_or_default();
    let found = recall(store, &by_words).unwrap().hits;
    let is_whole =
        |hit: &&plimsoll_memory::recall::Hit| hit.components.is_some_and(|parts| parts.coverage >= 0.999);
    let exact: HashSet<String> = found.iter().take_while(is_whole).map(|hit| hit.memory.id.clone()).collect();
    let both = RecallRequest { mode: Mode::Hybrid, meaning: Some(hostile(&text)), ..by_words };
    let hits = recall(store, &both).unwrap().hits;
    let first: HashSet<String> = hits.iter().take(exact.len()).map(|hit| hit.memory.id.clone()).collect();
    prop_assert_eq!(first, exact, "{}", text);
    // Nothing that words find is lost.
    let ids: HashSet<&str> = hits.iter().map(|hit| hit.memory.id.as_str()).collect();
    prop_assert!(found.iter().all(|hit| ids.contains(hit.memory.id.as_str())));
    Ok(())
}

/// Captures this text.
pub(crate) fn keep(store: &mut dyn Store, content: &str) {
    let new = Draft::new(content, Namespace::Context, Domain::Org).check(Secrets::Redact).unwrap();
    store.capture(&new, &Actor::local_user(NOW)).unwrap();
}

/// A secret of a captured text is in no reply, in a list or in any mode, whether its own text is asked for or the words beside
/// it.
pub(crate) fn shows_no_secret(store: &dyn Store, secret: &str) -> TestCaseResult {
    let everywhere = Selection { scope: Scope::Everywhere, now_ms: NOW, ..Selection::default() };
    let mut found = 0;
    for query in [None, Some("token".to_owned()), Some(secret.to_owned()), Some(format!("token {secret}"))] {
        for (mode, meaning) in ways("token") {
            let asked = RecallRequest {
                query: query.clone(),
                selection: everywhere.clone(),
                limit: 50,
                mode,
                meaning,
                ..RecallRequest::default()
            };
            for hit in recall(store, &asked).unwrap().hits {
                found += 1;
                prop_assert!(!format!("{:?}", hit.memory).contains(secret), "{mode:?} {:?}", hit.memory);
            }
        }
    }
    prop_assert!(found > 4, "{found}");
    Ok(())
}

/// Any text is a question, and none is an error or a panic.
pub(crate) fn takes_any_question(store: &dyn Store, question: String) -> TestCaseResult {
    let found = recall(store, &RecallRequest { query: Some(question), limit: 3, ..RecallRequest::default() })
        .unwrap();
    prop_assert!(found.hits.is_empty());
    Ok(())
}

/// Capturing twice is once, whatever the text; what comes back is what went in, but for secrets.
pub(crate) fn keeps_once_word_for_word(store: &mut dyn Store, content: &str) -> TestCaseResult {
    let new = Draft::new(content, Namespace::Context, Domain::User).check(Secrets::Redact).unwrap();
    let first = store.capture(&new, &Actor::local_user(NOW)).unwrap();
    let again = store.capture(&new, &Actor::local_user(NOW + 1)).unwrap();
    prop_assert!(!first.duplicate && again.duplicate);
    prop_assert_eq!(&first.memory, &again.memory);
    let back = store.get(&first.memory.id).unwrap().unwrap();
    prop_assert_eq!(back.content, text::redact(content).into_owned());
    Ok(())
}
