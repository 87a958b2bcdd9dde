//! One turn of the conversation with the scripted model: its step, and the request.

use serde_json::Value;

use crate::model_request::{ToolResult, all_text, offered, results};

/// One turn of the scripted model.
#[derive(Debug, Clone)]
pub enum Step {
    /// Calls one of Plimsoll's tools by its plain name; the agent's form is looked up among the offered tools.
    Ours(&'static str, Value),
    /// Runs a command with the agent's own shell tool.
    Shell(String),
    /// Calls the agent's own tool by the first of these names that is offered.
    Own(&'static [&'static str], Value),
    /// Ends the turn with text.
    Say(String),
}

/// One received request.
#[derive(Debug, Clone)]
pub struct Request {
    /// Path and query.
    pub path: String,
    /// The body; `null` if it wasn't JSON.
    pub body: Value,
    /// The body's size on the wire, in bytes.
    pub bytes: usize,
}

impl Request {
    /// Names of the tools offered, in the agent's form (`namespace.name` for Codex).
    pub fn tools(&self) -> Vec<String> {
        offered(&self.body)
    }

    /// The results of tool calls in the conversation, oldest first, as the agent passes them to the model.
    pub fn results(&self) -> Vec<ToolResult> {
        results(&self.body)
    }

    /// The body as text, for searching words that reached the model.
    pub fn text(&self) -> String {
        all_text(&self.body)
    }
}
