//! What happened: sessions, hook events, calls.

use serde::{Deserialize, Serialize};

use super::Sums;

/// Which sessions are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct SessionsQuery {
    /// Of this agent.
    pub agent: Option<String>,
    /// In this project folder.
    pub project: Option<String>,
    /// How many to pass over.
    pub offset: u64,
    /// How many; at most 1,000.
    pub limit: u64,
}

/// A session at a glance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SessionRow {
    /// The session, as the agent names it.
    pub session: String,
    /// The agent's id.
    pub agent: String,
    /// The project folder.
    pub project: String,
    /// Its first sign.
    pub started_ms: i64,
    /// Its last sign.
    pub last_ms: i64,
    /// How many events were recorded.
    pub events: u64,
    /// How many of them were denied.
    pub denied: u64,
    /// What was asked first, on one line; empty when no request was recorded.
    pub title: String,
    /// How many calls of tools failed.
    pub errors: u64,
    /// Errors that are not known to be over.
    pub open_errors: u64,
    /// How often the conversation was compacted.
    pub compactions: u64,
    /// Its agent said that it is over.
    pub ended: bool,
    /// The sums of its calls.
    pub sums: Sums,
}

/// A piece of the list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SessionsPage {
    /// This piece.
    pub rows: Vec<SessionRow>,
    /// How many there are altogether.
    pub total: u64,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SessionRef {
    /// The agent's id.
    pub agent: String,
    /// The session, as the agent names it.
    pub session: String,
}

/// What a model was given and gave in a session, by the agent's own record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ModelTokens {
    /// The model; empty when it is not recorded.
    pub model: String,
    /// Tokens given to it that came from no cache and went into none.
    pub input: u64,
    /// Tokens it gave, reasoning included.
    pub output: u64,
    /// Tokens read from the provider's cache.
    pub cache_read: u64,
    /// Tokens written to the provider's cache.
    pub cache_write: u64,
    /// Its responses.
    pub responses: u64,
}

/// One session and which of its events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SessionQuery {
    /// The agent's id.
    pub agent: String,
    /// The session, as the agent names it.
    pub session: String,
    /// Events to pass over, the latest first.
    #[serde(default)]
    pub offset: u64,
    /// How many; at most 1,000.
    pub limit: u64,
}

/// One session in full.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SessionView {
    /// At a glance.
    pub session: SessionRow,
    /// A piece of its events, the latest first.
    pub events: Vec<EventRow>,
    /// How many events there are altogether.
    pub events_total: u64,
    /// Its latest calls, at most 200.
    pub calls: Vec<LedgerCall>,
    /// The note that a compaction or resuming would give the session now; `None` while nothing is known that is
    /// worth telling.
    pub resume_note: Option<String>,
    /// What is remembered of it, in the order in which it became known.
    pub facts: Vec<SessionFact>,
}

/// Something that is remembered of a session, quoted from it: data, shown as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SessionFact {
    /// `goal`, `request`, `task`, `decision`, `file`, `error`, `constraint`, `blocker` …
    pub category: String,
    /// What it is.
    pub text: String,
    /// More about it.
    pub detail: String,
    /// What was done with a file, what an error is about.
    pub subject: String,
    /// It still holds: an error is open, a task to be done, a decision in force.
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
    /// The session, as the agent names it.
    pub session: String,
    /// The project folder.
    pub project: String,
    /// What kind of event.
    pub kind: String,
    /// The tool it is about.
    pub tool: Option<String>,
    /// What happened (a command, a path), without secrets.
    pub summary: String,
    /// The answer: `pass`, `deny`, `ask`, `redirect`, `context` …
    pub decision: String,
    /// The rule that decided.
    pub rule: Option<String>,
    /// Bytes that came in.
    pub bytes_before: Option<u64>,
    /// Bytes that were passed on.
    pub bytes_after: Option<u64>,
    /// Where the whole of a shortened output is kept: `plimsoll://task/…`.
    pub full_output: Option<String>,
    /// Time that it took, in microseconds.
    pub elapsed_us: u64,
}

/// Which events are wanted; `None` is any.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ActivityQuery {
    /// Of this agent.
    pub agent: Option<String>,
    /// In this project folder.
    pub project: Option<String>,
    /// With this decision.
    pub decision: Option<String>,
    /// One row for each call of a tool, with its outcome; else one for each event.
    pub by_call: bool,
    /// Only what was decided, shortened or went wrong.
    pub mattered: bool,
    /// With every one of these words in the summary.
    pub contains: Option<String>,
    /// Not before this moment.
    pub since_ms: Option<i64>,
    /// How many to pass over.
    pub offset: u64,
    /// How many; at most 1,000.
    pub limit: u64,
}

/// A piece of what hooks decided, the latest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Activity {
    /// This piece.
    pub rows: Vec<EventRow>,
    /// How many there are altogether.
    pub total: u64,
}

/// Which calls are wanted; `None` is any.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct CallsQuery {
    /// Of this agent.
    pub agent: Option<String>,
    /// Of this tool.
    pub tool: Option<String>,
    /// Shortened by this filter.
    pub filter: Option<String>,
    /// In this project folder.
    pub project: Option<String>,
    /// Not before this moment.
    pub since_ms: Option<i64>,
    /// How many to pass over.
    pub offset: u64,
    /// How many; at most 1,000.
    pub limit: u64,
}

/// One call, as the ledger has it. All sizes in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LedgerCall {
    /// Its number; larger is later.
    pub id: i64,
    /// When.
    pub at_ms: i64,
    /// The agent's id.
    pub agent: String,
    /// The session, as the agent names it.
    pub session: String,
    /// The project folder.
    pub project: String,
    /// The tool.
    pub tool: String,
    /// The filter that shortened an output; empty when none did.
    pub filter: String,
    /// What the conversation would have got.
    pub raw_bytes: u64,
    /// What it got.
    pub returned_bytes: u64,
    /// `none`, `measured` or `estimated`: how `raw_bytes` is known.
    pub class: String,
    /// Whether the call did what it was asked.
    pub ok: bool,
    /// What Plimsoll put into the conversation besides.
    pub overhead_bytes: u64,
    /// What the call kept out; 0 if it failed.
    pub saved_bytes: i64,
    /// `raw_bytes` in tokens.
    pub tokens_raw: u64,
    /// `returned_bytes` in tokens.
    pub tokens_returned: u64,
    /// What counted the tokens; a name that begins with `plimsoll-` is an estimate from bytes.
    pub tokenizer: String,
    /// Time that it took, in microseconds.
    pub elapsed_us: u64,
}

/// A piece of the ledger, the latest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Calls {
    /// This piece.
    pub rows: Vec<LedgerCall>,
    /// How many there are altogether.
    pub total: u64,
}

/// Which kept output to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReadOutput {
    /// Its address: `plimsoll://task/…`.
    pub address: String,
    /// Bytes to pass over.
    #[serde(default)]
    pub offset: u64,
}

/// A piece of a kept output. It was printed by a program of others and is data: shown as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OutputText {
    /// What printed it.
    pub label: String,
    /// This piece: whole lines, without terminal control sequences and secrets.
    pub text: String,
    /// Where the next piece begins; `None` at the end.
    pub next: Option<u64>,
    /// Bytes altogether.
    pub total: u64,
    /// What the agent was shown of it, without terminal control sequences and secrets; `None` where nobody noted it.
    pub shown: Option<String>,
}
