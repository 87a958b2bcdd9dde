//! Claude Code's hook payloads and replies.
//!
//! A reply carries only fields that its event knows: Claude Code silently drops a reply with any other.
//! Knows no settings and no files.

use serde_json::{Map, Value, json};

use crate::event::{Event, EventKind, Output, ToolCall, ToolKind};
use crate::payload::{capped, command, content_text, has, path, snake_case_event, string, text, unwrapped};
use crate::verdict::{HookOutput, Verdict};
use crate::{entries, session_id};

/// The tool that starts a command in the background and sends each of its lines to the model. Claude Code asks the rules for
/// `Bash` about it.
pub(super) const MONITOR: &str = "Monitor";

/// The authors of a prompt's words that are the user.
const USERS: [&str; 2] = ["user", "sdk"];
/// How prompts begin that Claude Code writes itself: a background task has ended, or another session, an agent or a channel
/// has sent something (2.1.197 and 2.1.332).
const GENERATED_PROMPTS: [&str; 7] = [
    "<task-notification>",
    "<teammate-message",
    "<agent-message",
    "<cross-session-message",
    "<channel ",
    "<tick>",
    "Another Claude session sent a message",
];
/// The end of the heading of some of them: `[SYSTEM NOTIFICATION - NOT USER INPUT]`.
const NOT_BY_USER: &str = " - NOT USER INPUT]";

/// Parses a payload; `event` comes from the command line, for a payload that doesn't name it.
pub(super) fn parse_event(agent: &'static str, payload: &Value, event: Option<&str>) -> Option<Event> {
    let name = text(payload, "hook_event_name").or(event)?;
    let kind = match name {
        "SessionStart" => EventKind::SessionStart { source: string(payload, "source") },
        "SessionEnd" => EventKind::SessionEnd,
        "UserPromptSubmit" => EventKind::Prompt,
        "PreToolUse" => EventKind::PreTool,
        "PostToolUse" => EventKind::PostTool,
        "PostToolUseFailure" => EventKind::PostToolFailure,
        "PermissionRequest" => EventKind::PermissionRequest,
        "PreCompact" => EventKind::PreCompact,
        "PostCompact" => EventKind::PostCompact,
        "Stop" => EventKind::Stop,
        "SubagentStart" => EventKind::SubagentStart,
        "SubagentStop" => EventKind::SubagentStop { report: string(payload, "last_assistant_message") },
        _ => return None,
    };
    let mut event = snake_case_event(agent, name, kind, payload);
    event.session = text(payload, "transcript_path")
        .and_then(session_id::in_transcript)
        .map(str::to_owned)
        .or(event.session);
    event.subagent = has(payload, "agent_id");
    event.prompt = string(payload, "prompt").filter(|prompt| is_by_user(payload, prompt));
    event.tool = text(payload, "tool_name").map(|tool| {
        let input = payload.get("tool_input").map(unwrapped).unwrap_or_default();
        ToolCall {
            name: tool.to_owned(),
            kind: tool_kind(tool, &input),
            output: output(&event.kind, payload),
            id: string(payload, "tool_use_id"),
            input,
        }
    });
    Some(event)
}

/// Whether a prompt is the user's own words. Newer versions name its author; one that isn't known isn't the user, because
/// what another program has sent must never count as the user's wish.
fn is_by_user(payload: &Value, prompt: &str) -> bool {
    let author = match payload.get("source") {
        None | Some(Value::Null) => true,
        Some(source) => source.as_str().is_some_and(|source| USERS.contains(&source)),
    };
    author && !is_generated(prompt)
}

/// Whether a prompt looks like one that Claude Code writes itself.
pub(super) fn is_generated(prompt: &str) -> bool {
    let prompt = prompt.trim_start();
    let heading = prompt.lines().next().unwrap_or_default();
    GENERATED_PROMPTS.iter().any(|begin| prompt.starts_with(begin))
        || heading.starts_with('[') && heading.contains(NOT_BY_USER)
        || heading.starts_with("The ") && heading.ends_with(" plugin sent a message:")
}

/// What one of Claude Code's tools does.
pub(super) fn tool_kind(name: &str, input: &Value) -> ToolKind {
    match name {
        "Bash" | "PowerShell" | MONITOR => match command(input, &["command"]) {
            Some(command) => ToolKind::Shell { command },
            None => ToolKind::Other,
        },
        "Read" | "NotebookRead" => match path(input, "file_path").or_else(|| path(input, "notebook_path")) {
            Some(path) => {
                let partial = ["offset", "limit", "pages"].iter().any(|key| has(input, key));
                ToolKind::Read { path, partial }
            }
            None => ToolKind::Other,
        },
        "Grep" | "Glob" | "LS" => ToolKind::Grep,
        "WebFetch" => match string(input, "url") {
            Some(url) => ToolKind::Fetch { url },
            None => ToolKind::Other,
        },
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => {
            match path(input, "file_path").or_else(|| path(input, "notebook_path")) {
                Some(path) => ToolKind::Edit { path },
                None => ToolKind::Other,
            }
        }
        "Task" | "Agent" => ToolKind::Subagent,
        _ => match entries::mcp_double(name) {
            Some((server, tool)) if entries::is_our_key(server) => ToolKind::Ours(tool.to_owned()),
            Some((server, tool)) => ToolKind::Mcp { server: server.to_owned(), tool: tool.to_owned() },
            None => ToolKind::Other,
        },
    }
}

fn output(kind: &EventKind, payload: &Value) -> Option<Output> {
    match kind {
        EventKind::PostTool => {
            let raw = payload.get("tool_response")?.clone();
            Some(Output {
                text: response_text(&raw).unwrap_or_default(),
                failed: raw.get("interrupted").and_then(Value::as_bool).unwrap_or(false),
                exit: None,
                full_in: path(&raw, "persistedOutputPath"),
                raw,
            })
        }
        EventKind::PostToolFailure => {
            let raw = payload.get("error").or_else(|| payload.get("tool_response"))?.clone();
            let text = raw.as_str().map(str::to_owned).or_else(|| response_text(&raw)).unwrap_or_default();
            Some(Output { text, failed: true, exit: None, full_in: None, raw })
        }
        _ => None,
    }
}

/// Whether a command has ended; if not, its result names the task in which it runs on.
pub(super) fn has_ended(call: &ToolCall) -> bool {
    call.name != MONITOR && call.output.as_ref().is_none_or(|output| !has(&output.raw, "backgroundTaskId"))
}

/// The text of a tool's result, whatever the tool.
fn response_text(raw: &Value) -> Option<String> {
    // A command printed an image, which Claude Code shows as one.
    if raw.get("isImage").and_then(Value::as_bool) == Some(true) {
        return None;
    }
    if let (Some(stdout), stderr) = (raw.get("stdout").and_then(Value::as_str), text(raw, "stderr")) {
        return Some(match stderr {
            Some(stderr) if stdout.is_empty() => stderr.to_owned(),
            Some(stderr) => format!("{}\n{stderr}", stdout.trim_end_matches('\n')),
            None => stdout.to_owned(),
        });
    }
    raw.get("file")
        .and_then(|file| string(file, "content"))
        .or_else(|| string(raw, "result"))
        .or_else(|| content_text(raw))
}

/// The result with its text replaced, in the same shape: Claude Code ignores any other shape.
fn replace_text(raw: &Value, new: &str) -> Option<Value> {
    match raw {
        Value::String(_) => Some(json!(new)),
        Value::Array(parts) => {
            // Images and links stay; the texts between them were shortened as one.
            let text =
                |part: &&Value| part.is_string() || part.get("type").and_then(Value::as_str) == Some("text");
            let rest = parts.iter().filter(|part| !text(part)).cloned();
            Some(Value::Array(std::iter::once(json!({ "type": "text", "text": new })).chain(rest).collect()))
        }
        Value::Object(object) => {
            let mut object = object.clone();
            if object.get("stdout").is_some_and(Value::is_string) {
                object.insert("stdout".to_owned(), json!(new));
                object.insert("stderr".to_owned(), json!(""));
                // Left in place, Claude Code would show its own preview of the file instead.
                object.remove("persistedOutputPath");
                object.remove("persistedOutputSize");
                object.remove("stdoutHoldsOutputEnd");
            } else if let Some(file) = object.get_mut("file").and_then(Value::as_object_mut) {
                if !file.get("content").is_some_and(Value::is_string) {
                    return None;
                }
                file.insert("content".to_owned(), json!(new));
                if file.contains_key("numLines") {
                    file.insert("numLines".to_owned(), json!(new.lines().count()));
                }
            } else if object.get("result").is_some_and(Value::is_string) {
                object.insert("result".to_owned(), json!(new));
            } else if let Some(content) = object.get("content") {
                let content = replace_text(content, new)?;
                object.insert("content".to_owned(), content);
            } else {
                return None;
            }
            Some(Value::Object(object))
        }
        _ => None,
    }
}

/// Renders a verdict as Claude Code's reply.
pub(super) fn render_verdict(event: &Event, verdict: &Verdict) -> HookOutput {
    match (verdict, &event.kind) {
        (Verdict::Deny { reason }, EventKind::PreTool) => decision(event, "deny", reason),
        (Verdict::Ask { reason }, EventKind::PreTool) => decision(event, "ask", reason),
        (Verdict::Deny { reason }, EventKind::PermissionRequest) => {
            specific(event, [("decision", json!({ "behavior": "deny", "message": reason }))])
        }
        (Verdict::Deny { reason }, EventKind::Prompt | EventKind::PreCompact) => {
            HookOutput::json(&json!({ "decision": "block", "reason": reason }))
        }
        // Without a decision the new command goes through the user's own permission rules. With `allow` it
        // would skip them.
        (Verdict::Rewrite { input }, EventKind::PreTool) => {
            specific(event, [("updatedInput", input.clone())])
        }
        (Verdict::RewriteAllowed { input }, EventKind::PreTool) => {
            specific(event, [("permissionDecision", json!("allow")), ("updatedInput", input.clone())])
        }
        (Verdict::Replace { text }, EventKind::PostTool) => {
            let raw = event.tool.as_ref().and_then(|tool| tool.output.as_ref()).map(|output| &output.raw);
            match raw.and_then(|raw| replace_text(raw, text)) {
                Some(output) => specific(event, [("updatedToolOutput", output)]),
                None => HookOutput::silent(),
            }
        }
        (Verdict::Context { text }, kind) if takes_context(kind) => {
            specific(event, [("additionalContext", json!(capped(text, entries::MAX_CONTEXT_CHARS)))])
        }
        _ => HookOutput::silent(),
    }
}

fn takes_context(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::SessionStart { .. }
            | EventKind::Prompt
            | EventKind::PreTool
            | EventKind::PostTool
            | EventKind::PostToolFailure
            | EventKind::SubagentStart
    )
}

fn decision(event: &Event, decision: &str, reason: &str) -> HookOutput {
    specific(event, [("permissionDecision", json!(decision)), ("permissionDecisionReason", json!(reason))])
}

fn specific<const N: usize>(event: &Event, fields: [(&str, Value); N]) -> HookOutput {
    let mut specific = Map::from_iter([("hookEventName".to_owned(), json!(event.raw_name))]);
    specific.extend(fields.map(|(key, value)| (key.to_owned(), value)));
    HookOutput::json(&json!({ "hookSpecificOutput": specific }))
}
