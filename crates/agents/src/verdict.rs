//! Plimsoll's answer to an event, its rendered form, and when a command may be rewritten.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The answer, in one vocabulary for every agent. A dialect that can't express one falls back to the nearest harmless
/// one: `Rewrite`, `Replace` and `Context` become silence, never a denial.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Go on in silence.
    Pass,
    /// Don't run the tool.
    Deny {
        /// The reason for the model.
        reason: String,
    },
    /// Ask the user first. An agent that can't ask follows its own permission flow.
    Ask {
        /// The reason for the user.
        reason: String,
    },
    /// Run the tool with another input, under the agent's normal permission flow.
    Rewrite {
        /// The complete new input.
        input: Value,
    },
    /// Run the tool with another input without asking: the user's own rules allow the original.
    RewriteAllowed {
        /// The complete new input.
        input: Value,
    },
    /// Show the model another text instead of the tool's output.
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
    /// One JSON object (plain text for Kiro), or nothing.
    pub stdout: String,
    /// The reason, for agents that read it there.
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
    /// Never: the agent wouldn't honour it, or it would change what the user is asked.
    Never,
    /// Always: this session asks about no command.
    Free,
    /// If the user's rules allow the original command.
    WhenAllowed,
    /// If the user's rules allow both the original and the rewritten command: the agent asks about the command that it
    /// will run.
    WhenBothAllowed,
}
