//! Gemini CLI's hook payloads and replies.

use serde_json::{Value, json};

use crate::SERVER_KEY;
use crate::event::{Event, EventKind, Output, ToolCall, ToolKind};
use crate::payload::{capped, command, content_text, has, path, snake_case_event, string, text, unwrapped};
use crate::verdict::{HookOutput, Verdict};
use crate::{entries, output_frame};

/// Parses a payload; `event` comes from the command line, for a payload that doesn't name it. `PreCompress` is ignored:
/// it isn't a compaction, it fires before each request to the model.
pub(super) fn parse_event(agent: &'static str, payload: &Value, event: Option<&str>) -> Option<Event> {
    let name = text(payload, "hook_event_name").or(event)?;
    let kind = match name {
        "SessionStart" => EventKind::SessionStart { source: string(payload, "source") },
        "SessionEnd" => EventKind::SessionEnd,
        "BeforeAgent" => EventKind::Prompt,
        "BeforeTool" => EventKind::PreTool,
        "AfterTool" => EventKind::PostTool,
        "AfterAgent" => EventKind::Stop,
        _ => return None,
    };
    let mut event = snake_case_event(agent, name, kind, payload);
    event.prompt =
        (event.kind == EventKind::Prompt).then(|| string(payload, "prompt").map(without_context)).flatten();
    event.tool = text(payload, "tool_name").map(|tool| {
        let input = payload.get("tool_input").map(unwrapped).unwrap_or_default();
        ToolCall {
            name: tool.to_owned(),
            kind: tool_kind(tool, &input, payload.get("mcp_context")),
            output: (event.kind == EventKind::PostTool).then(|| output(payload)).flatten(),
            input,
            id: string(payload, "tool_use_id"),
        }
    });
    Some(event)
}

/// The user's words, without the context that hooks added before the session's first prompt.
pub(super) fn without_context(prompt: String) -> String {
    let told = prompt
        .trim_start()
        .strip_prefix("<hook_context>")
        .and_then(|rest| rest.split_once("</hook_context>"));
    told.map_or_else(|| prompt.clone(), |(_, own)| own.trim_start().to_owned())
}

fn tool_kind(name: &str, input: &Value, mcp: Option<&Value>) -> ToolKind {
    if let Some((server, tool)) =
        mcp.and_then(|mcp| Some((text(mcp, "server_name")?, text(mcp, "tool_name")?)))
    {
        return mcp_kind(server, tool);
    }
    match name {
        "run_shell_command" => match command(input, &["command"]) {
            Some(command) => ToolKind::Shell { command },
            None => ToolKind::Other,
        },
        "read_file" => match path(input, "file_path").or_else(|| path(input, "absolute_path")) {
            Some(path) => {
                let partial = ["offset", "limit", "start_line", "end_line"].iter().any(|key| has(input, key));
                ToolKind::Read { path, partial }
            }
            None => ToolKind::Other,
        },
        "read_many_files" | "grep_search" | "search_file_content" | "glob" | "list_directory" => {
            ToolKind::Grep
        }
        "web_fetch" => match string(input, "url").or_else(|| first_url(text(input, "prompt")?)) {
            Some(url) => ToolKind::Fetch { url },
            None => ToolKind::Other,
        },
        "write_file" | "replace" => match path(input, "file_path") {
            Some(path) => ToolKind::Edit { path },
            None => ToolKind::Other,
        },
        "invoke_agent" | "delegate_to_agent" | "codebase_investigator" => ToolKind::Subagent,
        // Server and tool are ambiguous once the server's key has an underscore.
        _ => match name.strip_prefix("mcp_").and_then(|rest| rest.split_once('_')) {
            Some((server, tool)) => mcp_kind(server, tool),
            None => ToolKind::Other,
        },
    }
}

fn mcp_kind(server: &str, tool: &str) -> ToolKind {
    if server == SERVER_KEY {
        ToolKind::Ours(tool.to_owned())
    } else {
        ToolKind::Mcp { server: server.to_owned(), tool: tool.to_owned() }
    }
}

/// The address in `web_fetch`'s prompt.
fn first_url(prompt: &str) -> Option<String> {
    prompt
        .split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '(' | ')' | '`'))
        .find(|word| word.starts_with("http://") || word.starts_with("https://"))
        .map(|word| word.trim_end_matches(['.', ',', ';']).to_owned())
}

fn output(payload: &Value) -> Option<Output> {
    let raw = payload.get("tool_response")?.clone();
    let shown = model_text(&raw);
    let frame = (text(payload, "tool_name") == Some("run_shell_command"))
        .then(|| output_frame::parse_gemini(&shown))
        .flatten();
    let exit = frame.as_ref().and_then(|frame| frame.exit);
    Some(Output {
        text: frame.map_or_else(|| shown.clone(), |frame| frame.text.to_owned()),
        failed: has(&raw, "error") || exit.is_some_and(|code| code != 0),
        exit,
        full_in: None,
        raw,
    })
}

/// Whether a command has ended: of one that runs on in the background, Gemini CLI shows only that (0.61.0).
pub(super) fn has_ended(call: &ToolCall) -> bool {
    let shown = call.output.as_ref().map_or("", |output| output.text.as_str());
    let shown = shown.strip_prefix("<untrusted_context>\n").unwrap_or(shown);
    !shown.starts_with("Command moved to background (PID: ")
}

/// The text that the model would see.
fn model_text(raw: &Value) -> String {
    let content = raw.get("llmContent").unwrap_or(raw);
    content_text(content).or_else(|| string(raw, "returnDisplay")).unwrap_or_default()
}

/// The new text in the old one's frame, which reports the command's exit.
fn keep_frame(event: &Event, text: &str) -> String {
    let call = event.tool.as_ref().filter(|call| matches!(call.kind, ToolKind::Shell { .. }));
    let old =
        call.and_then(|call| call.output.as_ref()).map(|output| model_text(&output.raw)).unwrap_or_default();
    output_frame::parse_gemini(&old).map_or_else(|| text.to_owned(), |frame| frame.wrap(text))
}

/// Renders a verdict as Gemini CLI's reply.
pub(super) fn render_verdict(event: &Event, verdict: &Verdict) -> HookOutput {
    match (verdict, &event.kind) {
        (Verdict::Deny { reason }, EventKind::PreTool | EventKind::Prompt) => decision("deny", reason),
        (Verdict::Ask { reason }, EventKind::PreTool) => decision("ask", reason),
        (Verdict::Rewrite { input }, EventKind::PreTool) => HookOutput::json(
            &json!({ "hookSpecificOutput": { "hookEventName": event.raw_name, "tool_input": input } }),
        ),
        // A replaced output arrives as an error, so only failures are replaced.
        (Verdict::Replace { text }, EventKind::PostTool) => decision("deny", &keep_frame(event, text)),
        (
            Verdict::Context { text },
            EventKind::SessionStart { .. } | EventKind::Prompt | EventKind::PostTool,
        ) => {
            let text = capped(text, entries::MAX_CONTEXT_CHARS);
            HookOutput::json(
                &json!({ "hookSpecificOutput": { "hookEventName": event.raw_name, "additionalContext": text } }),
            )
        }
        _ => HookOutput::silent(),
    }
}

fn decision(decision: &str, reason: &str) -> HookOutput {
    HookOutput::json(&json!({ "decision": decision, "reason": reason }))
}
