//! Copilot CLI: `session-state/<id>/events.jsonl`. Newer versions count each response (`session.usage_record`);
//! older ones only sum up when the session ends, over everything since it began, also after a resume.

use serde_json::Value;

use super::name;
use crate::calls::{Call, State, only};
use crate::record::{Agent, Key, Reach, Record, Shown, Tokens, Usage};
use crate::value::{Ask, at_ms, content_text, exit_code};

pub(super) const AGENT: Agent = Agent::CopilotCli;

pub(crate) fn read(line: &Value, state: &mut State, out: &mut Vec<Record>) {
    let data = line.at("data");
    let at = at_ms(line.at("timestamp"));
    match line.text("type") {
        "session.start" if !data.text("sessionId").is_empty() => state.session = name(data.text("sessionId")),
        "session.usage_record" => response(line, data.at("usage"), at, state, out),
        "session.shutdown" => whole_session(data.at("modelMetrics"), at, state, out),
        "tool.execution_start" => {
            let call = Call::new(data.text("toolName"), data.at("arguments").at("command").as_str());
            state.opened(Key::of(AGENT, &[data.text("toolCallId")]), call);
        }
        "tool.execution_complete" => result(data, at, state, out),
        _ => {}
    }
}

/// Names a response alike in a session's events and in the telemetry.
pub(super) fn response_key(session: &str, id: &str) -> Key {
    Key::of(AGENT, &["response", session, id])
}

fn tokens(usage: &Value) -> Tokens {
    let [input, output, read, written] =
        ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"].map(|kind| usage.count(kind));
    Tokens::inclusive(input, output, read, written)
}

fn response(line: &Value, usage: &Value, at: i64, state: &State, out: &mut Vec<Record>) {
    let key = match usage.text("apiCallId") {
        "" => Key::of(AGENT, &["event", line.text("id")]),
        id => response_key(&state.session, id),
    };
    let counts = usage.at("toolCounts").as_object();
    out.push(Record::Usage(Usage {
        agent: AGENT,
        session: state.session.clone(),
        model: name(usage.text("model")),
        tool: only(counts.into_iter().flatten().map(|(tool, _)| name(tool))),
        at_ms: at,
        tokens: tokens(usage),
        key,
        alias: None,
        sidechain: false,
        reach: Reach::Response,
    }));
}

fn whole_session(metrics: &Value, at: i64, state: &State, out: &mut Vec<Record>) {
    for (model, metric) in metrics.as_object().into_iter().flatten() {
        out.push(Record::Usage(Usage {
            agent: AGENT,
            session: state.session.clone(),
            model: name(model),
            tool: None,
            at_ms: at,
            tokens: tokens(metric.at("usage")),
            key: Key::of(AGENT, &["session", &state.session, model]),
            alias: None,
            sidechain: false,
            reach: Reach::Session,
        }));
    }
}

fn result(data: &Value, at: i64, state: &mut State, out: &mut Vec<Record>) {
    let id = data.text("toolCallId");
    let call = state.closed(Key::of(AGENT, &[id]));
    let content = match data.at("result") {
        Value::Object(result) => result.get("content").map(content_text).unwrap_or_default(),
        other => content_text(other),
    };
    let said = exit_code(data.at("shellExecution").int("exitCode"))
        .or_else(|| exit_code(data.at("toolTelemetry").at("metrics").int("exit_code")));
    let (text, closing) = if call.command.is_some() { without_closing(&content) } else { (&*content, None) };
    out.push(Record::Shown(Shown {
        agent: AGENT,
        session: state.session.clone(),
        at_ms: at,
        exit: said.or(closing),
        tool: call.tool,
        command: call.command,
        text: text.to_owned(),
        key: Key::of(AGENT, &["result", &state.session, id]),
    }));
}

/// The output without the line that says how the shell ended, and the exit code out of it.
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
