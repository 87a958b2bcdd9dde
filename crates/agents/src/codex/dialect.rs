//! Codex's hook payloads and replies. Codex refuses a reply with a field that the event doesn't have and then goes on
//! as if the hook had failed, so each reply is minimal.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::event::{Event, EventKind, Output, ToolCall, ToolKind};
use crate::payload::{capped, command, content_text, has, path, snake_case_event, string, text, unwrapped};
use crate::verdict::{HookOutput, Verdict};
use crate::{Rewriting, entries};

/// Codex cuts a hook's context at 2,500 tokens.
const MAX_CONTEXT_CHARS: usize = 8_000;

/// The fields with a command.
const COMMAND: [&str; 2] = ["command", "cmd"];

/// Parses a payload; `event` comes from the command line, for a payload that doesn't name it.
pub(super) fn parse_event(agent: &'static str, payload: &Value, event: Option<&str>) -> Option<Event> {
    let name = text(payload, "hook_event_name").or(event)?;
    let kind = match name {
        "SessionStart" => EventKind::SessionStart { source: string(payload, "source") },
        "SessionEnd" => EventKind::SessionEnd,
        "UserPromptSubmit" => EventKind::Prompt,
        "PreToolUse" => EventKind::PreTool,
        "PostToolUse" => EventKind::PostTool,
        "PermissionRequest" => EventKind::PermissionRequest,
        "PreCompact" => EventKind::PreCompact,
        "PostCompact" => EventKind::PostCompact,
        "Stop" => EventKind::Stop,
        "SubagentStart" => EventKind::SubagentStart,
        "SubagentStop" => EventKind::SubagentStop { report: string(payload, "last_assistant_message") },
        _ => return None,
    };
    let mut event = snake_case_event(agent, name, kind, payload);
    event.subagent = has(payload, "agent_id");
    event.prompt = string(payload, "prompt");
    event.tool = text(payload, "tool_name").map(|tool| {
        let input = payload.get("tool_input").map(unwrapped).unwrap_or_default();
        ToolCall {
            name: tool.to_owned(),
            kind: tool_kind(tool, &input),
            output: (event.kind == EventKind::PostTool).then(|| output(payload)).flatten(),
            input,
            id: string(payload, "tool_use_id"),
        }
    });
    Some(event)
}

fn tool_kind(name: &str, input: &Value) -> ToolKind {
    match name {
        "Bash" | "shell" | "exec_command" => match command(input, &COMMAND) {
            Some(command) => ToolKind::Shell { command },
            None => ToolKind::Other,
        },
        "apply_patch" | "Edit" | "Write" => {
            match command(input, &COMMAND).as_deref().and_then(patched_file) {
                Some(path) => ToolKind::Edit { path },
                None => ToolKind::Other,
            }
        }
        "read_file" => match path(input, "file_path").or_else(|| path(input, "path")) {
            Some(path) => ToolKind::Read { path, partial: has(input, "offset") || has(input, "limit") },
            None => ToolKind::Other,
        },
        "grep_files" | "list_dir" => ToolKind::Grep,
        "spawn_agent" => ToolKind::Subagent,
        _ => match entries::mcp_double(name) {
            Some((server, tool)) if entries::is_our_key(server) => ToolKind::Ours(tool.to_owned()),
            Some((server, tool)) => ToolKind::Mcp { server: server.to_owned(), tool: tool.to_owned() },
            None => ToolKind::Other,
        },
    }
}

/// The first file that a patch names.
fn patched_file(patch: &str) -> Option<PathBuf> {
    patch.lines().find_map(|line| {
        let line = line.trim_start();
        ["*** Update File: ", "*** Add File: ", "*** Delete File: "]
            .iter()
            .find_map(|mark| line.strip_prefix(mark))
            .map(|path| PathBuf::from(path.trim()))
    })
}

fn output(payload: &Value) -> Option<Output> {
    let raw = payload.get("tool_response")?.clone();
    Some(Output {
        text: content_text(&raw).or_else(|| string(&raw, "output")).unwrap_or_default(),
        failed: raw.get("isError").or_else(|| raw.get("is_error")).and_then(Value::as_bool).unwrap_or(false),
        exit: None,
        full_in: None,
        raw,
    })
}

/// Renders a verdict as Codex's reply.
pub(super) fn render_verdict(event: &Event, verdict: &Verdict) -> HookOutput {
    match (verdict, &event.kind) {
        (Verdict::Deny { reason }, EventKind::PreTool) => specific(
            event,
            [("permissionDecision", json!("deny")), ("permissionDecisionReason", json!(reason))],
        ),
        // Measured on 0.169.0: Codex takes an `ask` for a failed hook and runs the command. So a command with a part that
        // Codex can't see, and that a rule asks about, is denied in this form.
        (Verdict::Ask { reason }, EventKind::PreTool) => {
            let reason = format!("{reason} Run it by itself, so that Codex asks.");
            specific(
                event,
                [("permissionDecision", json!("deny")), ("permissionDecisionReason", json!(reason))],
            )
        }
        (Verdict::Deny { reason }, EventKind::PermissionRequest) => {
            specific(event, [("decision", json!({ "behavior": "deny", "message": reason }))])
        }
        (Verdict::Deny { reason }, EventKind::Prompt) => {
            HookOutput::json(&json!({ "decision": "block", "reason": reason }))
        }
        (Verdict::Deny { reason }, EventKind::PreCompact) => {
            HookOutput::json(&json!({ "continue": false, "stopReason": reason }))
        }
        // Codex takes another input only together with `allow`, which skips its own question. Where it wouldn't have
        // asked, nothing is skipped.
        (Verdict::Rewrite { input }, EventKind::PreTool) if never_asks(event) => {
            specific(event, [("permissionDecision", json!("allow")), ("updatedInput", input.clone())])
        }
        (Verdict::RewriteAllowed { input }, EventKind::PreTool) => {
            specific(event, [("permissionDecision", json!("allow")), ("updatedInput", input.clone())])
        }
        // In code mode, a replaced result ends the script that made the call.
        (Verdict::Replace { text }, EventKind::PostTool) if !code_mode(event) => {
            HookOutput::json(&json!({ "decision": "block", "reason": text }))
        }
        (Verdict::Context { text }, kind) if takes_context(kind) => {
            specific(event, [("additionalContext", json!(capped(text, MAX_CONTEXT_CHARS)))])
        }
        _ => HookOutput::silent(),
    }
}

/// Whether this session runs every command without asking.
fn never_asks(event: &Event) -> bool {
    event.permission_mode.as_deref() == Some("bypassPermissions")
}

/// Codex honours a rewrite only together with "allow".
pub(super) fn rewriting(event: &Event) -> Rewriting {
    if never_asks(event) { Rewriting::Free } else { Rewriting::WhenAllowed }
}

/// In code mode, a replaced result would end the script that made the call.
pub(super) fn replaces(event: &Event) -> bool {
    event.kind == EventKind::PostTool && !code_mode(event)
}

/// Whether the model calls tools from scripts that it writes: GPT 5.6 and later, as far as the name tells.
fn code_mode(event: &Event) -> bool {
    let version = event.model.as_deref().and_then(|model| model.strip_prefix("gpt-")).unwrap_or_default();
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    let mut numbers = version[..end].split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    let (major, minor) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    (major, minor) >= (5, 6)
}

fn takes_context(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::SessionStart { .. }
            | EventKind::Prompt
            | EventKind::PreTool
            | EventKind::PostTool
            | EventKind::SubagentStart
    )
}

fn specific<const N: usize>(event: &Event, fields: [(&str, Value); N]) -> HookOutput {
    let mut specific = Map::from_iter([("hookEventName".to_owned(), json!(event.raw_name))]);
    specific.extend(fields.map(|(key, value)| (key.to_owned(), value)));
    HookOutput::json(&json!({ "hookSpecificOutput": specific }))
}
