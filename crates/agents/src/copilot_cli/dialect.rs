//! Copilot CLI's hook payloads and replies.

use serde_json::{Value, json};

use crate::payload::{capped, command, content_text, has, path, path_of, string, text, text_of, unwrapped};
use crate::{
    Event, EventKind, HookInput, HookOutput, Output, ToolCall, ToolKind, Verdict, entries, output_frame,
};

use super::ID;

pub(super) fn parse_event(input: &HookInput<'_>) -> Option<Event> {
    let payload = input.payload;
    let raw_name = input.event?;
    let kind = match raw_name {
        "sessionStart" => EventKind::SessionStart { source: string(payload, "source") },
        "sessionEnd" => EventKind::SessionEnd,
        "userPromptSubmitted" => EventKind::Prompt,
        "preToolUse" => EventKind::PreTool,
        "postToolUse" => EventKind::PostTool,
        "postToolUseFailure" => EventKind::PostToolFailure,
        "permissionRequest" => EventKind::PermissionRequest,
        "preCompact" => EventKind::PreCompact,
        "agentStop" => EventKind::Stop,
        "subagentStart" => EventKind::SubagentStart,
        "subagentStop" => EventKind::SubagentStop { report: report(payload) },
        _ => return None,
    };
    Some(Event {
        agent: ID,
        raw_name: raw_name.to_owned(),
        kind,
        session: text_of(payload, &["sessionId", "session_id"]).map(str::to_owned),
        cwd: path(payload, "cwd"),
        project: input.env.path("COPILOT_PROJECT_DIR"),
        tool: tool_call(payload),
        prompt: text_of(payload, &["prompt", "initialPrompt"]).map(str::to_owned),
        // The main conversation has none of these, whichever agent it uses (measured on 1.0.102).
        subagent: ["agentId", "parentAgentId", "parentSessionId"].iter().any(|key| has(payload, key)),
        transcript: path_of(payload, &["transcriptPath", "transcript_path"]),
        model: string(payload, "model"),
        permission_mode: None,
    })
}

/// A subagent's last message.
fn report(payload: &Value) -> Option<String> {
    text_of(payload, &["lastAssistantMessage", "last_assistant_message", "result"]).map(str::to_owned)
}

fn tool_call(payload: &Value) -> Option<ToolCall> {
    let name = string(payload, "toolName")?;
    let input = payload.get("toolArgs").map(unwrapped).unwrap_or_default();
    let file = || path_of(&input, &["path", "file_path", "filePath"]);
    let kind = match name.as_str() {
        "bash" | "powershell" | "shell" => {
            ToolKind::Shell { command: command(&input, &["command"]).unwrap_or_default() }
        }
        "view" | "read" | "show_file" => match file() {
            Some(path) => ToolKind::Read { path, partial: has(&input, "view_range") },
            None => ToolKind::Other,
        },
        "create" | "edit" | "write" | "str_replace_editor" | "apply_patch" => {
            file().map_or(ToolKind::Other, |path| ToolKind::Edit { path })
        }
        "grep" | "rg" | "glob" => ToolKind::Grep,
        "web_fetch" | "fetch" => string(&input, "url").map_or(ToolKind::Other, |url| ToolKind::Fetch { url }),
        "task" => ToolKind::Subagent,
        // `<server>-<tool>`: where the server's name ends is unknown, and no built-in tool has a dash.
        other => match other.strip_prefix("plimsoll-").or_else(|| other.strip_prefix("plimsoll/")) {
            Some(tool) => ToolKind::Ours(tool.to_owned()),
            None if other.contains('-') => ToolKind::Mcp { server: String::new(), tool: other.to_owned() },
            None => ToolKind::Other,
        },
    };
    Some(ToolCall { kind, output: output(payload), id: string(payload, "toolCallId"), name, input })
}

/// Whether a command has ended; if not, a line says in which shell it runs on.
pub(super) fn has_ended(call: &ToolCall) -> bool {
    const RUNNING: [&str; 3] =
        ["<command with shellId: ", "<detached command with shellId: ", "<command started in "];
    let runs_on = |line: &str| RUNNING.iter().any(|begin| line.starts_with(begin));
    call.output.as_ref().is_none_or(|output| output.exit.is_some() || !output.text.lines().any(runs_on))
}

fn output(payload: &Value) -> Option<Output> {
    if let Some(raw) = payload.get("toolResult").filter(|raw| !raw.is_null()) {
        let shown = text_of(raw, &["textResultForLlm", "sessionLog"]).map(str::to_owned);
        let shown = shown.or_else(|| content_text(raw)).unwrap_or_default();
        let failed = text(raw, "resultType").is_some_and(|kind| kind != "success");
        let frame = output_frame::parse_copilot(&shown);
        let exit = frame.as_ref().and_then(|frame| frame.exit);
        return Some(Output {
            text: frame.as_ref().map_or_else(|| shown.clone(), |frame| frame.text.to_owned()),
            raw: raw.clone(),
            failed: failed || exit.is_some_and(|code| code != 0),
            exit,
            full_in: frame.and_then(|frame| frame.full_in),
        });
    }
    let error = payload.get("error").filter(|error| !error.is_null())?;
    let shown = string(error, "message").or_else(|| content_text(error)).unwrap_or_default();
    Some(Output { text: shown, raw: error.clone(), failed: true, exit: None, full_in: None })
}

pub(super) fn render_verdict(event: &Event, verdict: &Verdict) -> HookOutput {
    let reply = match (&event.kind, verdict) {
        (EventKind::PreTool, Verdict::Deny { reason }) => {
            json!({"permissionDecision": "deny", "permissionDecisionReason": reason})
        }
        (EventKind::PreTool, Verdict::Ask { reason }) => {
            json!({"permissionDecision": "ask", "permissionDecisionReason": reason})
        }
        (EventKind::PreTool, Verdict::Rewrite { input }) => json!({ "modifiedArgs": input }),
        (EventKind::PostTool, Verdict::Replace { text }) => {
            json!({ "modifiedResult": replaced(event, text) })
        }
        (
            EventKind::SessionStart { .. }
            | EventKind::Prompt
            | EventKind::PreTool
            | EventKind::PostTool
            | EventKind::PostToolFailure,
            Verdict::Context { text },
        ) => json!({ "additionalContext": capped(text, entries::MAX_CONTEXT_CHARS) }),
        _ => return HookOutput::silent(),
    };
    HookOutput::json(&reply)
}

/// The result as received, with its text replaced.
fn replaced(event: &Event, text: &str) -> Value {
    let raw = event.tool.as_ref().and_then(|tool| tool.output.as_ref()).map(|output| &output.raw);
    let mut result =
        raw.filter(|raw| raw.is_object()).cloned().unwrap_or_else(|| json!({"resultType": "success"}));
    // The last line, the command's exit notice, stays last.
    let old = result.get("textResultForLlm").and_then(Value::as_str).unwrap_or_default();
    result["textResultForLlm"] =
        json!(output_frame::parse_copilot(old).map_or_else(|| text.to_owned(), |frame| frame.wrap(text)));
    result
}
