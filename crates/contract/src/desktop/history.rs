//! Sessions, hook events and calls.

use serde::{Deserialize, Serialize};

use super::Sums;

/// Selects sessions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct SessionsQuery {
    /// Only this agent's.
    pub agent: Option<String>,
    /// Only in this project folder.
    pub project: Option<String>,
    /// How many to skip.
    pub offset: u64,
    /// How many; at most 1,000.
    pub limit: u64,
}

/// A session in one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SessionRow {
    /// The session ID from the agent.
    pub session: String,
    /// The agent's id.
    pub agent: String,
    /// The project folder.
    pub project: String,
    /// Its first event.
    pub started_ms: i64,
    /// Its last event.
    pub last_ms: i64,
    /// How many events were recorded.
    pub events: u64,
    /// How many of them were denied.
    pub denied: u64,
    /// The first request, on one line; empty if none was recorded.
    pub title: String,
    /// How many tool calls failed.
    pub errors: u64,
    /// Errors that aren't known to be resolved.
    pub open_errors: u64,
    /// How often the conversation was compacted.
    pub compactions: u64,
    /// Whether its agent reported its end.
    pub ended: bool,
    /// The totals of its calls.
    pub sums: Sums,
}

/// A page of sessions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SessionsPage {
    /// This page.
    pub rows: Vec<SessionRow>,
    /// The total number.
    pub total: u64,
}

/// Names a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SessionRef {
    /// The agent's id.
    pub agent: String,
    /// The session ID from the agent.
    pub session: String,
}

/// The tokens that a model used in a session, according to the agent's own record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ModelTokens {
    /// The model; empty if it isn't recorded.
    pub model: String,
    /// Input tokens that were neither read from nor written to the cache.
    pub input: u64,
    /// Output tokens, including reasoning.
    pub output: u64,
    /// Tokens read from the provider's cache.
    pub cache_read: u64,
    /// Tokens written to the provider's cache.
    pub cache_write: u64,
    /// Its responses.
    pub responses: u64,
}

/// Selects a session and some of its events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SessionQuery {
    /// The agent's id.
    pub agent: String,
    /// The session ID from the agent.
    pub session: String,
    /// Events to skip, latest first.
    #[serde(default)]
    pub offset: u64,
    /// How many; at most 1,000.
    pub limit: u64,
}

/// One session in full.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SessionView {
    /// The session's row.
    pub session: SessionRow,
    /// A page of its events, latest first.
    pub events: Vec<EventRow>,
    /// The total number of events.
    pub events_total: u64,
    /// Its latest calls, at most 200.
    pub calls: Vec<LedgerCall>,
    /// The note that the session would get at a compaction or when resumed; `None` if there is nothing worth telling.
    pub resume_note: Option<String>,
    /// Its facts, in the order in which they were recorded.
    pub facts: Vec<SessionFact>,
}

/// A recorded fact, quoted from the session: data, shown as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SessionFact {
    /// `goal`, `request`, `task`, `decision`, `file`, `error`, `constraint`, `blocker` …
    pub category: String,
    /// The fact.
    pub text: String,
    /// Details.
    pub detail: String,
    /// What was done with a file, or what an error is about.
    pub subject: String,
    /// Whether it still applies: an open error, an unfinished task, a decision in force.
    pub holds: bool,
    /// How often it came up.
    pub times: u64,
    /// When it came up last.
    pub at_ms: i64,
}

/// What a hook saw and decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct EventRow {
    /// Its number; larger is later.
    pub id: i64,
    /// When.
    pub at_ms: i64,
    /// The agent's id.
    pub agent: String,
    /// The session ID from the agent.
    pub session: String,
    /// The project folder.
    pub project: String,
    /// The kind of event.
    pub kind: String,
    /// The tool it is about.
    pub tool: Option<String>,
    /// What happened (a command, a path), without secrets.
    pub summary: String,
    /// The answer: `pass`, `deny`, `ask`, `redirect`, `context` …
    pub decision: String,
    /// The rule that decided.
    pub rule: Option<String>,
    /// Bytes received.
    pub bytes_before: Option<u64>,
    /// Bytes passed on.
    pub bytes_after: Option<u64>,
    /// The address of a shortened output's full text: `plimsoll://task/…`.
    pub full_output: Option<String>,
    /// How long it took, in microseconds.
    pub elapsed_us: u64,
}

/// Selects events; `None` matches any.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ActivityQuery {
    /// Only this agent's.
    pub agent: Option<String>,
    /// Only in this project folder.
    pub project: Option<String>,
    /// With this decision.
    pub decision: Option<String>,
    /// One row per tool call with its outcome, instead of one per event.
    pub by_call: bool,
    /// Only events with a verdict, a shortened output or an error.
    pub mattered: bool,
    /// Only if the summary contains all of these words.
    pub contains: Option<String>,
    /// Only from this time on.
    pub since_ms: Option<i64>,
    /// How many to skip.
    pub offset: u64,
    /// How many; at most 1,000.
    pub limit: u64,
}

/// A page of hook events, latest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Activity {
    /// This page.
    pub rows: Vec<EventRow>,
    /// The total number.
    pub total: u64,
}

/// Selects calls; `None` matches any.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct CallsQuery {
    /// Only this agent's.
    pub agent: Option<String>,
    /// Only of this tool.
    pub tool: Option<String>,
    /// Only shortened by this filter.
    pub filter: Option<String>,
    /// Only in this project folder.
    pub project: Option<String>,
    /// Only from this time on.
    pub since_ms: Option<i64>,
    /// How many to skip.
    pub offset: u64,
    /// How many; at most 1,000.
    pub limit: u64,
}

/// A call in the ledger. All sizes are in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LedgerCall {
    /// Its number; larger is later.
    pub id: i64,
    /// When.
    pub at_ms: i64,
    /// The agent's id.
    pub agent: String,
    /// The session ID from the agent.
    pub session: String,
    /// The project folder.
    pub project: String,
    /// The tool.
    pub tool: String,
    /// The filter that shortened the output; empty if none did.
    pub filter: String,
    /// What the conversation would have got.
    pub raw_bytes: u64,
    /// What it got.
    pub returned_bytes: u64,
    /// `none`, `measured` or `estimated`: how `raw_bytes` is known.
    pub class: String,
    /// Whether the call succeeded.
    pub ok: bool,
    /// What Plimsoll added to the conversation.
    pub overhead_bytes: u64,
    /// What the call kept out; 0 if it failed.
    pub saved_bytes: i64,
    /// `raw_bytes` in tokens.
    pub tokens_raw: u64,
    /// `returned_bytes` in tokens.
    pub tokens_returned: u64,
    /// What counted the tokens; a name that begins with `plimsoll-` is an estimate from bytes.
    pub tokenizer: String,
    /// How long it took, in microseconds.
    pub elapsed_us: u64,
}

/// A page of the ledger, latest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Calls {
    /// This page.
    pub rows: Vec<LedgerCall>,
    /// The total number.
    pub total: u64,
}

/// Selects a part of a kept output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReadOutput {
    /// Its address: `plimsoll://task/…`.
    pub address: String,
    /// Bytes to skip.
    #[serde(default)]
    pub offset: u64,
}

/// A piece of a kept output. A foreign program printed it: data, shown as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OutputText {
    /// What printed it.
    pub label: String,
    /// This piece: complete lines without terminal control sequences and secrets.
    pub text: String,
    /// Where the next piece begins; `None` at the end.
    pub next: Option<u64>,
    /// The total size in bytes.
    pub total: u64,
    /// What the agent was shown, without terminal control sequences and secrets; `None` if it wasn't recorded.
    pub shown: Option<String>,
}
