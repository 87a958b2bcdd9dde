//! Claude Code's transcripts: `projects/<slug>/<session>.jsonl` and the subagents' files beside it. A response is written
//! as one line per content block while it streams, so several lines share one `message.id`; resumed and forked sessions
//! copy lines from older ones, and subagents may repeat their parent's.

use home::Env;
use serde_json::Value;
use transcripts::{
    Call, Format, JsonFields, Key, Record, Source, State, Tokens, ToolOutput, Usage, UsageScope, at_ms,
    content_text, files, name, only,
};

use super::dialect::is_generated;
use super::{ID, config_dir};

/// The model name of a line that no model produced.
const NO_MODEL: &str = "<synthetic>";

/// The start of a failed command's text.
const EXIT: &str = "Exit code ";

pub(super) const FORMAT: &Format = &Format { prompts, ..Format::lines("claude-code", read) };

/// The transcripts on this computer.
pub(super) fn sources(env: &Env) -> Vec<Source> {
    let mut found = Vec::new();
    let xdg = env.path("XDG_CONFIG_HOME").unwrap_or_else(|| env.home_dir().join(".config")).join("claude");
    for config in [config_dir(env), xdg] {
        files(&config.join("projects"), ID, &mut found, |name| name.ends_with(".jsonl").then_some(FORMAT));
    }
    found
}

fn read(line: &Value, state: &mut State, out: &mut Vec<Record>) {
    let session = line.text("sessionId");
    if !session.is_empty() {
        state.session = name(session);
    }
    match line.text("type") {
        "assistant" => assistant(line, state, out),
        "user" => user(line, state, out),
        _ => {}
    }
}

fn assistant(line: &Value, state: &mut State, out: &mut Vec<Record>) {
    let message = line.at("message");
    let mut tools = Vec::new();
    for block in message.items("content") {
        if !matches!(block.text("type"), "tool_use" | "server_tool_use" | "mcp_tool_use") {
            continue;
        }
        let call = Call::new(block.text("name"), block.at("input").at("command").as_str());
        tools.push(call.tool.clone());
        state.opened(Key::of(ID, &[block.text("id")]), call);
    }
    let (usage, model, id) = (message.at("usage"), message.text("model"), message.text("id"));
    let tokens = tokens(usage);
    if model == NO_MODEL || tokens.is_zero() && usage.is_null() {
        return;
    }
    let request = line.text("requestId");
    let (key, alias) = if id.is_empty() {
        (Key::of(ID, &["line", line.text("uuid"), line.text("timestamp")]), None)
    } else {
        (Key::of(ID, &["message", id, request]), Some(Key::of(ID, &["message", id])))
    };
    out.push(Record::Usage(Usage {
        agent: ID,
        session: state.session.clone(),
        model: name(model),
        tool: only(tools),
        at_ms: at_ms(line.at("timestamp")),
        tokens,
        key,
        alias,
        sidechain: line.is("isSidechain"),
        scope: UsageScope::Response,
    }));
}

fn tokens(usage: &Value) -> Tokens {
    let written = usage.count("cache_creation_input_tokens");
    let kept = usage.at("cache_creation");
    let by_time = ["ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"];
    let by_time = by_time.iter().fold(0_u64, |sum, kind| sum.saturating_add(kept.count(kind)));
    Tokens {
        input: usage.count("input_tokens"),
        output: usage.count("output_tokens"),
        cache_read: usage.count("cache_read_input_tokens"),
        cache_write: written.max(by_time),
    }
}

fn user(line: &Value, state: &mut State, out: &mut Vec<Record>) {
    for block in line.at("message").items("content") {
        if block.text("type") != "tool_result" {
            continue;
        }
        let id = block.text("tool_use_id");
        let call = state.closed(Key::of(ID, &[id]));
        let whole = content_text(block.at("content"));
        let (exit, text) = match (&call.command, block.is("is_error")) {
            (None, _) => (None, whole),
            (Some(_), true) => split_exit_code(whole),
            // A command that runs on in the background or was interrupted has no exit code yet.
            (Some(_), false) => {
                let result = line.at("toolUseResult");
                let ended = !result.is("interrupted") && result.at("backgroundTaskId").is_null();
                (ended.then_some(0), whole)
            }
        };
        out.push(Record::ToolOutput(ToolOutput {
            agent: ID,
            session: state.session.clone(),
            at_ms: at_ms(line.at("timestamp")),
            tool: call.tool,
            command: call.command,
            text,
            exit,
            key: Key::of(ID, &["result", id]),
        }));
    }
}

/// A prompt is a line of its own. Lines that only pretend to be the user's are marked: the program's notes, a subagent's
/// task, the summary after a compaction, what another session or a plugin has sent.
fn prompts(line: &Value, out: &mut Vec<String>) {
    const GENERATED: [&str; 4] = ["isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly"];
    let content = line.at("message").at("content");
    let blocks = line.at("message").items("content");
    let of_tool =
        !line.at("toolUseResult").is_null() || blocks.iter().any(|block| block.text("type") == "tool_result");
    if line.text("type") != "user" || of_tool || GENERATED.iter().any(|mark| line.is(mark)) {
        return;
    }
    let origin = line.at("origin").text("kind");
    if line.text("promptSource") == "system" || !origin.is_empty() && origin != "human" {
        return;
    }
    let texts = blocks.iter().filter(|block| block.text("type") == "text");
    let prompts = content.as_str().into_iter().chain(texts.map(|block| block.text("text")));
    out.extend(prompts.filter(|prompt| !is_generated(prompt)).map(str::to_owned));
}

/// `Exit code 3`, a line end, then the command's output.
fn split_exit_code(whole: String) -> (Option<i32>, String) {
    let Some(rest) = whole.strip_prefix(EXIT) else { return (None, whole) };
    let (code, text) = rest.split_once('\n').unwrap_or((rest, ""));
    match code.trim().parse() {
        Ok(code) => (Some(code), text.to_owned()),
        Err(_) => (None, whole),
    }
}
