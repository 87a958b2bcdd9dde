//! Copilot CLI's telemetry, if the user writes it to a file: one span per line, where `chat` operations are the model's
//! responses. The sums in `invoke_agent` and in metrics repeat the same tokens.

use serde_json::Value;
use transcripts::{Format, JsonFields, Key, Record, State, Tokens, Usage, UsageScope, at_ms, name};

use super::ID;

pub(super) const FORMAT: &Format = &Format { named_by: None, ..Format::lines("copilot-telemetry", read) };

/// The key of a response, the same in a session's events and in the telemetry.
pub(super) fn response_key(session: &str, id: &str) -> Key {
    Key::of(ID, &["response", session, id])
}

fn read(line: &Value, state: &mut State, out: &mut Vec<Record>) {
    let attributes = line.at("attributes");
    let text = |attribute: &str| match attributes {
        Value::Array(list) => {
            let found = list.iter().find(|entry| entry.text("key") == attribute);
            found.map(|entry| entry.at("value").text("stringValue")).unwrap_or_default()
        }
        attributes => attributes.text(attribute),
    };
    let count = |attribute: &str| match attributes {
        Value::Array(list) => {
            let found = list.iter().find(|entry| entry.text("key") == attribute);
            found.map(|entry| entry.at("value").count("intValue")).unwrap_or_default()
        }
        attributes => attributes.count(attribute),
    };
    if text("gen_ai.operation.name") != "chat" {
        return;
    }
    state.session = name(text("gen_ai.conversation.id"));
    let written =
        count("gen_ai.usage.cache_write.input_tokens").max(count("gen_ai.usage.cache_creation.input_tokens"));
    let tokens = Tokens::inclusive(
        count("gen_ai.usage.input_tokens"),
        count("gen_ai.usage.output_tokens"),
        count("gen_ai.usage.cache_read.input_tokens"),
        written,
    );
    let key = match text("gen_ai.response.id") {
        "" => Key::of(ID, &["span", line.text("traceId"), line.text("spanId")]),
        id => response_key(&state.session, id),
    };
    let model = match text("gen_ai.response.model") {
        "" => text("gen_ai.request.model"),
        model => model,
    };
    let ended = ["endTime", "startTime"].into_iter().map(|field| time(line.at(field))).find(|at| *at != 0);
    out.push(Record::Usage(Usage {
        agent: ID,
        session: state.session.clone(),
        model: name(model),
        tool: None,
        at_ms: ended.unwrap_or(0),
        tokens,
        key,
        alias: None,
        sidechain: false,
        scope: UsageScope::Response,
    }));
}

/// A time as `[seconds, nanoseconds]`, or in one of the usual forms.
fn time(value: &Value) -> i64 {
    match value {
        Value::Array(parts) => {
            let part = |index: usize| parts.get(index).and_then(Value::as_i64).unwrap_or(0);
            part(0).saturating_mul(1000).saturating_add(part(1) / 1_000_000)
        }
        value => at_ms(value),
    }
}
