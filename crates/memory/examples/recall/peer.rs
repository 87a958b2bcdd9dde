//! The reference memory server (npm) on the same questions: each session is one of its entities with the turns as
//! observations. It is asked with the whole question, as an agent asks, and, because it finds a question only where the
//! whole question is in one text, once more with a call for each word.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use super::conversation::{Conversation, Score};

/// A running server that is asked over its pipes. It is ended when dropped.
pub(crate) struct Peer {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    next: u64,
}

impl Peer {
    /// Starts it.
    pub(crate) fn start(mut command: Command) -> Result<Self, String> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", command.get_program().to_string_lossy()))?;
        let (stdin, stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut peer = Self { child, stdin, stdout, next: 0 };
        peer.ask(
            "initialize",
            &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}),
        )?;
        peer.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(peer)
    }

    fn write(&mut self, message: &Value) -> Result<(), String> {
        writeln!(self.stdin, "{message}").map_err(|error| format!("the server ended: {error}"))
    }

    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.next += 1;
        let id = self.next;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let mut line = String::new();
            if self.stdout.read_line(&mut line).map_err(|error| error.to_string())? == 0 {
                return Err("the server ended".into());
            }
            let answer: Value = serde_json::from_str(&line).map_err(|error| format!("{error}: {line}"))?;
            if answer["id"] == id {
                let failed = answer.get("error").is_some() || answer["result"]["isError"] == true;
                return if failed { Err(answer.to_string()) } else { Ok(answer["result"].clone()) };
            }
        }
    }

    /// The sessions that a query finds, in the server's order.
    fn search(&mut self, query: &str) -> Result<Vec<u32>, String> {
        let found =
            self.ask("tools/call", &json!({"name": "search_nodes", "arguments": {"query": query}}))?;
        let mut entities = found["structuredContent"]["entities"].clone();
        if entities.is_null() {
            let text = found["content"][0]["text"].as_str().unwrap_or("{}");
            entities = serde_json::from_str::<Value>(text).unwrap_or_default()["entities"].clone();
        }
        let names = entities.as_array().into_iter().flatten().filter_map(|one| one["name"].as_str());
        Ok(names.filter_map(|name| name.strip_prefix("session ")?.parse().ok()).collect())
    }

    /// The same with a call for each word that says something; a word that few sessions have counts most.
    fn search_by_words(&mut self, question: &str) -> Result<Vec<u32>, String> {
        let mut votes: HashMap<u32, f64> = HashMap::new();
        for part in ranking::Query::parse(question).parts {
            let found = self.search(&part.text)?;
            for session in &found {
                *votes.entry(*session).or_default() += 1.0 / found.len() as f64;
            }
        }
        let mut all: Vec<(u32, f64)> = votes.into_iter().collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Ok(all.into_iter().map(|(session, _)| session).collect())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What it finds on these conversations.
pub(crate) fn measure(script: &Path, all: &[Conversation]) -> Result<Value, String> {
    let (mut whole, mut words) = (Score::default(), Score::default());
    let (mut empty, mut ms) = (0, Vec::new());
    for conversation in all {
        let dir = tempfile::tempdir().unwrap();
        let mut server = Command::new("node");
        server.arg(script).env("MEMORY_FILE_PATH", dir.path().join("memory.jsonl"));
        let mut peer = Peer::start(server)?;
        let mut observations: Vec<(u32, Vec<String>)> = Vec::new();
        for turn in &conversation.turns {
            let text = format!("{}: {}", turn.speaker, turn.text);
            match observations.last_mut() {
                Some((session, texts)) if *session == turn.session => texts.push(text),
                _ => observations.push((turn.session, vec![text])),
            }
        }
        let entities: Vec<Value> = observations
            .into_iter()
            .map(|(n, texts)| json!({"name": format!("session {n}"), "entityType": "session", "observations": texts}))
            .collect();
        peer.ask("tools/call", &json!({"name": "create_entities", "arguments": {"entities": entities}}))?;
        for (question, evidence) in &conversation.questions {
            let began = Instant::now();
            let found = peer.search(question)?;
            ms.push(began.elapsed().as_secs_f64() * 1_000.0);
            empty += u32::from(found.is_empty());
            whole.add(&[], &found, evidence);
            words.add(&[], &peer.search_by_words(question)?, evidence);
        }
    }
    Ok(json!({
        "whole": whole.report(), "words": words.report(), "empty": empty,
        "p95_ms": super::speed::percentile(&ms, 95),
    }))
}
