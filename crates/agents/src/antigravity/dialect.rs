//! Antigravity's hook payloads and replies.

use serde_json::{Value, json};

use crate::payload::{capped, command, content_text, first_path, has, path, path_of, string, text};
use crate::{Event, EventKind, HookInput, HookOutput, Output, ToolCall, ToolKind, Verdict, entries};

use super::ID;

pub(super) fn parse_event(input: &HookInput<'_>) -> Option<Event> {
    let payload = input.payload;
    let raw_name = input.event.or_else(|| text(payload, "hookEventName"))?;
    let kind = match raw_name {
        "PreToolUse" => EventKind::PreTool,
        "PostToolUse" if has(payload, "error") => EventKind::PostToolFailure,
        "PostToolUse" => EventKind::PostTool,
        // Fires before every model call; the first one is the session's start.
        "PreInvocation" if payload.get("invocationNum").and_then(Value::as_u64) == Some(0) => {
            EventKind::SessionStart { source: None }
        }
        "SessionStart" => EventKind::SessionStart { source: string(payload, "source") },
        "Stop" => EventKind::Stop,
        _ => return None,
    };
    let project = first_path(payload, "workspacePaths");
    let tool = tool_call(payload);
    let cwd = tool.as_ref().and_then(|tool| path(&tool.input, "Cwd")).or_else(|| project.clone());
    Some(Event {
        agent: ID,
        raw_name: raw_name.to_owned(),
        kind,
        session: string(payload, "conversationId"),
        cwd,
        project,
        tool,
        prompt: None,
        subagent: has(payload, "parentConversationId"),
        transcript: path(payload, "transcriptPath"),
        model: string(payload, "modelName"),
        permission_mode: None,
    })
}

pub(super) fn render_verdict(event: &Event, verdict: &Verdict) -> HookOutput {
    match (&event.kind, verdict) {
        (EventKind::PreTool, Verdict::Deny { reason }) => {
            HookOutput::json(&json!({"decision": "deny", "reason": reason}))
        }
        // An earlier "Always allow" would satisfy `ask`; a rule that says ask must ask.
        (EventKind::PreTool, Verdict::Ask { reason }) => {
            HookOutput::json(&json!({"decision": "force_ask", "reason": reason}))
        }
        (EventKind::SessionStart { .. }, Verdict::Context { text }) if event.raw_name == "PreInvocation" => {
            let message = capped(text, entries::MAX_CONTEXT_CHARS);
            HookOutput::json(&json!({ "injectSteps": [{ "ephemeralMessage": message }] }))
        }
        _ => fail_open(Some(&event.raw_name)),
    }
}

pub(super) fn fail_open(event: Option<&str>) -> HookOutput {
    // This doesn't skip Antigravity's own prompt; an empty answer would add one.
    match event {
        Some("PreToolUse") | None => HookOutput::json(&json!({"decision": "allow"})),
        Some(_) => HookOutput::silent(),
    }
}

fn tool_call(payload: &Value) -> Option<ToolCall> {
    let call = payload.get("toolCall")?;
    let name = string(call, "name")?;
    let input = call.get("args").cloned().unwrap_or_default();
    let file = || path_of(&input, &["AbsolutePath", "TargetFile", "Path"]);
    let kind = match name.as_str() {
        "run_command" => ToolKind::Shell { command: command(&input, &["CommandLine"]).unwrap_or_default() },
        "view_file" => match file() {
            Some(path) => {
                ToolKind::Read { path, partial: has(&input, "StartLine") || has(&input, "EndLine") }
            }
            None => ToolKind::Other,
        },
        "write_to_file" | "replace_file_content" | "multi_replace_file_content" => {
            file().map_or(ToolKind::Other, |path| ToolKind::Edit { path })
        }
        "grep_search" | "find_by_name" | "list_dir" | "codebase_search" => ToolKind::Grep,
        "read_url_content" => string(&input, "Url").map_or(ToolKind::Other, |url| ToolKind::Fetch { url }),
        "browser_subagent" | "invoke_subagent" => ToolKind::Subagent,
        "call_mcp_tool" => match (string(&input, "ServerName"), string(&input, "ToolName")) {
            (Some(server), Some(tool)) => mcp(&server, &tool),
            _ => ToolKind::Other,
        },
        other => match entries::mcp_double(other) {
            Some((server, tool)) => mcp(server, tool),
            None => match other.strip_prefix("mcp_").and_then(|rest| rest.split_once('_')) {
                Some((server, tool)) => mcp(server, tool),
                None => ToolKind::Other,
            },
        },
    };
    let error = payload.get("error").filter(|error| !error.is_null());
    let raw = error.or_else(|| ["toolResult", "toolOutput"].iter().find_map(|key| payload.get(key)));
    let output = raw.map(|raw| Output {
        text: content_text(raw).unwrap_or_else(|| raw.to_string()),
        raw: raw.clone(),
        failed: error.is_some(),
        exit: None,
        full_in: None,
    });
    Some(ToolCall { kind, output, id: string(call, "id"), name, input })
}

fn mcp(server: &str, tool: &str) -> ToolKind {
    if entries::is_our_key(server) {
        ToolKind::Ours(tool.to_owned())
    } else {
        ToolKind::Mcp { server: server.to_owned(), tool: tool.to_owned() }
    }
}
