//! A row of the ledger: what a call would have cost the conversation, what it did cost, and how that is known.

use serde::{Deserialize, Serialize};

use crate::values::{clean, int};

/// The longest name of a tool, filter or tokenizer that is stored, in characters.
const MAX_TOOL: usize = 100;

/// The tool name of the row with the cost of the tool list.
pub const TOOL_LIST: &str = "tool list";

/// The tool name of rows with what a hook added to a conversation.
pub const HOOK: &str = "hook";

/// The tool name of rows with the cost of a resume note.
pub const NOTE: &str = "note";

/// Rows of these tools are overhead, not calls.
pub(crate) const OVERHEAD_TOOLS: [&str; 3] = [TOOL_LIST, HOOK, NOTE];

/// The tokenizer of rows whose tokens are estimated from bytes ([`text::tokens_estimate`]).
pub const ESTIMATE: &str = "plimsoll-4b";

/// Whether this tokenizer's tokens are estimates. The names of Plimsoll's own estimates share a prefix, including
/// later ones.
pub(crate) fn is_estimate(tokenizer: &str) -> bool {
    tokenizer.starts_with("plimsoll-")
}

/// How a row's figures are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Nothing was kept out (a search, text from the model itself): the row saves nothing.
    #[default]
    None,
    /// Both sizes were measured.
    Measured,
    /// The size of what was kept out is an estimate.
    Estimated,
}

impl Class {
    pub(crate) fn to_sql(self) -> i64 {
        match self {
            Class::None => 0,
            Class::Measured => 1,
            Class::Estimated => 2,
        }
    }

    pub(crate) fn from_sql(value: i64) -> Class {
        match value {
            1 => Class::Measured,
            2 => Class::Estimated,
            _ => Class::None,
        }
    }
}

/// One call. All sizes are in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerRow {
    /// The session ID from the agent.
    pub session: String,
    /// The agent's id.
    pub agent: String,
    /// The project folder.
    pub project: String,
    /// The tool.
    pub tool: String,
    /// What the conversation would have got without Plimsoll.
    pub raw_bytes: u64,
    /// What it got.
    pub returned_bytes: u64,
    /// How `raw_bytes` is known.
    pub class: Class,
    /// Whether the call succeeded.
    pub ok: bool,
    /// What Plimsoll added to the conversation (tool list, notes, nudges).
    pub overhead_bytes: u64,
    /// How long it took, in microseconds.
    pub elapsed_us: u64,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
    /// The filter that shortened the output; empty if none did.
    #[serde(default)]
    pub filter: String,
    /// `raw_bytes` in tokens of `tokenizer`.
    #[serde(default)]
    pub tokens_raw: u64,
    /// `returned_bytes` in tokens of `tokenizer`.
    #[serde(default)]
    pub tokens_returned: u64,
    /// The tokenizer: a public one of the model's family, or [`ESTIMATE`]. If empty, the tokens are estimated when
    /// the row is written.
    #[serde(default)]
    pub tokenizer: String,
    /// The agent's id of the call, where several processes may write a row for the same call: the first one counts. Not
    /// stored with the row.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub call: String,
}

impl LedgerRow {
    /// What the call kept out of the conversation: negative if the reply was longer, 0 if the call failed.
    pub fn saved_bytes(&self) -> i64 {
        match (self.ok, self.class) {
            (false, _) | (_, Class::None) => 0,
            _ => int(self.raw_bytes).saturating_sub(int(self.returned_bytes)),
        }
    }

    /// The row without secrets and with tokens.
    pub(crate) fn cleaned(&self) -> Self {
        let row = Self {
            tool: clean(&self.tool, MAX_TOOL),
            filter: clean(&self.filter, MAX_TOOL),
            tokenizer: clean(&self.tokenizer, MAX_TOOL),
            call: clean(&self.call, MAX_TOOL),
            ..self.clone()
        };
        row.estimated()
    }

    /// The row with estimated tokens, unless they were counted.
    pub(crate) fn estimated(self) -> Self {
        if !self.tokenizer.is_empty() {
            return self;
        }
        Self {
            tokens_raw: estimate(self.raw_bytes),
            tokens_returned: estimate(self.returned_bytes),
            tokenizer: ESTIMATE.to_owned(),
            ..self
        }
    }
}

fn estimate(bytes: u64) -> u64 {
    text::tokens_estimate(usize::try_from(bytes).unwrap_or(usize::MAX)) as u64
}
