//! The four model APIs, as far as the agents use them: Anthropic Messages, OpenAI Responses, OpenAI chat completions,
//! Gemini.

use std::fmt::Write;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use crate::model_request::offered;
use crate::turn::{Request, Step};

static CALLS: AtomicU32 = AtomicU32::new(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Anthropic,
    AnthropicCount,
    Responses,
    Chat,
    Gemini { stream: bool },
}

/// A tool call in the dialect of the request that it answers.
struct Call {
    id: String,
    namespace: Option<String>,
    name: String,
    input: Value,
}

impl Dialect {
    pub(crate) fn of(method: &str, path: &str) -> Option<Self> {
        let path = path.split('?').next().unwrap_or(path);
        if method != "POST" {
            return None;
        }
        Some(match path {
            path if path.ends_with("/messages/count_tokens") => Self::AnthropicCount,
            path if path.ends_with("/messages") => Self::Anthropic,
            path if path.ends_with("/responses") => Self::Responses,
            path if path.ends_with("/chat/completions") => Self::Chat,
            path if path.ends_with(":streamGenerateContent") => Self::Gemini { stream: true },
            path if path.ends_with(":generateContent") => Self::Gemini { stream: false },
            _ => return None,
        })
    }

    /// Titles, summaries and other side requests take no step: the main conversation has a shell tool or Plimsoll's.
    pub(crate) fn is_main_conversation(self, body: &Value) -> bool {
        self != Self::AnthropicCount && offered(body).len() > 2
    }

    pub(crate) fn answer(self, request: &Request, step: &Step) -> (&'static str, Vec<u8>) {
        let call = call(request, step);
        let text = match step {
            Step::Say(text) => text.clone(),
            step if call.is_none() => format!("NO SUCH TOOL for {step:?}"),
            _ => String::new(),
        };
        let model = request.body.get("model").and_then(Value::as_str).unwrap_or("scripted").to_owned();
        let streamed = request.body.get("stream").and_then(Value::as_bool).unwrap_or(false);
        match self {
            Self::AnthropicCount => ("application/json", b"{\"input_tokens\":100}".to_vec()),
            Self::Anthropic => anthropic(&model, call.as_ref(), &text, streamed),
            Self::Responses => responses(&model, call.as_ref(), &text),
            Self::Chat => chat(&model, call.as_ref(), &text, streamed),
            Self::Gemini { stream } => gemini(call.as_ref(), &text, stream),
        }
    }
}

/// Resolves a step against the tools that the request offers.
fn call(request: &Request, step: &Step) -> Option<Call> {
    let offered = request.tools();
    let (full, input) = match step {
        Step::Say(_) => return None,
        Step::Ours(tool, input) => {
            let full = offered.into_iter().find(|name| {
                name.contains("plimsoll") && name.ends_with(tool) && {
                    let before = name[..name.len() - tool.len()].chars().next_back();
                    matches!(before, Some('_' | '.' | '-' | '/'))
                }
            })?;
            (full, input.clone())
        }
        Step::Shell(command) => {
            const SHELLS: &[&str] =
                &["Bash", "bash", "run_shell_command", "exec_command", "shell_command", "shell"];
            let full = offered.into_iter().find(|name| SHELLS.contains(&name.as_str()))?;
            let input = match full.as_str() {
                "exec_command" => json!({"cmd": command}),
                "shell" => json!({"command": ["bash", "-lc", command]}),
                "shell_command" => json!({"command": command}),
                _ => json!({"command": command, "description": "scripted"}),
            };
            (full, input)
        }
        Step::Own(names, input) => {
            (offered.into_iter().find(|name| names.contains(&name.as_str()))?, input.clone())
        }
    };
    let id = format!("call_{:06}", CALLS.fetch_add(1, Ordering::Relaxed));
    let (namespace, name) = match full.split_once('.') {
        Some((namespace, name)) => (Some(namespace.to_owned()), name.to_owned()),
        None => (None, full),
    };
    Some(Call { id, namespace, name, input })
}

fn sse(events: &[(Option<&str>, Value)]) -> (&'static str, Vec<u8>) {
    let mut out = String::new();
    for (name, data) in events {
        if let Some(name) = name {
            let _ = writeln!(out, "event: {name}");
        }
        let _ = write!(out, "data: {data}\n\n");
    }
    ("text/event-stream", out.into_bytes())
}

fn anthropic(model: &str, call: Option<&Call>, text: &str, streamed: bool) -> (&'static str, Vec<u8>) {
    let usage = json!({"input_tokens": 100, "output_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0});
    let id = format!("msg_{:06}", CALLS.fetch_add(1, Ordering::Relaxed));
    let reason = if call.is_some() { "tool_use" } else { "end_turn" };
    if !streamed {
        let content = match call {
            Some(call) => {
                json!([{"type": "tool_use", "id": call.id, "name": call.name, "input": call.input}])
            }
            None => json!([{"type": "text", "text": text}]),
        };
        let message = json!({"id": id, "type": "message", "role": "assistant", "model": model, "content": content,
            "stop_reason": reason, "stop_sequence": null, "usage": usage});
        return ("application/json", message.to_string().into_bytes());
    }
    let (block, delta) = match call {
        Some(call) => (
            json!({"type": "tool_use", "id": call.id, "name": call.name, "input": {}}),
            json!({"type": "input_json_delta", "partial_json": call.input.to_string()}),
        ),
        None => (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text})),
    };
    let start = json!({"type": "message_start", "message": {"id": id, "type": "message", "role": "assistant", "model": model,
        "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage}});
    sse(&[
        (Some("message_start"), start),
        (
            Some("content_block_start"),
            json!({"type": "content_block_start", "index": 0, "content_block": block}),
        ),
        (Some("content_block_delta"), json!({"type": "content_block_delta", "index": 0, "delta": delta})),
        (Some("content_block_stop"), json!({"type": "content_block_stop", "index": 0})),
        (
            Some("message_delta"),
            json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null}, "usage": {"output_tokens": 10}}),
        ),
        (Some("message_stop"), json!({"type": "message_stop"})),
    ])
}

fn responses(model: &str, call: Option<&Call>, text: &str) -> (&'static str, Vec<u8>) {
    let number = CALLS.fetch_add(1, Ordering::Relaxed);
    let item = match call {
        Some(call) => {
            let mut item = json!({"type": "function_call", "id": format!("fc_{number}"), "call_id": call.id, "name": call.name,
                "arguments": call.input.to_string(), "status": "completed"});
            if let Some(namespace) = &call.namespace {
                item["namespace"] = json!(namespace);
            }
            item
        }
        None => {
            json!({"type": "message", "id": format!("m_{number}"), "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}]})
        }
    };
    let response = |status: &str, output: Value| {
        json!({"id": format!("resp_{number}"), "object": "response", "created_at": 1, "model": model, "status": status, "output": output,
            "usage": {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 10,
                "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 110}})
    };
    sse(&[
        (
            Some("response.created"),
            json!({"type": "response.created", "response": response("in_progress", json!([]))}),
        ),
        (
            Some("response.output_item.added"),
            json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
        ),
        (
            Some("response.output_item.done"),
            json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        ),
        (
            Some("response.completed"),
            json!({"type": "response.completed", "response": response("completed", json!([item]))}),
        ),
    ])
}

fn chat(model: &str, call: Option<&Call>, text: &str, streamed: bool) -> (&'static str, Vec<u8>) {
    let id = format!("chat_{:06}", CALLS.fetch_add(1, Ordering::Relaxed));
    let reason = if call.is_some() { "tool_calls" } else { "stop" };
    let usage = json!({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110});
    let calls = call.map(|call| {
        json!([{"index": 0, "id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.input.to_string()}}])
    });
    let message = match calls {
        Some(calls) => json!({"role": "assistant", "content": null, "tool_calls": calls}),
        None => json!({"role": "assistant", "content": text}),
    };
    if !streamed {
        let whole = json!({"id": id, "object": "chat.completion", "created": 1, "model": model, "usage": usage,
            "choices": [{"index": 0, "message": message, "finish_reason": reason}]});
        return ("application/json", whole.to_string().into_bytes());
    }
    let chunk = |delta: Value, reason: Value| {
        json!({"id": id, "object": "chat.completion.chunk", "created": 1, "model": model,
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})
    };
    let mut last = chunk(json!({}), json!(reason));
    last["usage"] = usage;
    let (kind, mut bytes) = sse(&[(None, chunk(message, Value::Null)), (None, last)]);
    bytes.extend_from_slice(b"data: [DONE]\n\n");
    (kind, bytes)
}

fn gemini(call: Option<&Call>, text: &str, stream: bool) -> (&'static str, Vec<u8>) {
    let part = match call {
        Some(call) => json!({"functionCall": {"name": call.name, "args": call.input}}),
        None => json!({"text": text}),
    };
    let answer = json!({"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}, "modelVersion": "scripted"});
    if stream { sse(&[(None, answer)]) } else { ("application/json", answer.to_string().into_bytes()) }
}
