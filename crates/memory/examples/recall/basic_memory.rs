//! basic-memory (PyPI) on the same questions: each session is one of its notes, and each question is asked as it is, by words.
//! Its own model of meaning would have to be downloaded, so it's off.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use super::conversation::{Conversation, Score};
use super::peer::Peer;

/// The name of the project that the notes are in.
const PROJECT: &str = "bench";
/// A note is called so, and its session's number follows.
const NOTE: &str = "session-";

/// Its results on these conversations; `program` is its command line.
pub(crate) fn measure(program: &Path, all: &[Conversation]) -> Result<Value, String> {
    let (mut score, mut empty, mut ms) = (Score::default(), 0, Vec::new());
    for conversation in all {
        let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
        let notes = dir.path().join("notes");
        write_notes(&notes, conversation).map_err(|error| error.to_string())?;
        let folder = notes.to_string_lossy().into_owned();
        run(command(program, dir.path()).args(["project", "add", PROJECT, folder.as_str()]))?;
        run(command(program, dir.path()).args(["reindex", "--search", "-p", PROJECT]))?;
        let mut server = command(program, dir.path());
        server.arg("mcp");
        let mut peer = Peer::start(server)?;
        for (question, evidence) in &conversation.questions {
            let began = Instant::now();
            let asked = json!({
                "query": question, "project": PROJECT, "search_type": "text", "page_size": 30, "output_format": "json",
            });
            let answer = peer.ask("tools/call", &json!({"name": "search_notes", "arguments": asked}))?;
            ms.push(began.elapsed().as_secs_f64() * 1_000.0);
            let found = sessions(&answer)?;
            empty += u32::from(found.is_empty());
            score.add(&[], &found, evidence);
        }
    }
    Ok(json!({"whole": score.report(), "empty": empty, "p95_ms": super::speed::percentile(&ms, 95)}))
}

fn write_notes(folder: &Path, conversation: &Conversation) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut notes: Vec<(u32, String)> = Vec::new();
    for turn in &conversation.turns {
        let line = format!("{}: {}\n\n", turn.speaker, turn.text);
        match notes.last_mut() {
            Some((session, text)) if *session == turn.session => text.push_str(&line),
            _ => notes.push((turn.session, format!("# Session {}\n\n{line}", turn.session))),
        }
    }
    notes
        .iter()
        .try_for_each(|(session, text)| std::fs::write(folder.join(format!("{NOTE}{session}.md")), text))
}

/// Its command line with everything that it keeps in this folder.
fn command(program: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .env("HOME", home)
        .env("USERPROFILE", home)
        .env("BASIC_MEMORY_CONFIG_DIR", home.join("config"))
        .env("BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED", "false");
    command
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("basic-memory: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let told = String::from_utf8_lossy(&output.stderr);
    Err(format!("basic-memory ended with {}: {}", output.status, told.lines().last().unwrap_or_default()))
}

/// The sessions of an answer, the best first, each once. An answer of another shape is an error, not an empty one.
fn sessions(answer: &Value) -> Result<Vec<u32>, String> {
    let structured = &answer["structuredContent"];
    let text = answer["content"][0]["text"].as_str().unwrap_or_default();
    let parsed = serde_json::from_str::<Value>(text).unwrap_or_default();
    let found = [&structured["results"], &structured["result"]["results"], &parsed["results"]]
        .into_iter()
        .find_map(Value::as_array)
        .ok_or_else(|| {
            format!("basic-memory's answer isn't a list: {}", text.chars().take(200).collect::<String>())
        })?;
    let mut seen = HashSet::new();
    let number = |one: &Value| {
        let path = one["file_path"].as_str()?;
        let name = path.rsplit(['/', '\\']).next()?.strip_suffix(".md")?;
        name.strip_prefix(NOTE)?.parse::<u32>().ok()
    };
    Ok(found.iter().filter_map(number).filter(|session| seen.insert(*session)).collect())
}
