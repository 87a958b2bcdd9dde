//! Cursor's hook payloads and replies.

use serde_json::{Value, json};

use crate::payload::{
    capped, command, content_text, first_path, has, path, path_of, string, text, text_of, unwrapped,
};
use crate::{Event, EventKind, HookInput, HookOutput, Output, ToolCall, ToolKind, Verdict, entries};

use super::ID;

pub(super) fn parse_event(input: &HookInput<'_>) -> Option<Event> {
    let payload = input.payload;
    let raw_name = text(payload, "hook_event_name").or(input.event)?;
    let kind = match raw_name {
        "sessionStart" => EventKind::SessionStart { source: string(payload, "source") },
        "sessionEnd" => EventKind::SessionEnd,
        "beforeSubmitPrompt" => EventKind::Prompt,
        "preToolUse" => EventKind::PreTool,
        "postToolUse" => EventKind::PostTool,
        "postToolUseFailure" => EventKind::PostToolFailure,
        "preCompact" => EventKind::PreCompact,
        "stop" => EventKind::Stop,
        "subagentStart" => EventKind::SubagentStart,
        "subagentStop" => {
            let report = text_of(payload, &["summary", "last_assistant_message"]);
            EventKind::SubagentStop { report: report.map(str::to_owned) }
        }
        "afterAgentResponse" => EventKind::Answer { text: string(payload, "text") },
        _ => return None,
    };
    let project = first_path(payload, "workspace_roots");
    Some(Event {
        agent: ID,
        raw_name: raw_name.to_owned(),
        kind,
        session: text_of(payload, &["conversation_id", "session_id"]).map(str::to_owned),
        cwd: path(payload, "cwd").or_else(|| project.clone()),
        project,
        tool: tool_call(payload),
        prompt: string(payload, "prompt"),
        subagent: has(payload, "parent_conversation_id") || has(payload, "subagent_id"),
        transcript: path(payload, "transcript_path"),
        model: string(payload, "model"),
        permission_mode: None,
    })
}

pub(super) fn render_verdict(event: &Event, verdict: &Verdict) -> HookOutput {
    let reply = match (&event.kind, verdict) {
        (EventKind::PreTool, Verdict::Deny { reason }) => {
            json!({"permission": "deny", "user_message": reason, "agent_message": reason})
        }
        (EventKind::PreTool, Verdict::Ask { reason }) => {
            json!({"permission": "ask", "user_message": reason, "agent_message": reason})
        }
        // Without `permission`: an "allow" could skip the user's approval of a command.
        (EventKind::PreTool, Verdict::Rewrite { input }) => json!({ "updated_input": input }),
        (EventKind::PostTool, Verdict::Replace { text }) if is_mcp(event) => {
            json!({"updated_mcp_tool_output": {"content": [{"type": "text", "text": text}]}})
        }
        (
            EventKind::PostTool | EventKind::SessionStart { .. } | EventKind::Prompt,
            Verdict::Context { text },
        ) => json!({ "additional_context": capped(text, entries::MAX_CONTEXT_CHARS) }),
        (EventKind::Prompt, Verdict::Deny { reason }) => {
            json!({"continue": false, "user_message": reason})
        }
        _ => return HookOutput::silent(),
    };
    HookOutput::json(&reply)
}

fn is_mcp(event: &Event) -> bool {
    event.tool.as_ref().is_some_and(|tool| tool.name.starts_with("MCP:"))
}

fn tool_call(payload: &Value) -> Option<ToolCall> {
    let name = string(payload, "tool_name")?;
    let input = payload.get("tool_input").map(unwrapped).unwrap_or_default();
    let file = || path_of(&input, &["file_path", "path", "target_file", "absolute_path"]);
    let kind = match name.as_str() {
        "Shell" => ToolKind::Shell { command: command(&input, &["command"]).unwrap_or_default() },
        "Read" => match file() {
            Some(path) => ToolKind::Read { path, partial: has(&input, "offset") || has(&input, "limit") },
            None => ToolKind::Other,
        },
        "Write" | "Edit" | "StrReplace" | "Delete" | "MultiEdit" => {
            file().map_or(ToolKind::Other, |path| ToolKind::Edit { path })
        }
        "Grep" | "Glob" => ToolKind::Grep,
        "WebFetch" | "Fetch" => string(&input, "url").map_or(ToolKind::Other, |url| ToolKind::Fetch { url }),
        "Task" => ToolKind::Subagent,
        // Cursor doesn't say which server a tool belongs to.
        other => match other.strip_prefix("MCP:") {
            Some(tool) if crate::offer::TOOLS.contains(&tool) => ToolKind::Ours(tool.to_owned()),
            Some(tool) => ToolKind::Mcp { server: String::new(), tool: tool.to_owned() },
            None => ToolKind::Other,
        },
    };
    Some(ToolCall { kind, output: output(payload), id: string(payload, "tool_use_id"), name, input })
}

/// `tool_output` is JSON inside a string; a failure has its text in `error_message`.
fn output(payload: &Value) -> Option<Output> {
    if let Some(error) = text_of(payload, &["error_message", "error"]) {
        return Some(Output {
            text: error.to_owned(),
            raw: json!(error),
            failed: true,
            exit: None,
            full_in: None,
        });
    }
    let raw = payload.get("tool_output")?.clone();
    let value = unwrapped(&raw);
    let streams = ["output", "stdout", "stderr"].map(|key| text(&value, key).unwrap_or_default());
    let joined = streams.iter().filter(|text| !text.is_empty()).copied().collect::<Vec<_>>().join("\n");
    let text = if joined.is_empty() { content_text(&value).unwrap_or_else(|| plain(&value)) } else { joined };
    let code = ["exitCode", "exit_code"].iter().find_map(|key| value.get(key)?.as_i64());
    let failed =
        code.is_some_and(|code| code != 0) || value.get("isError").and_then(Value::as_bool) == Some(true);
    Some(Output { text, raw, failed, exit: None, full_in: None })
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
