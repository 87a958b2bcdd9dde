//! Our answer to an event, the bytes a dialect makes of it, and when a command may be rewritten.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The answer, in the same words for every agent. A dialect that cannot express one falls back to the
/// nearest harmless thing: `Rewrite`, `Replace` and `Context` become silence, never a denial.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Go on; nothing is said.
    Pass,
    /// Do not run the tool.
    Deny {
        /// What the model is told.
        reason: String,
    },
    /// Ask the person first. An agent that cannot ask goes on with its own permission flow.
    Ask {
        /// What the person is told.
        reason: String,
    },
    /// Run the tool with another input, under the agent's normal permission flow.
    Rewrite {
        /// The whole new input.
        input: Value,
    },
    /// Run the tool with another input and ask nobody: the person's own rules allow the original.
    RewriteAllowed {
        /// The whole new input.
        input: Value,
    },
    /// Show the model this instead of the tool's output.
    Replace {
        /// The replacement text.
        text: String,
    },
    /// Add text to the model's context.
    Context {
        /// The text, short and factual.
        text: String,
    },
}

/// What the hook process prints and how it exits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HookOutput {
    /// One JSON object (or, for Kiro, plain text), or nothing.
    pub stdout: String,
    /// For hosts that read the reason there.
    pub stderr: String,
    /// Exit code.
    pub exit: u8,
}

impl HookOutput {
    /// Prints nothing, exits 0: safe for every agent but Antigravity's PreToolUse.
    pub fn silent() -> Self {
        Self::default()
    }

    /// Prints one JSON object, exits 0.
    pub fn json(value: &Value) -> Self {
        Self { stdout: value.to_string(), ..Self::default() }
    }
}

/// When a command may be rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rewriting {
    /// Not at all: it would not be honoured, or would change what the person is asked.
    Never,
    /// Always: this session asks nobody about commands.
    Free,
    /// Where the person's own rules allow the original command.
    WhenAllowed,
    /// Where the person's own rules allow both the original and the rewritten command: the agent asks about what it
    /// will run.
    WhenBothAllowed,
}
