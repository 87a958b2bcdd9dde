//! One file per agent: one parsed line in, records out. Each knows its agent's formats, old and new, and nothing of
//! files. What a reader does not recognise is no error: it is a newer version's business.

pub(crate) mod claude_code;
pub(crate) mod codex;
pub(crate) mod copilot_cli;
pub(crate) mod copilot_otel;
pub(crate) mod gemini_cli;
pub(crate) mod opencode;

use serde_json::Value;

use crate::calls::State;
use crate::record::Record;

/// The format of a file of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Claude Code's sessions, one record per line.
    ClaudeCode,
    /// Codex' rollouts, one record per line.
    Codex,
    /// Gemini CLI's chats, one record per line.
    Gemini,
    /// Gemini CLI's chats of older versions: one JSON document.
    GeminiDocument,
    /// Copilot CLI's events of a session, one per line.
    CopilotEvents,
    /// Copilot CLI's telemetry, one span per line.
    CopilotTelemetry,
}

impl Format {
    /// Every one of them.
    pub const ALL: [Self; 6] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::Gemini,
        Self::GeminiDocument,
        Self::CopilotEvents,
        Self::CopilotTelemetry,
    ];
}

/// Reads one line.
pub(crate) fn read(format: Format, line: &Value, state: &mut State, out: &mut Vec<Record>) {
    match format {
        Format::ClaudeCode => claude_code::read(line, state, out),
        Format::Codex => codex::read(line, state, out),
        Format::Gemini | Format::GeminiDocument => gemini_cli::read(line, state, out),
        Format::CopilotEvents => copilot_cli::read(line, state, out),
        Format::CopilotTelemetry => copilot_otel::read(line, state, out),
    }
}

/// Longest id or name that is kept.
const NAME_BYTES: usize = 256;

/// An id or a name, cut.
pub(crate) fn name(text: &str) -> String {
    text[..text.floor_char_boundary(NAME_BYTES)].to_owned()
}

/// A command in any of the forms in which tools take it: text, or words of which `sh -c` is left out.
pub(crate) fn command(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            Some(match words.as_slice() {
                [shell, flag, script] if is_shell(shell) && flag.starts_with('-') && flag.contains('c') => {
                    (*script).to_owned()
                }
                words => words.join(" "),
            })
        }
        _ => None,
    }
}

fn is_shell(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    matches!(name, "bash" | "sh" | "zsh" | "dash" | "fish" | "ksh")
}
