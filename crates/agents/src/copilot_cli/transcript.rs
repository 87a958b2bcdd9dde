//! Copilot CLI's transcripts: `session-state/<id>/events.jsonl`. Newer versions count each response
//! (`session.usage_record`); older ones only write totals since the session's start when it ends, even after a resume.

use std::path::{Path, PathBuf};

use home::Env;
use serde_json::Value;
use transcripts::{
    Call, Format, JsonFields, Key, Kind, Record, Source, State, Tokens, ToolOutput, Usage, UsageScope, at_ms,
    content_text, exit_code, files, modified_ms, name, only, stem,
};

use super::telemetry::{self, response_key};
use super::{ID, config_dir};

pub(super) const FORMAT: &Format =
    &Format { session, named_by: None, prompts, ..Format::lines("copilot-events", read) };

/// The transcripts on this computer, and the telemetry where it is written to files.
pub(super) fn sources(env: &Env) -> Vec<Source> {
    let mut found = Vec::new();
    let dir = config_dir(env);
    let lines = |format: &'static Format| move |name: &str| name.ends_with(".jsonl").then_some(format);
    files(&dir.join("session-state"), ID, &mut found, lines(FORMAT));
    files(&dir.join("otel"), ID, &mut found, lines(telemetry::FORMAT));
    if let Some(path) = env.path("COPILOT_OTEL_FILE_EXPORTER_PATH")
        && let Ok(metadata) = std::fs::metadata(&path)
        && metadata.is_file()
    {
        let (modified_ms, kind) = (modified_ms(&metadata), Kind::File(telemetry::FORMAT));
        found.push(Source { agent: ID, path, modified_ms, kind });
    }
    found
}

/// The file of a session by its id; `None` for what is more than a name. No event of a session's end names it.
pub(super) fn of_session(env: &Env, session: &str) -> Option<PathBuf> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_name = !session.is_empty() && session.bytes().all(is_part);
    is_name.then(|| config_dir(env).join("session-state").join(session).join("events.jsonl"))
}

/// A file is named after its session, or `events` in a folder that is.
fn session(path: &Path) -> String {
    match stem(path).as_str() {
        "events" => {
            let folder = path.parent().and_then(Path::file_name);
            folder.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        }
        name => name.to_owned(),
    }
}

fn read(line: &Value, state: &mut State, out: &mut Vec<Record>) {
    let data = line.at("data");
    let at = at_ms(line.at("timestamp"));
    match line.text("type") {
        "session.start" if !data.text("sessionId").is_empty() => state.session = name(data.text("sessionId")),
        "session.usage_record" => response(line, data.at("usage"), at, state, out),
        "session.shutdown" => whole_session(data.at("modelMetrics"), at, state, out),
        "tool.execution_start" => {
            let call = Call::new(data.text("toolName"), data.at("arguments").at("command").as_str());
            state.opened(Key::of(ID, &[data.text("toolCallId")]), call);
        }
        "tool.execution_complete" => result(data, at, state, out),
        _ => {}
    }
}

/// `content` is the typed text, `transformedContent` what was sent. A message with a source wasn't typed.
fn prompts(line: &Value, out: &mut Vec<String>) {
    let data = line.at("data");
    if line.text("type") == "user.message" && matches!(data.text("source"), "" | "user") {
        out.push(data.text("content").to_owned());
    }
}

fn tokens(usage: &Value) -> Tokens {
    let [input, output, read, written] =
        ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"].map(|kind| usage.count(kind));
    Tokens::inclusive(input, output, read, written)
}

fn response(line: &Value, usage: &Value, at: i64, state: &State, out: &mut Vec<Record>) {
    let key = match usage.text("apiCallId") {
        "" => Key::of(ID, &["event", line.text("id")]),
        id => response_key(&state.session, id),
    };
    let counts = usage.at("toolCounts").as_object();
    out.push(Record::Usage(Usage {
        agent: ID,
        session: state.session.clone(),
        model: name(usage.text("model")),
        tool: only(counts.into_iter().flatten().map(|(tool, _)| name(tool))),
        at_ms: at,
        tokens: tokens(usage),
        key,
        alias: None,
        sidechain: false,
        scope: UsageScope::Response,
    }));
}

fn whole_session(metrics: &Value, at: i64, state: &State, out: &mut Vec<Record>) {
    for (model, metric) in metrics.as_object().into_iter().flatten() {
        out.push(Record::Usage(Usage {
            agent: ID,
            session: state.session.clone(),
            model: name(model),
            tool: None,
            at_ms: at,
            tokens: tokens(metric.at("usage")),
            key: Key::of(ID, &["session", &state.session, model]),
            alias: None,
            sidechain: false,
            scope: UsageScope::Session,
        }));
    }
}

fn result(data: &Value, at: i64, state: &mut State, out: &mut Vec<Record>) {
    let id = data.text("toolCallId");
    let call = state.closed(Key::of(ID, &[id]));
    let content = match data.at("result") {
        Value::Object(result) => result.get("content").map(content_text).unwrap_or_default(),
        other => content_text(other),
    };
    let prompts = exit_code(data.at("shellExecution").int("exitCode"))
        .or_else(|| exit_code(data.at("toolTelemetry").at("metrics").int("exit_code")));
    let (text, closing) = if call.command.is_some() { without_closing(&content) } else { (&*content, None) };
    out.push(Record::ToolOutput(ToolOutput {
        agent: ID,
        session: state.session.clone(),
        at_ms: at,
        exit: prompts.or(closing),
        tool: call.tool,
        command: call.command,
        text: text.to_owned(),
        key: Key::of(ID, &["result", &state.session, id]),
    }));
}

/// The output without the shell's closing line, and that line's exit code.
fn without_closing(content: &str) -> (&str, Option<i32>) {
    let (text, last) = content.rsplit_once('\n').unwrap_or(("", content));
    let inner = last.trim_end().strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    let code = inner
        .filter(|inner| inner.starts_with("shellId: ") || inner.starts_with("exited "))
        .and_then(|inner| inner.rsplit_once("with exit code "))
        .and_then(|(_, code)| code.trim().parse().ok());
    match code {
        Some(code) => (text, Some(code)),
        None => (content, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sessions_transcript_is_in_its_folder() {
        let env = Env::for_test("/home/ana");
        let folder = Path::new("/home/ana/.copilot/session-state");
        assert_eq!(of_session(&env, "5b1c-0a"), Some(folder.join("5b1c-0a").join("events.jsonl")));
        for session in ["", "..", "a/b", "a\\b", "/etc", "ä"] {
            assert_eq!(of_session(&env, session), None, "{session}");
        }
    }
}
