//! An event as it is recorded, without secrets.

use serde::{Deserialize, Serialize};

use crate::values::clean;

/// The longest summary that is kept, in characters.
const MAX_SUMMARY: usize = 500;
/// The longest name (of a tool, a rule) that is kept, in characters.
const MAX_NAME: usize = 200;

/// An event to be recorded. Text is freed of secrets and shortened on its way in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewEvent {
    /// The session, as the agent names it; empty if it does not.
    pub session: String,
    /// The agent's id.
    pub agent: String,
    /// The project folder; empty if there is none.
    pub project: String,
    /// What kind of event, in the words of the `agents` room.
    pub kind: String,
    /// The tool it is about.
    pub tool: Option<String>,
    /// What happened, for a person (a command, a path).
    pub summary: String,
    /// Our answer: `pass`, `deny`, `ask`, `redirect`, `context` …
    pub decision: String,
    /// The rule that decided.
    pub rule: Option<String>,
    /// Size of what came in, in bytes.
    pub bytes_before: Option<u64>,
    /// Size of what was passed on, in bytes.
    pub bytes_after: Option<u64>,
    /// Where the whole of a shortened output is kept: `plimsoll://task/…`.
    pub full_output: Option<String>,
    /// Time that we took, in microseconds.
    pub elapsed_us: u64,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: i64,
}

impl NewEvent {
    /// The same without secrets and with everything cut to the length that is kept.
    pub(crate) fn cleaned(&self) -> Self {
        Self {
            summary: clean(&self.summary, MAX_SUMMARY),
            tool: self.tool.as_deref().map(|tool| clean(tool, MAX_NAME)),
            rule: self.rule.as_deref().map(|rule| clean(rule, MAX_NAME)),
            full_output: self.full_output.as_deref().map(|address| clean(address, MAX_NAME)),
            ..self.clone()
        }
    }
}
