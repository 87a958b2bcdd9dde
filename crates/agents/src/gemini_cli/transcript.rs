//! Gemini CLI's transcripts: `tmp/<project>/chats/session-*.jsonl`, and `.json` documents from older versions. A message is
//! written again whenever something is added to it, so the last one with an id counts; `$set` contains whole messages, and
//! `$rewindTo` takes messages back, whose tokens were spent all the same.

use home::Env;
use serde_json::Value;
use transcripts::{
    Call, Format, JsonFields, Key, Record, Source, State, Tokens, ToolOutput, Usage, UsageScope, at_ms,
    entries, files, name, only,
};

use super::dialect::without_context;
use super::{ID, config_dir};

/// Ids of at least this length are unique without their session, and stay the same in a copied session.
const UNIQUE_ID: usize = 16;

/// A chat is called `session-<time>-<first characters of its id>`.
const NAMED_BY: Option<usize> = Some(8);

pub(super) const FORMAT: &Format = &Format { named_by: NAMED_BY, prompts, ..Format::lines("gemini", read) };

/// Chats of older versions.
pub(super) const DOCUMENT: &Format =
    &Format { document: true, named_by: NAMED_BY, prompts, ..Format::lines("gemini-document", read) };

/// The transcripts on this computer.
pub(super) fn sources(env: &Env) -> Vec<Source> {
    let mut found = Vec::new();
    for project in entries(&config_dir(env).join("tmp")) {
        files(&project.join("chats"), ID, &mut found, |name| match name {
            name if name.ends_with(".jsonl") => Some(FORMAT),
            name if name.ends_with(".json") => Some(DOCUMENT),
            _ => None,
        });
    }
    found
}

fn read(line: &Value, state: &mut State, out: &mut Vec<Record>) {
    let session = line.text("sessionId");
    if !session.is_empty() {
        state.session = name(session);
    }
    message(line, state, out);
    for inner in line.items("messages").iter().chain(line.at("$set").items("messages")) {
        message(inner, state, out);
    }
}

fn message(message: &Value, state: &State, out: &mut Vec<Record>) {
    if message.text("type") != "gemini" {
        return;
    }
    let id = message.text("id");
    let scope = if id.len() >= UNIQUE_ID { "" } else { state.session.as_str() };
    let at = at_ms(message.at("timestamp"));
    let calls = message.items("toolCalls");
    let tokens = message.at("tokens");
    if tokens.is_object() {
        out.push(Record::Usage(Usage {
            agent: ID,
            session: state.session.clone(),
            model: name(message.text("model")),
            tool: only(calls.iter().map(|call| name(call.text("name")))),
            at_ms: at,
            tokens: Tokens::inclusive(
                tokens.count("input").saturating_add(tokens.count("tool")),
                tokens.count("output").saturating_add(tokens.count("thoughts")),
                tokens.count("cached"),
                0,
            ),
            key: Key::of(ID, &["message", scope, id]),
            alias: None,
            sidechain: false,
            scope: UsageScope::Response,
        }));
    }
    for call in calls {
        let Some(whole) = result(call.at("result")) else { continue };
        let known = Call::new(call.text("name"), call.at("args").at("command").as_str());
        let (text, exit) = match &known.command {
            Some(_) => without_frame(&whole, call.text("status") == "success"),
            None => (whole, None),
        };
        let called = at_ms(call.at("timestamp"));
        out.push(Record::ToolOutput(ToolOutput {
            agent: ID,
            session: state.session.clone(),
            at_ms: if called == 0 { at } else { called },
            tool: known.tool,
            command: known.command,
            text,
            exit,
            key: Key::of(ID, &["result", scope, id, call.text("id")]),
        }));
    }
}

/// A prompt is a message of its own; earlier messages (`$set`) are the program's. After a prompt that names files come
/// the files.
fn prompts(line: &Value, out: &mut Vec<String>) {
    const FILES: &str = "--- Content from referenced files ---";
    if line.text("type") != "user" {
        return;
    }
    let content = line.at("content");
    let mut texts = vec![content.as_str().unwrap_or_default()];
    texts.extend(line.items("content").iter().map(|part| part.text("text")));
    for text in texts {
        let (own, of_files) = text.split_once(FILES).map_or((text, false), |(own, _)| (own, true));
        out.push(without_context(own.to_owned()));
        if of_files {
            break;
        }
    }
}

/// The model's input: `functionResponse.response.output`, or its `error`.
fn result(parts: &Value) -> Option<String> {
    let texts: Vec<&str> = parts
        .as_array()?
        .iter()
        .filter_map(|part| {
            let response = part.at("functionResponse").at("response");
            ["output", "error"].into_iter().find_map(|field| response.at(field).as_str())
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// The command's output, without the frame of fields around it.
fn without_frame(whole: &str, succeeded: bool) -> (String, Option<i32>) {
    const AFTER: &[&str] =
        &["Error: ", "Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: ", "Reason: "];
    let inner = whole.strip_prefix("<untrusted_context>\n").unwrap_or(whole);
    let inner = inner.strip_suffix("\n</untrusted_context>").unwrap_or(inner);
    let start =
        if inner.starts_with("Output: ") { Some(0) } else { inner.find("\nOutput: ").map(|at| at + 1) };
    let is_framed = inner.starts_with("Output: ") || inner.starts_with("Command: ");
    let Some(start) = start.filter(|_| is_framed) else { return (whole.to_owned(), None) };
    let mut text = &inner[start + "Output: ".len()..];
    let mut exit = None;
    while let Some((before, last)) = text.rsplit_once('\n') {
        let Some(field) = AFTER.iter().find(|field| last.starts_with(**field)) else { break };
        if *field == "Exit Code: " {
            exit = last["Exit Code: ".len()..].trim().parse().ok();
        }
        text = before;
    }
    // Newer versions omit empty fields, and so an exit code of 0.
    let exit = exit.or_else(|| (succeeded && !inner.contains("\nSignal: ")).then_some(0));
    (text.to_owned(), exit)
}
