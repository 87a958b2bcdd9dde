//! OpenCode's messages and their parts, wherever they are stored: `message.data` and `part.data` in a version 1 database, the
//! same as files in older versions, and `session_message.data` in version 2.

use serde_json::Value;
use transcripts::{
    Call, JsonFields, Key, Record, Tokens, ToolOutput, Usage, UsageScope, at_ms, command, content_text,
    exit_code, name, only,
};

use super::ID;

/// A message's identity.
pub(crate) struct Place<'a> {
    /// The session's id.
    pub(crate) session: &'a str,
    /// The message's id.
    pub(crate) message: &'a str,
    /// When the row was written, for messages without a time of their own.
    pub(crate) at_ms: i64,
}

/// Records a message; `tool` is the only tool that its parts called.
pub(crate) fn message(place: &Place<'_>, data: &Value, tool: Option<String>, out: &mut Vec<Record>) {
    let tokens = data.at("tokens");
    if data.text("role") == "assistant" && tokens.is_object() {
        out.push(usage(place, data, data.text("modelID"), tool));
    }
}

/// The tool that a part calls; empty for other parts.
pub(crate) fn tool(data: &Value) -> String {
    if data.text("type") == "tool" { name(data.text("tool")) } else { String::new() }
}

/// Records a message's part.
pub(crate) fn part(place: &Place<'_>, id: &str, data: &Value, out: &mut Vec<Record>) {
    let state = data.at("state");
    if data.text("type") != "tool" || !matches!(state.text("status"), "completed" | "error") {
        return;
    }
    let text = match state.text("status") {
        "error" => content_text(state.at("error")),
        _ => content_text(state.at("output")),
    };
    let call = Call::new(data.text("tool"), state.at("input").at("command").as_str());
    let exit = exit_code(state.at("metadata").int("exit"));
    out.push(output_record(place, id, at_ms(state.at("time").at("end")), call, text, exit));
}

/// Records a version 2 message, which contains its tools.
pub(crate) fn session_message(place: &Place<'_>, kind: &str, data: &Value, out: &mut Vec<Record>) {
    if kind == "shell" {
        let call = Call::new("shell", data.at("command").as_str());
        let at = at_ms(data.at("time").at("completed"));
        if at != 0 {
            out.push(output_record(
                place,
                data.text("callID"),
                at,
                call,
                data.text("output").to_owned(),
                None,
            ));
        }
        return;
    }
    if kind != "assistant" {
        return;
    }
    let mut tools = Vec::new();
    for item in data.items("content").iter().filter(|item| item.text("type") == "tool") {
        tools.push(name(item.text("name")));
        let state = item.at("state");
        let text = match state.text("status") {
            "completed" => content_text(state.at("content")),
            "error" => match state.at("error") {
                Value::String(error) => error.clone(),
                error => error.text("message").to_owned(),
            },
            _ => continue,
        };
        let words = command(state.at("input").at("command"));
        let call = Call::new(item.text("name"), words.as_deref());
        let structured = state.at("structured");
        let exit = ["exit", "exitCode"].into_iter().find_map(|field| exit_code(structured.int(field)));
        out.push(output_record(
            place,
            item.text("id"),
            at_ms(item.at("time").at("completed")),
            call,
            text,
            exit,
        ));
    }
    if data.at("tokens").is_object() {
        out.push(usage(place, data, data.at("model").text("id"), only(tools)));
    }
}

fn usage(place: &Place<'_>, data: &Value, model: &str, tool: Option<String>) -> Record {
    let tokens = data.at("tokens");
    let cache = tokens.at("cache");
    let at = [data.at("time").at("completed"), data.at("time").at("created")].map(at_ms);
    Record::Usage(Usage {
        agent: ID,
        session: name(place.session),
        model: name(model),
        tool,
        at_ms: at.into_iter().find(|at| *at != 0).unwrap_or(place.at_ms),
        tokens: Tokens {
            input: tokens.count("input"),
            output: tokens.count("output").saturating_add(tokens.count("reasoning")),
            cache_read: cache.count("read"),
            cache_write: cache.count("write"),
        },
        key: Key::of(ID, &["message", place.message]),
        alias: None,
        sidechain: false,
        scope: UsageScope::Response,
    })
}

fn output_record(
    place: &Place<'_>,
    id: &str,
    at: i64,
    call: Call,
    text: String,
    exit: Option<i32>,
) -> Record {
    Record::ToolOutput(ToolOutput {
        agent: ID,
        session: name(place.session),
        at_ms: if at == 0 { place.at_ms } else { at },
        tool: call.tool,
        exit: exit.filter(|_| call.command.is_some()),
        command: call.command,
        text,
        key: Key::of(ID, &["result", place.message, id]),
    })
}
