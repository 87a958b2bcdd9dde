//! VS Code local chat's hook payloads and replies: Claude's with other names. Copilot CLI's hook command gets them too.

use serde_json::{Value, json};

use crate::payload::{
    capped, command, content_text, first_path, has, path, path_of, string, text_of, unwrapped,
};
use crate::{Event, EventKind, HookInput, HookOutput, Output, ToolCall, ToolKind, Verdict, entries};

pub(crate) const ID: &str = "vscode-copilot";

/// Parses local chat's payload; `input.event` names the event if the payload doesn't.
pub(crate) fn parse_event(input: &HookInput<'_>) -> Option<Event> {
    let payload = input.payload;
    let raw_name = text_of(payload, &["hookEventName", "hook_event_name"]).or(input.event)?;
    let (raw_name, kind) = match raw_name {
        "SessionStart" | "sessionStart" => {
            ("SessionStart", EventKind::SessionStart { source: string(payload, "source") })
        }
        "UserPromptSubmit" | "userPromptSubmitted" => ("UserPromptSubmit", EventKind::Prompt),
        "PreToolUse" | "preToolUse" => ("PreToolUse", EventKind::PreTool),
        "PostToolUse" | "postToolUse" => ("PostToolUse", EventKind::PostTool),
        "PreCompact" | "preCompact" => ("PreCompact", EventKind::PreCompact),
        "SubagentStart" | "subagentStart" => ("SubagentStart", EventKind::SubagentStart),
        "SubagentStop" | "subagentStop" => {
            ("SubagentStop", EventKind::SubagentStop { report: string(payload, "last_assistant_message") })
        }
        "Stop" | "agentStop" => ("Stop", EventKind::Stop),
        _ => return None,
    };
    Some(Event {
        agent: ID,
        raw_name: raw_name.to_owned(),
        kind,
        session: text_of(payload, &["sessionId", "session_id"]).map(str::to_owned),
        cwd: path(payload, "cwd"),
        project: None,
        tool: tool_call(payload),
        prompt: string(payload, "prompt"),
        subagent: has(payload, "agent_id"),
        transcript: path(payload, "transcript_path"),
        model: string(payload, "model"),
        permission_mode: None,
    })
}

/// Renders a verdict. Local chat takes Claude's wrapper only, and can't replace a tool's result.
pub(crate) fn render_verdict(event: &Event, verdict: &Verdict) -> HookOutput {
    let name = event.raw_name.as_str();
    let inner = match (&event.kind, verdict) {
        (EventKind::PreTool, Verdict::Deny { reason }) => {
            json!({"hookEventName": name, "permissionDecision": "deny", "permissionDecisionReason": reason})
        }
        (EventKind::PreTool, Verdict::Ask { reason }) => {
            json!({"hookEventName": name, "permissionDecision": "ask", "permissionDecisionReason": reason})
        }
        // Without a decision, so that the user's own confirmation stays.
        (EventKind::PreTool, Verdict::Rewrite { input }) => {
            json!({"hookEventName": name, "updatedInput": input})
        }
        (
            EventKind::SessionStart { .. }
            | EventKind::PreTool
            | EventKind::PostTool
            | EventKind::SubagentStart,
            Verdict::Context { text },
        ) => json!({"hookEventName": name, "additionalContext": capped(text, entries::MAX_CONTEXT_CHARS)}),
        _ => return HookOutput::silent(),
    };
    HookOutput::json(&json!({ "hookSpecificOutput": inner }))
}

fn tool_call(payload: &Value) -> Option<ToolCall> {
    let name = string(payload, "tool_name")?;
    let input = payload.get("tool_input").map(unwrapped).unwrap_or_default();
    let file = || path_of(&input, &["filePath", "file_path", "path"]);
    let kind = match name.as_str() {
        "run_in_terminal" | "runInTerminal" | "runTerminalCommand" => {
            ToolKind::Shell { command: command(&input, &["command"]).unwrap_or_default() }
        }
        "read_file" | "readFile" => match file() {
            Some(path) => ToolKind::Read {
                path,
                partial: ["startLine", "offset", "endLine", "limit"].iter().any(|key| has(&input, key)),
            },
            None => ToolKind::Other,
        },
        "create_file"
        | "replace_string_in_file"
        | "multi_replace_string_in_file"
        | "insert_edit_into_file"
        | "apply_patch"
        | "edit_notebook_file"
        | "editFiles" => file()
            .or_else(|| first_path(&input, "files"))
            .map_or(ToolKind::Other, |path| ToolKind::Edit { path }),
        "grep_search" | "file_search" | "semantic_search" | "list_dir" => ToolKind::Grep,
        "fetch_webpage" => {
            let first = input.get("urls").and_then(|urls| urls.get(0)).and_then(Value::as_str);
            let url = first.map(str::to_owned).or_else(|| string(&input, "url"));
            url.map_or(ToolKind::Other, |url| ToolKind::Fetch { url })
        }
        "runSubagent" | "run_subagent" => ToolKind::Subagent,
        other => match other.strip_prefix("mcp_") {
            Some(rest) => match rest.strip_prefix("plimsoll_") {
                Some(tool) => ToolKind::Ours(tool.to_owned()),
                None => {
                    let (server, tool) = rest.split_once('_').unwrap_or((rest, ""));
                    ToolKind::Mcp { server: server.to_owned(), tool: tool.to_owned() }
                }
            },
            None => ToolKind::Other,
        },
    };
    let raw =
        ["tool_response", "tool_result"].iter().find_map(|key| payload.get(key)).filter(|raw| !raw.is_null());
    let output = raw.map(|raw| Output {
        text: content_text(raw).unwrap_or_else(|| raw.to_string()),
        raw: raw.clone(),
        failed: raw.get("isError").and_then(Value::as_bool) == Some(true),
        exit: None,
        full_in: None,
    });
    Some(ToolCall { kind, output, id: string(payload, "tool_use_id"), name, input })
}
