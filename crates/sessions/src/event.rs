//! An event in the form in which it is recorded, without secrets.

use serde::{Deserialize, Serialize};

use crate::values::clean;

/// The longest summary that is stored, in characters.
const MAX_SUMMARY: usize = 500;
/// The longest tool or rule name that is stored, in characters.
const MAX_NAME: usize = 200;

/// An event to record. Secrets are removed and text is shortened when it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewEvent {
    /// The session ID from the agent; empty if it has none.
    pub session: String,
    /// The agent's id.
    pub agent: String,
    /// The project folder; empty without one.
    pub project: String,
    /// The kind of event, as `agents` names it.
    pub kind: String,
    /// The tool it is about.
    pub tool: Option<String>,
    /// What happened, for people (a command, a path).
    pub summary: String,
    /// The verdict: `pass`, `deny`, `ask`, `redirect`, `context` …
    pub decision: String,
    /// The rule that decided.
    pub rule: Option<String>,
    /// The size of the input in bytes.
    pub bytes_before: Option<u64>,
    /// The size of what was passed on, in bytes.
    pub bytes_after: Option<u64>,
    /// The address of a shortened output's full text: `plimsoll://task/…`.
    pub full_output: Option<String>,
    /// The agent's ID for the tool call, so that an event that two hooks note counts once. Not stored with the event.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub call: String,
    /// How long it took, in microseconds.
    pub elapsed_us: u64,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
}

impl NewEvent {
    /// The event without secrets, cut to the stored lengths.
    pub(crate) fn cleaned(&self) -> Self {
        Self {
            summary: clean(&self.summary, MAX_SUMMARY),
            tool: self.tool.as_deref().map(|tool| clean(tool, MAX_NAME)),
            rule: self.rule.as_deref().map(|rule| clean(rule, MAX_NAME)),
            full_output: self.full_output.as_deref().map(|address| clean(address, MAX_NAME)),
            call: clean(&self.call, MAX_NAME),
            ..self.clone()
        }
    }
}
