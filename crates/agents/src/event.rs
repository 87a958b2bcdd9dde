//! Hook events in one vocabulary for every agent. Dialects produce them; policy reads them.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the agent is about to do or did.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The agent that really sent it.
    pub agent: &'static str,
    /// The event's name in the agent's dialect, needed for the reply.
    pub raw_name: String,
    /// What kind of event it is.
    pub kind: EventKind,
    /// The agent's session id.
    pub session: Option<String>,
    /// The agent's working folder.
    pub cwd: Option<PathBuf>,
    /// The project's root, if the agent names more than `cwd`.
    pub project: Option<PathBuf>,
    /// A tool event's call.
    pub tool: Option<ToolCall>,
    /// The user's prompt, for [`EventKind::Prompt`].
    pub prompt: Option<String>,
    /// A subagent's call: it may lack Plimsoll's tools, so it gets advice and is never blocked.
    pub subagent: bool,
    /// The agent's transcript file.
    pub transcript: Option<PathBuf>,
    /// The model's name, if the agent gives it.
    pub model: Option<String>,
    /// The agent's permission mode, if it gives it.
    pub permission_mode: Option<String>,
}

/// Kinds of events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// A session starts; `source` is startup, resume, clear or compact if known.
    SessionStart {
        /// Why it starts.
        source: Option<String>,
    },
    /// A session ended.
    SessionEnd,
    /// The user sent a prompt.
    Prompt,
    /// A tool is about to run.
    PreTool,
    /// A tool ran.
    PostTool,
    /// A tool failed.
    PostToolFailure,
    /// The agent is about to ask the user.
    PermissionRequest,
    /// The conversation is about to be compacted.
    PreCompact,
    /// The conversation was compacted.
    PostCompact,
    /// The agent's turn ended.
    Stop,
    /// A subagent starts.
    SubagentStart,
    /// A subagent ended.
    SubagentStop {
        /// Its last message, if the agent sends it.
        report: Option<String>,
    },
    /// The model has answered.
    Answer {
        /// Its text.
        text: Option<String>,
    },
}

/// A tool call inside an event.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The agent's name for the tool.
    pub name: String,
    /// What the tool does.
    pub kind: ToolKind,
    /// The complete input as sent, for rewriting.
    pub input: Value,
    /// The result, after the call.
    pub output: Option<Output>,
    /// The agent's id for the call.
    pub id: Option<String>,
}

impl ToolCall {
    /// Whether it's a call that the agent lets run on, reading its output piece by piece with another tool. A mode counts for
    /// commands only: a tool of another server may have one, too.
    pub fn is_background(&self) -> bool {
        let is_set = |key: &str| self.input.get(key).and_then(Value::as_bool) == Some(true);
        let is_async = || self.input.get("mode").and_then(Value::as_str) == Some("async");
        ["run_in_background", "is_background", "isBackground"].into_iter().any(is_set)
            || matches!(self.kind, ToolKind::Shell { .. }) && is_async()
    }

    /// Whether the command is PowerShell, for agents with a separate PowerShell tool.
    pub fn is_powershell(&self) -> bool {
        ["powershell", "pwsh"].iter().any(|name| self.name.eq_ignore_ascii_case(name))
    }
}

/// A tool's result as the hook sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// Its text (stdout and stderr joined if separate).
    pub text: String,
    /// The payload's own shape, to replace the text in place.
    pub raw: Value,
    /// Whether the agent reports an error.
    pub failed: bool,
    /// The command's exit code, if reported.
    pub exit: Option<i32>,
    /// The file with the full output, if the agent shows only part.
    pub full_in: Option<PathBuf>,
}

/// What a tool does, independent of the agent's name for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolKind {
    /// Runs a shell command.
    Shell {
        /// The command line.
        command: String,
    },
    /// Reads a file.
    Read {
        /// The file.
        path: PathBuf,
        /// Whether only a part (offset or limit) is requested.
        partial: bool,
    },
    /// Searches file contents or names.
    Grep,
    /// Fetches a web page.
    Fetch {
        /// Its address.
        url: String,
    },
    /// Writes or edits a file.
    Edit {
        /// The file.
        path: PathBuf,
    },
    /// Starts a subagent.
    Subagent,
    /// One of Plimsoll's tools, by its plain name.
    Ours(String),
    /// A tool of another MCP server.
    Mcp {
        /// Server name.
        server: String,
        /// Tool name.
        tool: String,
    },
    /// Anything else.
    Other,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn another_servers_tool_may_have_a_mode() {
        let shell = ToolKind::Shell { command: "make".into() };
        let foreign = ToolKind::Mcp { server: "shop".into(), tool: "sync".into() };
        for (kind, input, is_background) in [
            (&shell, json!({"command": "make", "mode": "async"}), true),
            (&shell, json!({"command": "make", "mode": "sync"}), false),
            (&foreign, json!({"mode": "async"}), false),
            (&foreign, json!({"run_in_background": true}), true),
        ] {
            let (name, kind) = ("tool".to_owned(), kind.clone());
            let call = ToolCall { name, kind, input: input.clone(), output: None, id: None };
            assert_eq!(call.is_background(), is_background, "{input}");
        }
    }
}
