//! A made-up project's memories with questions and prompts that ask for nothing known: decisions and their reversals, settings,
//! interfaces, failures, in three languages. Everything is made here, the same in every run.

use plimsoll_memory::domain::{Domain, Namespace};
use plimsoll_memory::embedding::Embedder;
use plimsoll_memory::prompt_answers;
use plimsoll_memory::query::{Scope, Selection};
use plimsoll_memory::recall::{RecallRequest, recall};
use plimsoll_memory::store::{Actor, Draft, Secrets, SqliteStore, Store};
use serde_json::{Value, json};

use super::vectors::{self, MODES};

const NOW: i64 = 1_800_000_000_000;
const PROJECT: &str = "bench/made-up";

const PARTS: &[&str] = &[
    "billing",
    "ledger",
    "checkout",
    "catalogue",
    "mailer",
    "scheduler",
    "importer",
    "gateway",
    "warehouse",
    "profile",
    "search",
    "auditor",
    "notifier",
    "renderer",
    "thumbnailer",
    "translator",
    "router",
    "throttle",
    "session store",
    "upload",
    "exporter",
    "planner",
    "metering",
    "inventory",
    "returns desk",
    "shipping",
    "loyalty",
    "voucher",
    "tax engine",
    "fraud check",
    "recommender",
    "webhook relay",
    "archive",
    "feature flags",
    "health probe",
    "backup agent",
    "geo lookup",
    "rate card",
    "document vault",
    "chat bridge",
];
const STORES: &[&str] = &["PostgreSQL", "SQLite", "Redis", "DynamoDB", "ClickHouse"];
const QUEUES: &[&str] = &["RabbitMQ", "NATS", "Kafka", "SQS"];
const REASONS: &[&str] = &[
    "it has to survive a restart",
    "the team knows it",
    "of its window functions",
    "reads dominate",
    "of the licence",
];
const ERRORS: &[&str] = &[
    "connection reset by peer",
    "too many open files",
    "certificate has expired",
    "deadlock detected",
    "no space left on device",
    "address already in use",
    "broken pipe",
    "permission denied",
    "invalid checksum",
    "clock skew too great",
];
const FIXES: &[&str] = &[
    "raising the pool size",
    "pinning the image",
    "renewing the chain",
    "sorting the updates",
    "rotating the log",
];

/// One memory with the questions that it answers.
struct Fact {
    namespace: Namespace,
    text: String,
    /// What it replaces.
    before: Option<String>,
    questions: Vec<String>,
}

fn fact(namespace: Namespace, text: String, questions: &[String]) -> Fact {
    Fact { namespace, text, before: None, questions: questions.to_vec() }
}

fn facts() -> Vec<Fact> {
    let mut out = Vec::new();
    for (n, part) in PARTS.iter().enumerate() {
        let of = |all: &[&'static str], step: usize| all[(n * step + step) % all.len()];
        let name: String = part.split(' ').map(|word| word[..1].to_uppercase() + &word[1..]).collect();
        out.push(fact(
            Namespace::Decisions,
            format!("The {part} stores its data in {} because {}", of(STORES, 1), of(REASONS, 2)),
            &[format!("which database does the {part} use to store data")],
        ));
        out.push(Fact {
            before: Some(format!("The {part} sends its jobs through {}", of(QUEUES, 1))),
            ..fact(
                Namespace::Decisions,
                format!(
                    "The {part} moved its jobs from {} to {}",
                    of(QUEUES, 1),
                    QUEUES[(n + 2) % QUEUES.len()]
                ),
                &[format!("where do jobs of the {part} go"), format!("{part} jobs")],
            )
        });
        out.push(fact(
            Namespace::Config,
            format!("The {part} listens on port {}; {}_PORT changes it", 7_000 + n * 13, name.to_uppercase()),
            &[format!("what port does the {part} listen on"), format!("{}_PORT", name.to_uppercase())],
        ));
        out.push(fact(
            Namespace::Security,
            format!("Tokens of the {part} expire after {} minutes", 5 + n),
            &[format!("when do {part} tokens expire")],
        ));
        out.push(fact(
            Namespace::Apis,
            format!(
                "`open{name}Stream()` in src/{}/stream.rs never retries by itself",
                part.replace(' ', "_")
            ),
            &[format!("open{name}Stream"), format!("src/{}/stream.rs", part.replace(' ', "_"))],
        ));
        out.push(fact(
            Namespace::Blockers,
            format!("The {part} failed at night with \"{}\"; fixed by {}", of(ERRORS, 3), of(FIXES, 1)),
            &[format!("{part} {}", of(ERRORS, 3))],
        ));
        out.push(fact(
            Namespace::Testing,
            format!("Test the {part} against a fake clock, never against the real one"),
            &[format!("how is the {part} tested with a clock")],
        ));
        out.push(fact(
            Namespace::Performance,
            format!("The {part} took {} ms per request until its cache was warmed at the start", 90 + n),
            &[format!("why was the {part} slow per request before the cache")],
        ));
        out.push(fact(
            Namespace::Context,
            format!("Der Dienst {name} wird nachts um {} Uhr neu gestartet", n % 5 + 1),
            &[format!("wann wird {name} neu gestartet")],
        ));
        out.push(fact(
            Namespace::Context,
            format!("{name}のバックアップは毎日{}時に取る", n % 24),
            &[format!("{name} バックアップ")],
        ));
    }
    out
}

/// Prompts of everyday work in several languages, with errors as they are pasted (`\\n` is a line's end): one a line.
const EVERYDAY: &str = include_str!("prompts/everyday.txt");

/// Prompts of everyday work that nothing here answers: about other things, and about known parts.
fn negatives() -> Vec<String> {
    const DO: &[&str] =
        &["refactor", "rename", "document", "format", "review", "explain", "translate", "delete"];
    const WHAT: &[&str] = &[
        "the walrus component",
        "this paragraph",
        "the colour palette",
        "my resume",
        "the haiku generator",
        "a chess engine",
        "the sidebar icon",
        "the font of the heading",
        "the wedding invitation",
    ];
    let mut out: Vec<String> = Vec::new();
    for work in DO {
        out.extend(WHAT.iter().map(|what| format!("please {work} {what}")));
    }
    for part in PARTS {
        out.push(format!("what colour is the logo of the {part} on the marketing poster"));
    }
    for odd in [
        "purple elephants dance quietly",
        "how tall is mount everest",
        "zzzz qqqq",
        "!!!",
        "tell me a joke",
        "的",
    ] {
        out.push(odd.to_owned());
    }
    out.extend(EVERYDAY.lines().map(|line| line.replace("\\n", "\n")));
    out
}

/// Captures all facts: returns the id of each with that of what it replaces, and the number of memories.
fn fill(store: &mut SqliteStore, facts: &[Fact], project: &str) -> (Vec<(String, Option<String>)>, u32) {
    let mut ids = Vec::new();
    let mut memories = 0_u32;
    for (at_ms, fact) in (NOW..).zip(facts) {
        let mut capture = |text: &str, supersedes: Vec<String>| {
            let session = Some(format!("s{}", memories / 12));
            let new = Draft {
                project: Some(project.into()),
                session,
                supersedes,
                ..Draft::new(text, fact.namespace, Domain::Project)
            };
            memories += 1;
            store.capture(&new.check(Secrets::Redact).unwrap(), &Actor::local_user(at_ms)).unwrap().memory.id
        };
        let old = fact.before.as_ref().map(|text| capture(text, Vec::new()));
        ids.push((capture(&fact.text, old.iter().cloned().collect()), old));
    }
    (ids, memories)
}

pub(crate) fn measure(embedder: Option<&Embedder>) -> Value {
    let dir = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
    let facts = facts();
    let (ids, memories) = fill(&mut store, &facts, PROJECT);
    let selection =
        Selection { scope: Scope::Project(PROJECT.into()), now_ms: NOW + 10_000, ..Selection::default() };
    if let Some(embedder) = embedder {
        vectors::fill(&mut store, embedder);
    }
    let negatives = negatives();
    let mut out = json!({});
    for (name, mode) in if embedder.is_some() { &MODES[..] } else { &MODES[..1] } {
        let ask = |question: &str, limit| {
            let asked = RecallRequest {
                query: Some(question.to_owned()),
                selection: selection.clone(),
                limit,
                ..RecallRequest::default()
            };
            recall(&store, &vectors::by(*mode, asked, embedder)).unwrap().hits
        };
        let (mut questions, mut hits, mut stale, mut missed) = (0_u32, 0_u32, 0_usize, Vec::new());
        for (fact, (id, old)) in facts.iter().zip(&ids) {
            for question in &fact.questions {
                questions += 1;
                let found = ask(question, 5);
                if found.iter().any(|hit| hit.memory.id == *id) {
                    hits += 1;
                } else if missed.len() < 10 {
                    missed.push(question.as_str());
                }
                stale += usize::from(found.iter().any(|hit| old.as_ref() == Some(&hit.memory.id)));
            }
        }
        let answered = negatives.iter().filter(|prompt| !ask(prompt, 3).is_empty()).count();
        out[name] = json!({
            "memories": memories,
            "questions": questions,
            "hit_5": (1_000.0 * f64::from(hits) / f64::from(questions)).round() / 1_000.0,
            "superseded_shown": stale,
            "missed": missed,
            "negatives": negatives.len(),
            "answered_on_negatives": answered,
        });
    }
    // What an agent is told without asking; a hook uses no vectors.
    let told_for = |prompt: &str| {
        prompt_answers(&store, selection.scope.clone(), prompt, selection.now_ms).unwrap_or_default()
    };
    let told: Vec<&String> = negatives.iter().filter(|prompt| !told_for(prompt).is_empty()).collect();
    let (mut prompts, mut left_out) = (0_u32, Vec::new());
    for (fact, (id, _)) in facts.iter().zip(&ids) {
        let Some(question) = fact.questions.first() else { continue };
        prompts += 1;
        if !told_for(question).iter().any(|memory| memory.id == *id) {
            left_out.push(question.as_str());
        }
    }
    out["unasked"] = json!({
        "negatives": negatives.len(),
        "told_on_negatives": told.len(),
        "told": told.iter().take(10).collect::<Vec<_>>(),
        "prompts": prompts,
        "left_out": left_out.len(),
        "left_out_first": left_out.iter().take(10).collect::<Vec<_>>(),
        "session": super::session::measure(
            |store, project| {
                fill(store, &facts, project);
            },
            &facts.iter().filter_map(|fact| fact.questions.first().map(String::as_str)).collect::<Vec<_>>(),
            NOW + 10_000,
        ),
    });
    out
}
