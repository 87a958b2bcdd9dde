//! The vocabulary of hook events, the same for every agent. Dialects translate into it; policy reads it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the agent is about to do or did.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Id of the agent that really sent it.
    pub agent: &'static str,
    /// The event as the agent calls it, needed to answer in its dialect.
    pub raw_name: String,
    /// The event in our words.
    pub kind: EventKind,
    /// The agent's session id.
    pub session: Option<String>,
    /// Folder the agent works in.
    pub cwd: Option<PathBuf>,
    /// Project root when the agent says more than `cwd`.
    pub project: Option<PathBuf>,
    /// The tool call of tool events.
    pub tool: Option<ToolCall>,
    /// The person's prompt, for [`EventKind::Prompt`].
    pub prompt: Option<String>,
    /// A subagent's call: it may lack our tools, so it is advised and never blocked.
    pub subagent: bool,
    /// The agent's transcript file.
    pub transcript: Option<PathBuf>,
    /// Model name where the agent tells it.
    pub model: Option<String>,
    /// The agent's permission mode where it tells it.
    pub permission_mode: Option<String>,
}

/// Kinds of events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// A session starts; `source` is startup, resume, clear or compact where told.
    SessionStart {
        /// Why it starts.
        source: Option<String>,
    },
    /// A session ended.
    SessionEnd,
    /// The person sent a prompt.
    Prompt,
    /// A tool is about to run.
    PreTool,
    /// A tool ran.
    PostTool,
    /// A tool failed.
    PostToolFailure,
    /// The agent is about to ask the person.
    PermissionRequest,
    /// The conversation is about to be summarised.
    PreCompact,
    /// It was summarised.
    PostCompact,
    /// The agent's turn ended.
    Stop,
    /// A subagent starts.
    SubagentStart,
    /// A subagent ended.
    SubagentStop {
        /// Its last message, where the agent tells it.
        report: Option<String>,
    },
    /// The model has answered.
    Answer {
        /// What it wrote.
        text: Option<String>,
    },
}

/// A tool call inside an event.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The agent's name for the tool.
    pub name: String,
    /// What it does, in our words.
    pub kind: ToolKind,
    /// The whole input as sent, for rewriting.
    pub input: Value,
    /// What came back, for post events.
    pub output: Option<Output>,
    /// The agent's id of the call.
    pub id: Option<String>,
}

impl ToolCall {
    /// Whether its command is PowerShell's, where the agent has a tool of its own for that.
    pub fn is_powershell(&self) -> bool {
        ["powershell", "pwsh"].iter().any(|name| self.name.eq_ignore_ascii_case(name))
    }
}

/// A tool's result as the hook sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// Its text (stdout and stderr joined where apart).
    pub text: String,
    /// The payload's own shape, for replacing it in kind.
    pub raw: Value,
    /// Whether the agent calls it an error.
    pub failed: bool,
    /// The command's exit code, where it is told.
    pub exit: Option<i32>,
    /// File in which the agent keeps the whole output when it shows only part.
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
        /// Whether only a part (offset or limit) is asked for.
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
    /// A tool of Plimsoll's own, by its plain name.
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
