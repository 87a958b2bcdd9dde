//! Which agent really sent a hook payload. Some agents run hooks that were registered for another (Cursor and Copilot read
//! Claude's settings), and the same event would be answered twice. The payload outweighs the environment, because an agent
//! started in another's shell inherits that one's variables.

use serde_json::Value;

use crate::HookInput;
use crate::payload::text;

/// The sender of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Host {
    /// Cursor, IDE or CLI.
    Cursor,
    /// Codex.
    Codex,
    /// VS Code's local chat.
    VsCode,
    /// Copilot CLI, and VS Code's agent host, which is the same program.
    CopilotCli,
    /// Gemini CLI.
    Gemini,
    /// Antigravity, any of its products.
    Antigravity,
    /// Claude Code.
    Claude,
    /// Kiro, CLI or IDE.
    Kiro,
    /// Plimsoll's plugin inside OpenCode.
    OpenCode,
    /// Unknown; the agent on the command line is assumed.
    Unknown,
}

/// Events that only Gemini CLI has.
const GEMINI_EVENTS: [&str; 8] = [
    "BeforeTool",
    "AfterTool",
    "BeforeAgent",
    "AfterAgent",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
    "PreCompress",
];

/// Events of Kiro's older engine; Cursor spells its own alike but sends fields of its own.
const KIRO_V2_EVENTS: [&str; 5] = ["agentSpawn", "userPromptSubmit", "preToolUse", "postToolUse", "stop"];

impl Host {
    /// The sender of `input`.
    pub(crate) fn of(input: &HookInput<'_>) -> Self {
        let payload = input.payload;
        let env = |name: &str| input.env.var(name).is_some();
        let has = |key: &str| payload.get(key).is_some_and(|value| !value.is_null());
        let event = text(payload, "hook_event_name").unwrap_or_default();
        let transcript = text(payload, "transcript_path").unwrap_or_default().replace('\\', "/");
        let iso_time = payload.get("timestamp").is_some_and(Value::is_string);

        if text(payload, "host") == Some("opencode") {
            return Self::OpenCode;
        }
        if has("cursor_version") || (has("workspace_roots") && has("conversation_id")) {
            return Self::Cursor;
        }
        if has("conversationId") && (has("workspacePaths") || has("artifactDirectoryPath")) {
            return Self::Antigravity;
        }
        if GEMINI_EVENTS.contains(&event) || transcript.contains("/.gemini/tmp/") {
            return Self::Gemini;
        }
        if transcript.contains("/rollout-") || (has("turn_id") && has("model") && !event.is_empty()) {
            return Self::Codex;
        }
        // Cursor runs Claude's hooks with Claude's payload. Agents that only run in its terminal or as its extension were
        // recognised above.
        if env("CURSOR_VERSION") {
            return Self::Cursor;
        }
        // Copilot runs a project's Claude hooks with Claude's payload; its time stamp differs.
        if env("COPILOT_CLI") && (has("sessionId") || iso_time || !transcript.contains("/projects/")) {
            return Self::CopilotCli;
        }
        if has("hookEventName") || (has("sessionId") && iso_time) {
            return Self::VsCode;
        }
        if has("sessionId") || has("toolArgs") {
            return Self::CopilotCli;
        }
        if iso_time && (env("GEMINI_SESSION_ID") || env("GEMINI_PROJECT_DIR")) {
            return Self::Gemini;
        }
        if iso_time && !event.is_empty() {
            return Self::VsCode;
        }
        if transcript.contains("/.claude/projects/") || has("prompt_id") {
            return Self::Claude;
        }
        if text(payload, "session_id").is_some_and(|id| id.starts_with("sess_"))
            || KIRO_V2_EVENTS.contains(&event)
        {
            return Self::Kiro;
        }
        // Only Codex sends the key with an empty value.
        if payload.get("transcript_path").is_some_and(Value::is_null) && !event.is_empty() {
            return Self::Codex;
        }
        if env("GEMINI_SESSION_ID") || env("GEMINI_PROJECT_DIR") {
            return Self::Gemini;
        }
        if !event.is_empty() && (env("CLAUDECODE") || env("CLAUDE_CODE_SESSION_ID")) && !transcript.is_empty()
        {
            return Self::Claude;
        }
        Self::Unknown
    }

    /// Whether `wanted` may answer this sender's payload: it is the sender, or the sender is unknown.
    pub(crate) fn may_be(self, wanted: Self) -> bool {
        self == wanted || self == Self::Unknown
    }
}
