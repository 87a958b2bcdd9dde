//! One turn of the conversation with the scripted model: what it is told to do, and what was asked of it.

use serde_json::Value;

use crate::asked::{ToolResult, all_text, offered, results};

/// One turn of the scripted model.
#[derive(Debug, Clone)]
pub enum Step {
    /// Calls a tool of Plimsoll's by its plain name; the agent's form is looked up among the tools offered.
    Ours(&'static str, Value),
    /// Runs a command with the agent's own shell tool.
    Shell(String),
    /// Calls a tool of the agent's own by the first of these names that is offered.
    Own(&'static [&'static str], Value),
    /// Ends the turn with text.
    Say(String),
}

/// One request as it came in.
#[derive(Debug, Clone)]
pub struct Request {
    /// Path and query.
    pub path: String,
    /// The body; `null` when it was no JSON.
    pub body: Value,
    /// Bytes of the body as they came over the wire.
    pub bytes: usize,
}

impl Request {
    /// Names of the tools offered, in the agent's form (`namespace.name` for Codex).
    pub fn tools(&self) -> Vec<String> {
        offered(&self.body)
    }

    /// The results of tool calls in the conversation, oldest first, as the agent hands them to the model.
    pub fn results(&self) -> Vec<ToolResult> {
        results(&self.body)
    }

    /// The body as text, for looking for words that reached the model.
    pub fn text(&self) -> String {
        all_text(&self.body)
    }
}
