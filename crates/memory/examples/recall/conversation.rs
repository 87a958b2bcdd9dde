//! LoCoMo's conversations with their questions, and how answers to these are counted. Owns the form of the data; does not know
//! whose answers they are.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use serde_json::{Value, json};

pub(crate) struct Turn {
    pub(crate) id: String,
    pub(crate) speaker: String,
    pub(crate) text: String,
    pub(crate) session: u32,
}

pub(crate) struct Conversation {
    pub(crate) name: String,
    pub(crate) turns: Vec<Turn>,
    /// Each question with the turns that answer it.
    pub(crate) questions: Vec<(String, BTreeSet<String>)>,
}

/// How many questions were answered by what is among the first.
#[derive(Default)]
pub(crate) struct Score {
    questions: u32,
    turns: [u32; 3],
    sessions: [u32; 3],
    /// How long each question took.
    pub(crate) ms: Vec<f64>,
}

const FIRST: [usize; 3] = [1, 5, 10];

impl Score {
    /// `turns` and `sessions`, the best first; each session once.
    pub(crate) fn add(&mut self, turns: &[&str], sessions: &[u32], evidence: &BTreeSet<String>) {
        self.questions += 1;
        let session = |id: &String| id[1..].split(':').next().and_then(|number| number.parse().ok());
        let right: HashSet<u32> = evidence.iter().filter_map(session).collect();
        for (i, first) in FIRST.into_iter().enumerate() {
            self.turns[i] += u32::from(turns.iter().take(first).any(|turn| evidence.contains(*turn)));
            self.sessions[i] += u32::from(sessions.iter().take(first).any(|session| right.contains(session)));
        }
    }

    pub(crate) fn report(&self) -> Value {
        let share = |hits: u32| (1_000.0 * f64::from(hits) / f64::from(self.questions)).round() / 10.0;
        let mut out = json!({"questions": self.questions});
        for (i, first) in FIRST.into_iter().enumerate() {
            out[format!("turn_hit_{first}")] = share(self.turns[i]).into();
            out[format!("session_hit_{first}")] = share(self.sessions[i]).into();
        }
        if !self.ms.is_empty() {
            out["p95_ms"] = super::speed::percentile(&self.ms, 95).into();
        }
        out
    }
}

/// The conversations of a folder or a file.
pub(crate) fn read(path: &Path) -> Result<Vec<Conversation>, String> {
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|error| format!("{}: {error}", path.display()))?;
        files = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
        files.sort();
    }
    let mut out = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let value: Value =
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        let all = if let Value::Array(all) = value { all } else { vec![value] };
        out.extend(all.iter().filter_map(conversation));
    }
    if out.is_empty() {
        Err(format!("{} contains no conversations of LoCoMo", path.display()))
    } else {
        Ok(out)
    }
}

fn conversation(value: &Value) -> Option<Conversation> {
    let talk = value["conversation"].as_object()?;
    let mut turns = Vec::new();
    for session in 1..=60_u32 {
        for turn in talk.get(&format!("session_{session}")).and_then(Value::as_array).into_iter().flatten() {
            let caption =
                turn["blip_caption"].as_str().map(|caption| format!(" {caption}")).unwrap_or_default();
            turns.push(Turn {
                id: turn["dia_id"].as_str()?.to_owned(),
                speaker: turn["speaker"].as_str()?.to_owned(),
                text: format!("{}{caption}", turn["text"].as_str()?),
                session,
            });
        }
    }
    let questions = value["qa"]
        .as_array()?
        .iter()
        .filter_map(|qa| {
            let evidence: BTreeSet<String> = qa["evidence"]
                .as_array()?
                .iter()
                .filter_map(Value::as_str)
                .flat_map(|text| text.split([';', ',', ' ']))
                .filter_map(turn_id)
                .collect();
            (!evidence.is_empty()).then(|| qa["question"].as_str().map(|text| (text.to_owned(), evidence)))?
        })
        .collect();
    // The one file calls them `conv-26`, too.
    let name = value["sample_id"].as_str()?.to_owned();
    Some(Conversation { name, turns, questions })
}

/// `D30:05` is the turn `D30:5`.
fn turn_id(text: &str) -> Option<String> {
    let (session, turn) = text.trim().strip_prefix('D')?.split_once(':')?;
    let (session, turn): (u32, u32) = (session.parse().ok()?, turn.parse().ok()?);
    Some(format!("D{session}:{turn}"))
}
