//! LoCoMo, retrieval only: each turn is a memory, each question is asked word for word, and what counts is whether its
//! evidence is among the first. No model is asked anything.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use plimsoll_memory::domain::{Domain, Namespace};
use plimsoll_memory::embedding::Embedder;
use plimsoll_memory::query::{Scope, Selection};
use plimsoll_memory::recall::{RecallRequest, recall};
use plimsoll_memory::store::{Actor, Draft, Secrets, SqliteStore, Store};
use rusqlite::Connection;
use serde_json::{Map, Value, json};

use super::conversation::{Conversation, Score, read};
use super::vectors::{self, MODES};

/// Conversations on which the ranking was tuned; the others are what is reported.
const TUNED_ON: [&str; 3] = ["conv-26", "conv-30", "conv-41"];

/// The programs of others that are asked the same, where they're named.
#[derive(Default)]
pub(crate) struct Peers {
    /// The script of the reference memory server.
    pub(crate) reference: Option<PathBuf>,
    /// basic-memory's command line.
    pub(crate) basic_memory: Option<PathBuf>,
}

/// The results of Plimsoll, of a plain table and of the other named programs.
pub(crate) fn measure(path: &str, peers: &Peers, embedder: Option<&Embedder>) -> Result<Value, String> {
    let (tuning, held_out) = read(Path::new(path))?
        .into_iter()
        .partition::<Vec<_>, _>(|one| TUNED_ON.contains(&one.name.as_str()));
    let mut out = Map::new();
    for (name, of) in [("tuning", tuning), ("held_out", held_out)] {
        if !of.is_empty() {
            let mut plain = Score::default();
            let ways = if embedder.is_some() { &MODES[..] } else { &MODES[..1] };
            let mut ours: Vec<Score> = ways.iter().map(|_| Score::default()).collect();
            for conversation in &of {
                score_ours(conversation, embedder, &mut ours);
                score_plain(conversation, &mut plain);
            }
            let names: Vec<&str> = of.iter().map(|one| one.name.as_str()).collect();
            let mut part = json!({"conversations": names, "plain": plain.report()});
            for ((way, _), score) in ways.iter().zip(&ours) {
                part[way] = score.report();
            }
            match peers.reference.as_deref().map(|script| super::peer::measure(script, &of)) {
                Some(Ok(found)) => part["reference"] = found,
                Some(Err(reason)) => part["no_reference"] = reason.into(),
                None => {}
            }
            match peers.basic_memory.as_deref().map(|program| super::basic_memory::measure(program, &of)) {
                Some(Ok(found)) => part["basic_memory"] = found,
                Some(Err(reason)) => part["no_basic_memory"] = reason.into(),
                None => {}
            }
            out.insert(name.into(), part);
        }
    }
    Ok(Value::Object(out))
}

fn score_ours(conversation: &Conversation, embedder: Option<&Embedder>, scores: &mut [Score]) {
    let dir = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
    let project = format!("bench/{}", conversation.name);
    let mut turns_of: HashMap<String, Vec<&str>> = HashMap::new();
    for (at_ms, turn) in (0..).zip(&conversation.turns) {
        let draft = Draft {
            project: Some(project.clone()),
            author: Some(turn.speaker.clone()),
            session: Some(format!("session {}", turn.session)),
            ..Draft::new(turn.text.clone(), Namespace::Context, Domain::Project)
        };
        let captured =
            store.capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(at_ms)).unwrap();
        turns_of.entry(captured.memory.id).or_default().push(&turn.id);
    }
    if let Some(embedder) = embedder {
        vectors::fill(&mut store, embedder);
    }
    let session_of: HashMap<&str, u32> =
        conversation.turns.iter().map(|turn| (turn.id.as_str(), turn.session)).collect();
    let selection =
        Selection { scope: Scope::Project(project.into()), now_ms: 1_000_000, ..Selection::default() };
    for ((_, mode), score) in MODES.iter().zip(scores) {
        for (question, evidence) in &conversation.questions {
            let asked = RecallRequest {
                query: Some(question.clone()),
                selection: selection.clone(),
                limit: 200,
                ..RecallRequest::default()
            };
            let began = std::time::Instant::now();
            let found = recall(&store, &vectors::by(*mode, asked, embedder)).unwrap();
            score.ms.push(began.elapsed().as_secs_f64() * 1_000.0);
            // Turns that say the same are one memory, which takes one place.
            let places: Vec<&Vec<&str>> = found.hits.iter().map(|hit| &turns_of[&hit.memory.id]).collect();
            let turns: Vec<&str> = places
                .iter()
                .map(|same| *same.iter().find(|turn| evidence.contains(**turn)).unwrap_or(&same[0]))
                .collect();
            let sessions = each_once(places.iter().map(|same| session_of[same[0]]));
            score.add(&turns, &sessions, evidence);
        }
    }
}

/// A plain table: Porter, words of questions left out, any word is enough; for sessions a table of whole sessions.
fn score_plain(conversation: &Conversation, score: &mut Score) {
    let db = Connection::open_in_memory().unwrap();
    db.execute_batch(
        "CREATE VIRTUAL TABLE turns USING fts5(text, tokenize='porter unicode61');
         CREATE VIRTUAL TABLE sessions USING fts5(text, tokenize='porter unicode61');",
    )
    .unwrap();
    let mut whole: Vec<(u32, String)> = Vec::new();
    for (row, turn) in (1_i64..).zip(&conversation.turns) {
        let text = format!("{}: {}", turn.speaker, turn.text);
        db.execute("INSERT INTO turns(rowid, text) VALUES(?1, ?2)", (row, &text)).unwrap();
        match whole.last_mut() {
            Some((session, texts)) if *session == turn.session => {
                texts.push('\n');
                texts.push_str(&text);
            }
            _ => whole.push((turn.session, text)),
        }
    }
    for (session, text) in &whole {
        db.execute("INSERT INTO sessions(rowid, text) VALUES(?1, ?2)", (session, text)).unwrap();
    }
    for (question, evidence) in &conversation.questions {
        let any = ranking::Query::parse(question).any().join(" OR ");
        let rows = |table: &str| -> Vec<i64> {
            db.prepare(&format!(
                "SELECT rowid FROM {table} WHERE {table} MATCH ?1 ORDER BY bm25({table}) LIMIT 20"
            ))
            .unwrap()
            .query_map([&any], |row| row.get(0))
            .unwrap()
            .map(Result::unwrap)
            .collect()
        };
        let turns: Vec<&str> = rows("turns")
            .into_iter()
            .map(|row| conversation.turns[usize::try_from(row - 1).unwrap()].id.as_str())
            .collect();
        let sessions: Vec<u32> =
            rows("sessions").into_iter().map(|row| u32::try_from(row).unwrap()).collect();
        score.add(&turns, &sessions, evidence);
    }
}

fn each_once(all: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut seen = HashSet::new();
    all.filter(|one| seen.insert(*one)).collect()
}
