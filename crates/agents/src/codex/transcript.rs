//! Codex's transcripts: `sessions/YYYY/MM/DD/rollout-*.jsonl`, records `{timestamp, type, payload}`. Running totals
//! (`token_count`) repeat and continue in forks, so only the last response's tokens are counted, once per total. Newer
//! versions count each response on its own (`token_usage_record`), which then takes precedence. Older versions copy the
//! parent's records into a fork.

use std::path::Path;

use home::Env;
use serde_json::Value;
use transcripts::{
    Call, Format, JsonFields, Key, Record, Source, State, Tokens, ToolOutput, Usage, UsageScope, at_ms,
    command, content_text, exit_code, files, name, object, stem,
};

use super::{ID, config_dir};

pub(super) const FORMAT: &Format = &Format { session, prompts, ..Format::lines("codex", read) };

/// The transcripts on this computer.
pub(super) fn sources(env: &Env) -> Vec<Source> {
    let mut found = Vec::new();
    for below in ["sessions", "archived_sessions"] {
        files(&config_dir(env).join(below), ID, &mut found, |name| {
            (name.starts_with("rollout-") && name.ends_with(".jsonl")).then_some(FORMAT)
        });
    }
    found
}

/// A file is called `rollout-<time>-<id>`, where the id is a UUID.
fn session(path: &Path) -> String {
    let name = stem(path);
    name.get(name.len().saturating_sub(36)..).unwrap_or(&name).to_owned()
}

fn read(line: &Value, state: &mut State, out: &mut Vec<Record>) {
    let payload = line.at("payload");
    let at = at_ms(line.at("timestamp"));
    match line.text("type") {
        "session_meta" => meta(payload, state),
        "turn_context" => {
            let model = payload.text("model");
            if !model.is_empty() {
                state.model = name(model);
            }
        }
        "token_usage_record" => by_response(payload, at, state, out),
        "event_msg" if payload.text("type") == "token_count" => running(payload.at("info"), at, state, out),
        "response_item" => item(payload, at, state, out),
        _ => {}
    }
}

/// A prompt is an event of its own; the model's input in the user's name also contains the program's notes.
fn prompts(line: &Value, out: &mut Vec<String>) {
    let payload = line.at("payload");
    if line.text("type") != "event_msg" {
        return;
    }
    let item = payload.at("item");
    match payload.text("type") {
        "user_message" if matches!(payload.text("kind"), "" | "plain") => {
            out.push(payload.text("message").to_owned());
        }
        "item_completed" if item.text("type") == "UserMessage" => {
            let texts = item.items("content").iter().filter(|part| part.text("type") == "text");
            out.extend(texts.map(|part| part.text("text").to_owned()));
        }
        _ => {}
    }
}

/// An older version's fork has its parent's meta record among the copied ones; its own comes first.
fn meta(payload: &Value, state: &mut State) {
    let id = payload.text("id");
    if id.is_empty() || !state.family.is_empty() {
        return;
    }
    state.session = name(id);
    let parent = payload.text("forked_from_id");
    state.family = name(if parent.is_empty() { id } else { parent });
}

fn tokens(usage: &Value) -> Tokens {
    let [read, written] = ["cached_input_tokens", "cache_write_input_tokens"].map(|kind| usage.count(kind));
    Tokens::inclusive(usage.count("input_tokens"), usage.count("output_tokens"), read, written)
}

fn usage(key: Key, tokens: Tokens, at: i64, state: &mut State) -> Record {
    Record::Usage(Usage {
        agent: ID,
        session: state.session.clone(),
        model: state.model.clone(),
        tool: state.take_only_tool(),
        at_ms: at,
        tokens,
        key,
        alias: None,
        sidechain: false,
        scope: UsageScope::Response,
    })
}

fn by_response(payload: &Value, at: i64, state: &mut State, out: &mut Vec<Record>) {
    state.by_response = true;
    let key = Key::of(ID, &["response", payload.text("turn_id"), payload.text("response_id")]);
    let tokens = tokens(payload.at("usage"));
    out.push(usage(key, tokens, at, state));
}

fn running(info: &Value, at: i64, state: &mut State, out: &mut Vec<Record>) {
    let total = info.at("total_token_usage");
    if state.by_response || total.is_null() {
        return;
    }
    let (total, before) = (tokens(total), state.total);
    state.total = Some(total);
    if before == Some(total) {
        return;
    }
    let last = info.at("last_token_usage");
    let cost = if last.is_null() { total.minus(&before.unwrap_or_default()) } else { tokens(last) };
    let counts =
        [total.input, total.output, total.cache_read, total.cache_write].map(|count| count.to_string());
    let [a, b, c, d] = counts.each_ref().map(String::as_str);
    let key = Key::of(ID, &["total", state.family(), a, b, c, d]);
    out.push(usage(key, cost, at, state));
}

fn item(payload: &Value, at: i64, state: &mut State, out: &mut Vec<Record>) {
    let id = Key::of(ID, &[payload.text("call_id")]);
    match payload.text("type") {
        "function_call" | "custom_tool_call" | "local_shell_call" => {
            let call = call(payload);
            state.called(&call.tool);
            state.opened(id, call);
        }
        "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
            let call = state.closed(id);
            let (text, exit) = without_frame(payload.at("output"));
            out.push(Record::ToolOutput(ToolOutput {
                agent: ID,
                session: state.session.clone(),
                at_ms: at,
                tool: call.tool,
                exit: exit.filter(|_| call.command.is_some()),
                command: call.command,
                text,
                key: Key::of(ID, &["result", state.family(), payload.text("call_id"), payload.text("id")]),
            }));
        }
        _ => {}
    }
}

fn call(payload: &Value) -> Call {
    let tool = match payload.text("namespace") {
        "" if payload.text("type") == "local_shell_call" => "local_shell".to_owned(),
        "" => payload.text("name").to_owned(),
        namespace => format!("{namespace}.{}", payload.text("name")),
    };
    let parsed = object(payload.text("arguments").as_bytes());
    let arguments = parsed.as_ref().unwrap_or(payload.at("action"));
    let words = ["cmd", "command"].into_iter().find_map(|field| command(arguments.at(field)));
    Call::new(&tool, words.as_deref())
}

/// The output without Codex's frame around it.
fn without_frame(output: &Value) -> (String, Option<i32>) {
    let whole = match output {
        Value::Object(_) => content_text(output.at("content")),
        output => content_text(output),
    };
    // Until 2025: a JSON object as text.
    if let Some(frame) = object(whole.as_bytes()).filter(|frame| frame.at("output").is_string()) {
        return (frame.text("output").to_owned(), exit_code(frame.at("metadata").int("exit_code")));
    }
    // Since then: metadata lines, then the output.
    let starts = ["Chunk ID: ", "Wall time: ", "Exit code: ", "Process exited", "Process running"];
    if !starts.iter().any(|start| whole.starts_with(start)) {
        return (whole, None);
    }
    let Some((facts, text)) = whole.split_once("\nOutput:\n") else { return (whole, None) };
    let mut codes = facts.lines().filter_map(|fact| {
        fact.strip_prefix("Process exited with code ").or_else(|| fact.strip_prefix("Exit code: "))
    });
    let exit = codes.next().and_then(|code| code.trim().parse().ok());
    (text.to_owned(), exit)
}
